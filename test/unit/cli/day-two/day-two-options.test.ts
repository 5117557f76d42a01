import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import {
  collectSwitchesFlag,
  collectListFlag,
  parseTokenExpiry,
} from '../../../../src/cli/day-two/day-two-options.ts';

test.each([
  ['90d', { kind: 'after', ms: 90 * 86_400_000 }],
  ['12h', { kind: 'after', ms: 12 * 3_600_000 }],
  ['2w', { kind: 'after', ms: 14 * 86_400_000 }],
  ['30m', { kind: 'after', ms: 1_800_000 }],
  ['2027-01-31', { kind: 'at', at: Date.UTC(2027, 0, 31, 23, 59, 59) }],
  ['2027-01-31T18:00:00Z', { kind: 'at', at: Date.UTC(2027, 0, 31, 18) }],
  ['2027-01-31T18:00+02:00', { kind: 'at', at: Date.UTC(2027, 0, 31, 16) }],
])('--expires %s', (text, expected) => expect(parseTokenExpiry(text)).toEqual(expected));

test.each(['', '0d', '90', 'd', '90y', '-1d', '2027-02-31', '2027-13-01', '31.01.2027', 'never'])(
  '--expires %j is refused',
  (text) => expect(() => parseTokenExpiry(text)).toThrow(InvalidArgumentError),
);

test('words are split and gathered, each once', () => {
  expect(collectListFlag('read, compute', ['compute', 'full'])).toEqual([
    'compute',
    'full',
    'read',
  ]);
  expect(() => collectListFlag(' , ')).toThrow(InvalidArgumentError);
});

test('switches are gathered, and the last one counts', () => {
  const first = collectSwitchesFlag('quotaLow=on');
  expect(collectSwitchesFlag('quotaLow=FALSE', first)).toEqual({ quotaLow: false });
  expect(collectSwitchesFlag('operationFailed=yes', first)).toEqual({
    quotaLow: true,
    operationFailed: true,
  });
});

test.each(['quotaLow', 'quotaLow=', '=true', 'quotaLow=maybe', 'quotaLow=constructor'])(
  'the switch %j is refused',
  (text) => expect(() => collectSwitchesFlag(text)).toThrow(InvalidArgumentError),
);
