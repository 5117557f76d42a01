import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { RecordedResource } from '../../../src/kinds/recorded-resource.ts';
import type { ManagedResource } from '../../../src/model/state/state.ts';
import { fillUntoldAttributesFromState } from '../../../src/plan/reconcile/recall-untold.ts';
import { leaveUntold, makeLive } from '../../support/account.ts';
import { makeState, type MemoryEntry } from '../../support/memory.ts';

const live = makeLive({
  account: {},
  tokens: { 't-1': { expiresAt: Date.UTC(2026, 5, 1) }, 't-2': {} },
  projects: {
    'p-1': {
      name: 'shop',
      sshKeys: { 'k-1': { name: 'alice' } },
      networks: { 'n-1': { name: 'lan' } },
      publicIps: { 'ip-1': { forwards: { 'f-1': { publicPort: 443, vm: 'vm-1' } } }, 'ip-2': {} },
      vms: {
        'vm-1': { name: 'web', sshKeys: ['k-1'], networks: ['n-1'], publicIp: 'ip-1' },
        'vm-2': { name: 'db', publicIp: 'ip-2', plugins: ['ftp'] },
      },
    },
  },
});
const shop = 'projects.shop';
const resources: Readonly<Record<string, string | MemoryEntry>> = {
  account: 'account',
  'tokens.ends': 't-1',
  'tokens.stays': 't-2',
  [shop]: 'p-1',
  [`${shop}.sshKeys.alice`]: 'k-1',
  [`${shop}.networks.lan`]: 'n-1',
  [`${shop}.publicIps.edge`]: 'ip-1',
  [`${shop}.publicIps.edge.forwards.https`]: 'f-1',
  [`${shop}.vms.web`]: 'vm-1',
  [`${shop}.vms.db`]: {
    ...{ id: 'vm-2', allocatedPublicIpId: 'ip-2', attributes: { publicIp: 'new' } },
    entryIds: { image: 'img-ubuntu-24-04' },
  },
};
const state = makeState({ resources }, live);

test('what is untold of a resource is as the state has recorded it, but for what it does not record', () => {
  const all = [...live.projects, ...live.resources];
  const unknown = all.map((whole) => {
    const names = Object.keys(whole).filter((name) => !/^(kind|id|projectId)$/.test(name));
    const lost = names.filter((name) => {
      const recalled = fillUntoldAttributesFromState(
        leaveUntold(live, { [whole.id]: [name] }),
        state,
      );
      const found = [...recalled.projects, ...recalled.resources].find(({ id }) => id === whole.id);
      return !isDeepStrictEqual(Reflect.get(found ?? {}, name), Reflect.get(whole, name));
    });
    return [whole.id, lost];
  });
  const work = ['status', 'operation', 'operationStatus', 'bootStatus'];
  const times = ['createdAt', 'lastUsedAt'];
  expect(Object.fromEntries(unknown)).toEqual({
    account: ['notifications'],
    't-1': times,
    't-2': times,
    'p-1': [],
    'k-1': [],
    'n-1': ['status'],
    'ip-1': ['status', 'vmId'],
    'f-1': ['publicIpId', 'status'],
    // The addresses within its networks are the service's.
    'vm-1': [...work, 'networks'],
    'vm-2': work,
    // An address that came with a VM has no record of its own.
    'ip-2': ['status', 'address', 'vmId'],
  });
});

test('what is not recorded, or of what nobody knows the id, stays untold', () => {
  const attributes = { text: '', keys: ['known', 'unknown'], key: 'id:n-9' };
  const managed = { ...state.resources.get(shop), attributes } as ManagedResource;
  const idAt = (_kind: string, key: string) => (key === 'known' ? 'n-1' : undefined);
  const recorded = new RecordedResource(managed, live.catalog, idAt);
  const read = [
    ...[recorded.text('text'), recorded.number('text'), recorded.texts('text')],
    ...[recorded.entry('text', 'images'), recorded.reference('text', 'network')],
    recorded.references('keys', 'network'),
  ];
  expect(read.every((one) => one === undefined)).toBe(true);
  expect(recorded.reference('key', 'network')).toBe('n-9');
});
