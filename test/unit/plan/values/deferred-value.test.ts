import { expect, it } from 'vitest';
import type { DeferredFieldType } from '../../../../src/kinds/kind.ts';
import { findDeferredValueFault } from '../../../../src/plan/values/resolve-fields.ts';
import type { Value } from '../../../../src/model/value.ts';
import { publicKeyOf } from '../../../support/desired.ts';

const power = ['running', 'stopped'];

it.each<[DeferredFieldType, Value]>([
  ['text', 'web'],
  ['text', '網'],
  ['text', ' web '],
  ['name', 'web'],
  ['name', 'web 1'],
  ['port', 1],
  ['port', 65_535],
  ['texts', []],
  ['texts', ['a', 'b']],
  [power, 'stopped'],
  ['publicKey', publicKeyOf('alice')],
])('takes as %s: %j', (type, value) => {
  expect(findDeferredValueFault(type, 'field', value)).toBeUndefined();
});

it.each<[DeferredFieldType, Value, string]>([
  ['text', null, 'a text that is not empty; its expression gives nothing'],
  ['text', ' \t', 'a text that is not empty; its expression gives an empty text'],
  ['text', 7, 'a text that is not empty; its expression gives a number'],
  ['text', true, 'a text that is not empty; its expression gives a boolean'],
  ['text', ['a'], 'a text that is not empty; its expression gives a list'],
  ['name', ' \t', 'a text that is not empty; its expression gives an empty text'],
  ['name', 7, 'a text that is not empty; its expression gives a number'],
  ['port', 0, 'a whole number from 1 to 65535; its expression gives a number'],
  ['port', 65_536, 'a whole number from 1 to 65535; its expression gives a number'],
  ['port', 80.5, 'a whole number from 1 to 65535; its expression gives a number'],
  ['port', '80', 'a whole number from 1 to 65535; its expression gives a text'],
  ['texts', 'a', 'a list of texts, each once; its expression gives a text'],
  ['texts', { a: 1 }, 'a list of texts, each once; its expression gives a map'],
  ['texts', ['a', 'a'], 'a list of texts, each once; its expression gives a list'],
  ['texts', ['a', 1], 'a list of texts, each once; its expression gives a list'],
  [power, 'paused', 'running or stopped; its expression gives a text'],
  [power, 1, 'running or stopped; its expression gives a number'],
  ['publicKey', 1, 'a public key; its expression gives a number'],
])('refuses as %s: %j', (type, value, words) => {
  expect(findDeferredValueFault(type, 'field', value)).toMatchObject({
    code: 'invalid-late-value',
    summary: `\`field\` must be ${words}`,
  });
});

it('says what is wrong with a public key, without a word of it', () => {
  const fault = findDeferredValueFault('publicKey', 'publicKey', 'ssh-rot13 secret');
  expect(fault?.code).toBe('invalid-public-key');
  expect(JSON.stringify(fault)).not.toContain('secret');
});

it.each(['web ', '\tweb', '\u00A0web', 'web\u0007'])(
  'refuses a name with white space at its ends, without a word of it: %j',
  (name) => {
    const fault = findDeferredValueFault('name', 'name', name);
    expect(fault).toMatchObject({
      code: 'name-outer-blanks',
      summary: '`name` begins or ends with white space',
    });
    expect(JSON.stringify(fault)).not.toContain('web');
  },
);
