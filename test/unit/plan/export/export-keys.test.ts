import { describe, expect, test } from 'vitest';
import type { KindName } from '../../../../src/model/kind-places.ts';
import { assignExportKeys } from '../../../../src/plan/export/export-account.ts';

/** The keys of things with these names. */
const keysOf = (kind: KindName, names: readonly string[]) =>
  assignExportKeys(
    kind,
    names.map((name) => ({ name })),
    ({ name }) => name,
  ).map(({ key }) => key);

describe('keys', () => {
  test.each<[string, string[], string[]]>([
    ['are the names where these may be keys', ['web', 'db_1', 'A-b'], ['web', 'db_1', 'A-b']],
    [
      'are made of names that may not be keys',
      ['my web', 'a.b', 'Café'],
      ['my-web', 'a-b', 'Cafe'],
    ],
    ['begin with a word where a name begins with a digit', ['1e3'], ['vm-1e3']],
    ['are a word where a name has nothing to offer', ['', '東京', '🚀'], ['vm', 'vm-2', 'vm-3']],
    ['differ where names do not', ['web', 'web', 'web'], ['web', 'web-2', 'web-3']],
    ['never take the name of another', ['web', 'web', 'web-2'], ['web', 'web-3', 'web-2']],
    ['differ where names become alike', ['a b', 'a:b', 'a-b'], ['a-b-2', 'a-b-3', 'a-b']],
    ['are not what objects take for something else', ['__proto__'], ['proto']],
    ['are no longer than fits', ['x'.repeat(70)], ['x'.repeat(63)]],
    [
      'are no longer than fits with a number',
      ['x'.repeat(63), 'x'.repeat(70)],
      ['x'.repeat(63), `${'x'.repeat(61)}-2`],
    ],
  ])('%s', (_, names, keys) => expect(keysOf('vm', names)).toEqual(keys));

  test('of public IPs have no meaning of their own at a VM', () => {
    expect(keysOf('publicIp', ['new', 'none', 'edge'])).toEqual(['ip-new', 'ip-none', 'edge']);
    expect(keysOf('vm', ['new'])).toEqual(['new']);
  });

  test('of thousands of one name are found at once', () => {
    const keys = keysOf('vm', Array<string>(20_000).fill('a b'));
    expect(new Set(keys).size).toBe(20_000);
    expect(keys.at(-1)).toBe('a-b-20000');
  });
});
