import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { redactTokenInText } from '../../../../src/model/text/redact.ts';
import { escape, tokenOf } from '../../api/transport/numbered-tokens.ts';

// Each collection of the runner's own memory takes half a second.
test('tokens of earlier runs are not kept', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const use = (from: number, to: number) => {
    for (let at = from; at < to; at += 1)
      redactTokenInText(escape(tokenOf(at)).join(''), tokenOf(at));
    // The engine itself keeps a pattern until several collections have passed.
    for (let times = 0; times < 8; times += 1) collect();
    return getHeapCodeStatistics().code_and_metadata_size;
  };
  const before = use(0, 10);
  // Thirty patterns more would be nine megabytes.
  expect(use(10, 40) - before).toBeLessThan(3_000_000);
});
