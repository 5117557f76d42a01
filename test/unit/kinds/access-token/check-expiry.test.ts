import { expect, it } from 'vitest';
import { checkTokenExpiry } from '../../../../src/kinds/access-token/access-token.ts';

const check = (fields: Readonly<Record<string, string>>) =>
  checkTokenExpiry({
    has: (name) => name in fields,
    textOf: (name) => fields[name],
    sourceOf: () => ({ file: 'a.yaml', line: 2, column: 5, endLine: 2, endColumn: 9 }),
  });

it.each([
  ['none', {}, undefined, ''],
  ['a lifetime', { expiresIn: '90d', rotateBefore: '9d' }, undefined, ''],
  ['an end', { expiresAt: '2030-01-01T00:00:00Z' }, undefined, ''],
  ['both', { expiresIn: '90d', expiresAt: '2030-01-01T00:00:00Z' }, 'expiresAt', 'a.yaml:2:5'],
  ['no time', { expiresIn: '0m' }, 'expiresIn', 'nothing'],
  ['a rotation without one', { rotateBefore: '9d' }, 'rotateBefore', 'a new token would end'],
  ['a rotation at once', { expiresIn: '9d', rotateBefore: '9d' }, 'rotateBefore', 'every plan'],
  ['a lifetime that is none', { expiresIn: 'soon', rotateBefore: '9d' }, undefined, ''],
])('the ends of tokens: %s', (_what, fields, field, says) => {
  const found = check(fields);
  expect(found.map((one) => one.field)).toEqual(field === undefined ? [] : [field]);
  expect(found[0]?.detail.toLowerCase() ?? '').toContain(says);
});
