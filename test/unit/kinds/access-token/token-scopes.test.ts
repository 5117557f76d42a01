import { expect, test } from 'vitest';
import {
  areKnownTokenScopes,
  findMissingTokenScopes,
  findNeededTokenScopes,
} from '../../../../src/kinds/access-token/token-scopes.ts';
import type { KindName } from '../../../../src/model/kind-places.ts';
import type { Attributes } from '../../../../src/model/value.ts';

const needs = (...given: readonly (KindName | readonly [KindName, Attributes])[]) =>
  findNeededTokenScopes(
    given.map((one) =>
      typeof one === 'string'
        ? { kind: one, attributes: {} }
        : { kind: one[0], attributes: one[1] },
    ),
  );

test.each<[string, ReturnType<typeof needs>, string[], string[]]>([
  ['nothing where it may do everything', needs('project', 'vm', 'account'), ['full'], []],
  ['nothing where nothing is configured', needs(), [], []],
  [
    'what each kind lies in',
    needs('sshKey', 'publicIp', 'accessToken'),
    [],
    ['compute', 'network', 'tokens'],
  ],
  ['no more than that', needs('sshKey', 'portForward'), ['compute', 'network'], []],
  ['what a plan of a project reads', needs('project'), ['account'], ['compute', 'network']],
  ['no reads where it has all of them', needs('project'), ['account', 'read'], []],
  ['changes where it has only reads', needs('project', 'vm'), ['read'], ['account', 'compute']],
  [
    'the network of a VM that is attached',
    needs(['vm', { networks: ['lan'] }]),
    ['compute'],
    ['network'],
  ],
  ['none for a VM that is not', needs(['vm', { networks: [] }]), ['compute'], []],
  ['the account for a sale', needs(['vm', { renewal: 'cancelled' }]), ['compute'], ['account']],
])('what a token lacks is %s', (_, needed, granted, missing) => {
  expect(findMissingTokenScopes(needed, granted)).toEqual(missing);
});

test('scopes that nobody has heard of are not judged', () => {
  expect(areKnownTokenScopes(['full', 'compute'])).toBe(true);
  expect(areKnownTokenScopes(['vm:write'])).toBe(false);
});
