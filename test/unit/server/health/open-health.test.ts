import { expect, it } from 'vitest';
import { openHealth } from '../../../../src/server/health/open-health.ts';

it('says how each part is, and waits for none that hangs', async () => {
  let looks = 0;
  let answer: () => void = () => undefined;
  const readHealth = openHealth(
    {
      well: () => Promise.resolve(),
      rejected: () => Promise.reject(new Error('no')),
      thrown: () => {
        throw new Error('no');
      },
      hanging: () => {
        looks += 1;
        return new Promise<void>((done) => (answer = done));
      },
    },
    7,
  );
  const found = { well: 'ok', rejected: 'failed', thrown: 'failed', hanging: 'silent' };
  expect(await readHealth()).toEqual(found);
  expect(await readHealth()).toEqual(found);
  // One that hangs takes no second connection.
  expect(looks).toBe(1);
  const asked = readHealth();
  answer();
  expect(await asked).toEqual({ ...found, hanging: 'ok' });
  await readHealth();
  expect(looks).toBe(2);
});
