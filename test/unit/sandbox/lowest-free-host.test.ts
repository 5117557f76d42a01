import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatHostAddress, findLowestFreeHost } from '../../../src/sandbox/rules/attachments.ts';
import { sandboxTables } from '../../../src/sandbox/store/rows.ts';
import { SandboxStore } from '../../../src/sandbox/store/store.ts';
import { countRuns } from '../../support/budget/budget.ts';

const network = { id: 'net-1', cidr: '10.0.0.0/28' };

/** The lowest free host beside attachments with these hosts; the second of each is one that is about to be taken. */
function findFree(taken: readonly (readonly [number, number | null])[]): number {
  const store = new SandboxStore(':memory:');
  try {
    const attach = (networkId: string, vmId: string, host: number, reservedHost: number | null) =>
      store.insert(sandboxTables.attachments, {
        ...{ networkId, vmId, host, reservedHost, status: 'active' },
        internalIp: formatHostAddress(network, host),
      });
    taken.forEach(([host, reserved], index) => attach(network.id, `vm-${index}`, host, reserved));
    // Those of another network count for nothing.
    attach('net-2', 'vm-0', 2, 3);
    return findLowestFreeHost(store, network);
  } finally {
    store.close();
  }
}

test.each([
  ['the first in an empty network', [], 2],
  ['the one behind those that are taken in turn', [[2, null], [3, null]], 4], // prettier-ignore
  ['a gap', [[2, null], [4, null]], 3], // prettier-ignore
  ['none that is about to be taken', [[2, 3], [4, null]], 5], // prettier-ignore
  ['the first, whatever lies outside of the hosts', [[0, null], [1, 200]], 2], // prettier-ignore
] as const)('is %s', (_what, taken, free) => expect(findFree(taken)).toBe(free));

test('is none in a full network, and the last one before', () => {
  const hosts = Array.from({ length: 13 }, (_, index) => [index + 2, null] as const);
  expect(findFree(hosts.slice(0, -1))).toBe(14);
  expect(() => findFree(hosts)).toThrow('has no free address');
});

test('is what counting up finds, whatever is taken', () => {
  const pair = fc.tuple(fc.nat(14), fc.option(fc.nat(14)));
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 8 }), (taken) => {
      let host = 2;
      while (taken.flat().includes(host)) host += 1;
      fc.pre(host <= 14);
      expect(findFree(taken)).toBe(host);
    }),
    { numRuns: countRuns(60) },
  );
});
