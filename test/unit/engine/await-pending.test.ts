import { ServiceClocks } from '../../../src/api/service-clocks.ts';
import { expect, test } from 'vitest';
import type { ServiceClient } from '../../../src/api/client.ts';
import { awaitPendingCreates } from '../../../src/engine/await-pending.ts';
import type { LiveResource } from '../../../src/model/account/live.ts';
import type { PendingCreate, State } from '../../../src/model/state/state.ts';
import { makeLive } from '../../support/account.ts';

const projectId = 'p1';
const live = makeLive({ projects: { [projectId]: { name: 'shop' } } });
const network: LiveResource = {
  kind: 'network',
  id: 'n1',
  projectId,
  name: 'backend',
  status: 'active',
  cidr: null,
};
const pending: PendingCreate = {
  address: 'projects.shop.networks.backend',
  command: { kind: 'createNetwork', project: projectId, name: 'backend' },
  knownIds: [],
  at: 0,
  acceptedAt: 0,
  configured: ['name'],
};
const state: State = {
  ...{ lineage: 'l', serial: 1, service: null, resources: new Map() },
  pending: new Map([[pending.address, pending]]),
};

/** Waits for the network, which lists show from the look of this number on; tells what was read. */
async function wait(shownFrom: number) {
  let now = 0;
  const reads: string[] = [];
  const isShown = () => reads.filter((one) => one.startsWith('list')).length >= shownFrom;
  const awaited = await awaitPendingCreates({
    state,
    client: {
      serviceTime: () => undefined,
      clocks: new ServiceClocks(),
      listOperations: () => Promise.resolve([]),
      list: (kind: string) => {
        reads.push(`list ${kind}`);
        return Promise.resolve(isShown() ? [network] : []);
      },
      // The rest of the client is not asked.
    } as unknown as ServiceClient,
    clock: {
      now: () => now,
      sleep: (ms) => {
        now += ms;
        return Promise.resolve();
      },
    },
    options: { imported: new Set(), removesDoubled: false },
    read: () => {
      reads.push('account');
      return Promise.resolve(isShown() ? { ...live, resources: [network] } : live);
    },
    onWait: () => undefined,
  });
  return { awaited, reads };
}

test('what is waited for is looked for in its own list, and the whole account is read once it shows', async () => {
  const { awaited, reads } = await wait(3);
  expect(reads).toEqual(['account', 'list network', 'list network', 'list network', 'account']);
  expect(awaited.found.map(({ address }) => address)).toEqual([pending.address]);
});

test('what never shows is looked for once more in the whole account', async () => {
  const { awaited, reads } = await wait(Infinity);
  expect(reads.filter((one) => one === 'account').length).toBeLessThanOrEqual(4);
  expect(awaited.found).toEqual([]);
  expect(awaited.findings.map(({ code }) => code)).toEqual(['create-not-seen']);
});
