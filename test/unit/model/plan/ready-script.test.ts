import { expect, it } from 'vitest';
import { readProbeReadinessScript } from '../../../../src/model/plan/ready-script.ts';

const read = (value: unknown) => {
  const { afterMs, byAddress } = readProbeReadinessScript(value, (answer) =>
    typeof answer === 'string' ? Infinity : (answer as { after?: number } | null)?.after,
  );
  return [afterMs, ...byAddress];
};

it.each([
  ['never', [Infinity]],
  [null, [0]],
  [{ after: 40 }, [40]],
  [{ after: undefined }, [0]],
  [{}, [0]],
  [
    { web: { after: 40 }, 'web[1]': 'never', db: null },
    [0, ['web', 40], ['web[1]', Infinity], ['db', 0]],
  ],
])('%j is read as %j', (value, answers) => expect(read(value)).toEqual(answers));
