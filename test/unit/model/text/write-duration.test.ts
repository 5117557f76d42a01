import { expect, test } from 'vitest';
import { formatConfigDuration } from '../../../../src/model/text/write-duration.ts';

test.each([
  [0, '0s'],
  [1_500, '1.5s'],
  [90_000, '1m30s'],
  [300_000, '5m'],
  [5_403_000, '1h30m3s'],
  [86_400_000, '24h'],
])('%d ms are written as %s', (ms, written) => expect(formatConfigDuration(ms)).toBe(written));
