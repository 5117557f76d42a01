import { expect, test } from 'vitest';
import { listFaults, loadText } from './load.ts';

const inLocal = (value: string) =>
  loadText(
    `version: 1\nvariables: { env: { default: eu } }\nlocals: { x: '${value}' }\nprojects: { p: {} }\n`,
  );

test.each([
  ['${lower("net-${var.env}")}', 'a.yaml:3:28 broken-expression'],
  ['${"a" + "${var.env}"}', 'a.yaml:3:24 broken-expression'],
])('%s is an error where it would stay text', async (value, fault) => {
  expect(listFaults(await inLocal(value))).toEqual([fault]);
});

test.each([
  '${lower("net-" + var.env)}',
  '${lower(var.env)}-${var.env}',
  '$${var.env}',
  '${"$" + "{"}',
])('%s is fine', async (value) => expect(listFaults(await inLocal(value))).toEqual([]));
