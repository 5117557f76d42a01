import { expect, it } from 'vitest';
import type { LiveOperation } from '../../../../src/model/account/operation.ts';
import { listUnexplainedRecordIds } from '../../../../src/kinds/recognise/unexplained-records.ts';

const sentAt = 60_000;
const attempt = {
  command: { kind: 'createNetwork', project: 'p', name: 'lan' } as const,
  ...{ knownIds: ['n-known'], serviceAt: sentAt },
};
const record = (more: Partial<LiveOperation> = {}): LiveOperation => ({
  ...{ id: 'op', type: 'CreateNetwork', status: 'Running', resourceType: 'network' },
  ...{ resourceId: 'n-new', createdAt: sentAt, completedAt: null, failureCode: null },
  ...more,
});

it.each<[string, Partial<LiveOperation>, boolean]>([
  ['is one of its type', {}, true],
  ['is one of an unpublished type: nothing says that it is another', { type: 'MakeV2' }, true],
  ['may not say of what kind it is', { resourceType: null }, true],
  ['may be of an unpublished kind', { resourceType: 'net' }, true],
  ['is not one of another published type', { type: 'DeleteNetwork' }, false],
  ['is not one of another kind', { type: 'Provision', resourceType: 'vm' }, false],
  ['names a resource', { resourceId: null }, false],
  ['names what was not there before', { resourceId: 'n-known' }, false],
  ['names what nothing explains', { resourceId: 'n-ours' }, false],
  ['was made since the sending', { createdAt: sentAt - 60_000 }, false],
  ['may not say when', { createdAt: null }, true],
])('a record that a lost create may have made: %s', (_what, more, isOne) => {
  const found = listUnexplainedRecordIds([record(more)], attempt, (id) => id === 'n-ours');
  expect(found).toEqual(isOne ? ['n-new'] : []);
});
