import { expect, test } from 'vitest';
import { listFaults, loadText } from './load.ts';

const configuration = (value: string, more = '') =>
  `version: 1
service: { baseUrl: https://api.example.com/v1, maxConnections: ${value} }
variables: { many: { type: number, default: 12 } }
projects: { p: }
${more}`;

test.each([
  ['1', 1],
  ['1024', 1024],
  ['"${var.many * 2}"', 24],
])('service.maxConnections: %s', async (value, expected) => {
  const { configuration: found } = await loadText(configuration(value));
  expect(found?.maxConnections).toBe(expected);
});

test('nothing is said', async () => {
  const { configuration: found } = await loadText('version: 1\nservice: { sandbox: true }\n');
  expect(found?.maxConnections).toBeUndefined();
});

test.each([
  ['0', 'out-of-range'],
  ['1025', 'out-of-range'],
  ['1.5', 'wrong-type'],
  ['many', 'wrong-type'],
  ['"${var.many * 100}"', 'out-of-range'],
])('service.maxConnections: %s is refused', async (value, code) => {
  const result = await loadText(configuration(value));
  expect(listFaults(result)).toEqual([`a.yaml:2:65 ${code}`]);
});
