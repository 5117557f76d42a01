import { expect, test } from 'vitest';
import { mirrorAccountRules } from '../../../src/sandbox/mirror/mirror-rules.ts';
import { chooseNextNetworkCidr } from '../../../src/sandbox/rules/networks.ts';
import { SandboxStore } from '../../../src/sandbox/store/store.ts';
import { makeLive } from '../../support/account.ts';

test.each([
  [24, 0, '10.0.0.0/24'],
  [24, 1, '10.1.0.0/24'],
  [24, 255, '10.255.0.0/24'],
  [24, 256, '10.0.1.0/24'],
  [20, 1, '10.1.0.0/20'],
  [20, 257, '10.1.16.0/20'],
  [28, 256, '10.0.0.16/28'],
  [16, 2, '10.2.0.0/16'],
  [16, 256, '10.0.0.0/16'],
  [12, 1, '10.16.0.0/12'],
  [8, 3, '10.0.0.0/8'],
])('with a prefix of %i, the range after %i others is %s', (prefix, before, cidr) => {
  const store = new SandboxStore(':memory:');
  for (let count = 0; count < before; count += 1) chooseNextNetworkCidr(store, 'p', prefix);
  expect(chooseNextNetworkCidr(store, 'p', prefix)).toBe(cidr);
  store.close();
});

const withRanges = (...cidrs: readonly string[]) => {
  const networks = cidrs.map((cidr, index) => [`n${index}`, { name: `n${index}`, cidr }] as const);
  return makeLive({ projects: { p: { name: 'demo', networks: Object.fromEntries(networks) } } });
};

test.each([
  ['as its own', ['10.0.0.0/20'], 20],
  ['as the largest of them', ['10.0.0.0/24', '172.16.0.0/22', '10.1.0.0/28'], 22],
  ['as needed where it has none', [], 16],
  ['as needed where it has none of that form', ['fd00::/64'], 16],
  ['as the sandbox can have them', ['10.0.0.0/4'], 8],
])('a copy of an account makes networks as large %s: %j', (_, cidrs, prefix) => {
  expect(mirrorAccountRules(withRanges(...cidrs)).networkPrefix).toBe(prefix);
});
