import { expect, test } from 'vitest';
import { loadText } from './load.ts';

const configuration = (timeouts: string) =>
  `version: 1\nservice: { sandbox: true, timeouts: ${timeouts} }\nprojects: { p: }\n`;

test.each([
  ['{ read: 30s, write: 2m }', { readMs: 30_000, writeMs: 120_000 }],
  ['{ write: 1s }', { writeMs: 1_000 }],
  ['{}', undefined],
])('service.timeouts %s', async (timeouts, expected) => {
  const { configuration: found } = await loadText(configuration(timeouts));
  expect(found?.requestTimeouts).toEqual(expected);
});

test.each(['{ read: 0s }', '{ write: 6m }'])(
  'service.timeouts %s is out of range',
  async (timeouts) => {
    const { diagnostics } = await loadText(configuration(timeouts));
    expect(diagnostics.map(({ code }) => code)).toEqual(['out-of-range']);
  },
);
