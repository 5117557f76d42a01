import { expect, it } from 'vitest';
import type { LiveOperation } from '../../../src/model/account/operation.ts';
import { findUnshownResources } from '../../../src/live/find-unshown.ts';
import type { ManagedResource } from '../../../src/model/state/state.ts';
import { readList, readRows } from '../../support/read-rows.ts';
import { refusal } from '../api/fake-service.ts';

const now = 10_000_000;
const minute = 60_000;
const resource = (kind: ManagedResource['kind']): ManagedResource => ({
  ...{ address: `projects.p.${kind}`, kind, id: 'x-1', projectId: 'p-1' },
  ...{ attributes: {}, configured: [] },
});
const record = (type: string, more: Partial<LiveOperation> = {}): LiveOperation => ({
  ...{ id: `op-${type}`, type, status: 'Succeeded', resourceType: null, resourceId: 'x-1' },
  ...{ createdAt: now - minute, completedAt: now, failureCode: null },
  ...more,
});

const early = { createdAt: now - 60 * minute };
const records: Readonly<Record<string, LiveOperation>> = {
  ...{ created: record('CreateNetwork'), deleted: record('DeleteNetwork') },
  ...{ strange: record('MakeV2'), dropped: record('DropV2') },
  early: record('CreateNetwork', early),
  untimed: record('CreateNetwork', { createdAt: null }),
  other: record('CreateNetwork', { resourceId: 'x-2' }),
};

it.each(
  readRows(`
  and has just created | created | network | hidden
  and has just created, by an unpublished record | strange | network | hidden
  and has just deleted | deleted | network | gone
  and has created and deleted | deleted, created | network | gone
  where an unpublished record may be its deletion | dropped, created | network | gone
  and has created long ago | early | network | gone
  and has created nobody knows when | untimed | network | gone
  while it has just created another | other | network | gone
  and records nothing of |  | network | gone
  and withholds its records of | created | network | gone
  and is of a kind without records | created | sshKey | gone
  where it tells no time | created | network | gone
`),
)('what a service does not show %s: %s: %s: %s', async (what, names, kindName, fate) => {
  const kind = kindName as ManagedResource['kind'];
  const operations = readList(names).map((name) => records[name]!);
  const client = {
    serviceTime: () => (what === 'where it tells no time' ? undefined : now),
    listOperations: () =>
      what.includes('withholds') ? Promise.reject(refusal(403)) : Promise.resolve(operations),
  };
  const state = { resources: new Map([['projects.p', resource(kind)]]) };
  const found = await findUnshownResources(client, state, { projects: [], resources: [] });
  const createdAt = now - minute;
  const unshown = { createdAt, goneAt: createdAt + 15 * minute, leftMs: 14 * minute };
  expect(found).toEqual(fate === 'hidden' ? [{ resource: resource(kind), ...unshown }] : []);
});
