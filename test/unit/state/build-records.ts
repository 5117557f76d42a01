import type { JournalRecord } from '../../../src/state/journal/records.ts';
import type { ManagedResource, PendingCreate, State } from '../../../src/model/state/state.ts';

/** A VM as the state remembers it. */
export function buildVm(local: string, overrides: Partial<ManagedResource> = {}): ManagedResource {
  return {
    address: `projects.shop.vms.${local}`,
    kind: 'vm',
    id: `vm-${local}`,
    projectId: 'p-1',
    attributes: { name: local, image: 'debian-12', networks: ['lan'] },
    configured: ['name', 'image', 'networks'],
    ...overrides,
  };
}

/** The intent to create the network of an address. */
export function buildIntent(local: string, knownIds: readonly string[] = ['n-1']): JournalRecord {
  return {
    kind: 'intent',
    address: `projects.shop.networks.${local}`,
    command: { kind: 'createNetwork', project: 'p-1', name: local },
    knownIds,
    configured: ['name'],
    at: 1_000,
  };
}

/** What such an intent leaves behind. */
export const buildPending = (local: string): PendingCreate => ({
  address: `projects.shop.networks.${local}`,
  command: { kind: 'createNetwork', project: 'p-1', name: local },
  knownIds: ['n-1'],
  at: 1_000,
  configured: ['name'],
});

export const buildNetwork = (local: string): ManagedResource => ({
  address: `projects.shop.networks.${local}`,
  kind: 'network',
  id: `n-${local}`,
  projectId: 'p-1',
  attributes: { name: local },
  configured: ['name'],
});

/** A whole run, with every kind of record in it. */
export const wholeRun: readonly JournalRecord[] = [
  { kind: 'begin', runId: 'r-1', version: '0.1.0', service: 'https://api.test/v1', at: 1 },
  buildIntent('lan'),
  { kind: 'accepted', address: 'projects.shop.networks.lan', commandName: 'createNetwork', at: 2 },
  { kind: 'bound', resource: buildNetwork('lan') },
  { kind: 'settled', resource: buildNetwork('lan') },
  { kind: 'settled', resource: buildVm('web["ä"]') },
  buildIntent('gone'),
  { kind: 'abandoned', address: 'projects.shop.networks.gone', reason: 'refused' },
  { kind: 'settled', resource: buildVm('old') },
  {
    kind: 'intent',
    address: 'projects.shop.vms.old',
    command: { kind: 'deleteVm', project: 'p-1', vm: 'vm-old' },
    at: 3,
  },
  { kind: 'removed', address: 'projects.shop.vms.old' },
  buildIntent('lost'),
  { kind: 'sighted', address: 'projects.shop.networks.lost', ids: ['net-9'] },
  { kind: 'timed', durations: { createNetwork: { meanMs: 3_000, deviationMs: 400 } } },
  { kind: 'end', runId: 'r-1', at: 4 },
];

/** A state as plain data, to compare. */
export function toPlain(state: State): unknown {
  const { lineage, serial, service, resources, pending, durations } = state;
  return {
    lineage,
    serial,
    service,
    resources: Object.fromEntries([...resources].sort()),
    pending: Object.fromEntries([...pending].sort()),
    ...(durations && { durations }),
  };
}

/** Ids that count up: `id-1`, `id-2` … */
export function countIds(): () => string {
  let last = 0;
  return () => `id-${++last}`;
}
