import { expect, it } from 'vitest';
import type { LiveOperation } from '../../../src/model/account/operation.ts';
import { findUnshown } from '../../../src/live/find-unshown.ts';
import type { ManagedResource } from '../../../src/model/state/state.ts';

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

it.each<[string, LiveOperation[], ManagedResource['kind'], number | undefined, boolean]>([
  ['and has just created', [record('CreateNetwork')], 'network', now, true],
  ['and has just created, by an unpublished record', [record('MakeV2')], 'network', now, true],
  ['and has just deleted is gone', [record('DeleteNetwork')], 'network', now, false],
  [
    'and has created and deleted is gone',
    [record('DeleteNetwork'), record('CreateNetwork')],
    'network',
    now,
    false,
  ],
  [
    'is gone where an unpublished record may be its deletion',
    [record('DropV2'), record('CreateNetwork')],
    'network',
    now,
    false,
  ],
  [
    'and has created long ago is gone',
    [record('CreateNetwork', { createdAt: now - 60 * minute })],
    'network',
    now,
    false,
  ],
  [
    'and has created nobody knows when is gone',
    [record('CreateNetwork', { createdAt: null })],
    'network',
    now,
    false,
  ],
  [
    'while it has just created another is gone',
    [record('CreateNetwork', { resourceId: 'x-2' })],
    'network',
    now,
    false,
  ],
  ['and records nothing of is gone', [], 'network', now, false],
  ['and is of a kind without records is gone', [record('CreateNetwork')], 'sshKey', now, false],
  ['is gone where it tells no time', [record('CreateNetwork')], 'network', undefined, false],
])('what a service does not show: %s', async (_what, operations, kind, serviceTime, isHidden) => {
  const client = {
    serviceTime: () => serviceTime,
    listOperations: () => Promise.resolve(operations),
    get: () => Promise.resolve(undefined),
  };
  const state = { resources: new Map([['projects.p', resource(kind)]]) };
  const found = await findUnshown(client, state, { projects: [], resources: [] });
  const createdAt = now - minute;
  const unshown = { createdAt, goneAt: createdAt + 15 * minute, leftMs: 14 * minute };
  expect(found).toEqual(isHidden ? [{ resource: resource(kind), ...unshown }] : []);
});
