import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../src/api/errors/errors.ts';
import type { LiveOperation } from '../../../../src/model/account/operation.ts';
import { findResourceLock } from '../../../../src/execute/requests/send-command.ts';
import { createResourceLockHolders } from '../../../../src/execute/context/command-context.ts';
import { makeLive } from '../../../support/account.ts';

const web = 'projects.shop.vms.web';
const edge = 'projects.shop.publicIps.edge.forwards.https';
const place = { projectId: 'p-1' };
const vm = makeLive({
  projects: { 'p-1': { name: 'shop', vms: { 'vm-1': { name: 'web' } } } },
}).resources.find(({ kind }) => kind === 'vm')!;
const backup: LiveOperation = {
  ...{
    id: 'op-2',
    type: 'CreateBackup',
    status: 'InProgress',
    resourceType: 'vm',
    resourceId: 'vm-1',
  },
  ...{ createdAt: 5, completedAt: null, failureCode: null },
};
const ended: LiveOperation = { ...backup, id: 'op-1', status: 'Succeeded', completedAt: 4 };

function lockOf(read: () => Promise<readonly LiveOperation[]>, isKnown = true) {
  const holders = createResourceLockHolders();
  const addresses = new Map(isKnown ? [['vm-1', web]] : []);
  return {
    holders,
    find: (over?: AbortSignal) =>
      findResourceLock({ holders, addresses, client: { listOperations: read } }, vm, place, over),
  };
}

describe('what locks a resource', () => {
  it('is the change of this run whose request it takes part in, until that is over', async () => {
    const { holders, find } = lockOf(() => Promise.resolve([]));
    holders.hold(['vm-1', 'ip-1'], web);
    holders.hold(['vm-1'], edge);
    holders.release(['vm-1', 'ip-1'], web);
    expect(await find()).toEqual({ resource: web, by: { kind: 'change', address: edge } });
    holders.release(['vm-1'], edge);
    expect(await find()).toEqual({ resource: web });
  });

  it('is else the operation that has not ended', async () => {
    const { find } = lockOf(() =>
      Promise.resolve([{ ...backup, resourceId: 'vm-2' }, ended, backup]),
    );
    const by = { kind: 'operation', id: 'op-2', type: 'CreateBackup', since: 5 };
    expect(await find()).toEqual({ resource: web, by });
  });

  it('is not known where nothing tells, and that is no failure', async () => {
    const { find } = lockOf(() => Promise.resolve([ended]), false);
    expect(await find()).toEqual({});
    const request = { operation: 'listOperations', method: 'GET', url: '/v1' } as const;
    const lost = new ConnectionError(request, { reason: 'ECONNREFUSED', isLasting: false });
    expect(await lockOf(() => Promise.reject(lost)).find()).toEqual({ resource: web });
  });

  it('is not known when nobody waits for it any more', async () => {
    const over = AbortSignal.abort(new Error('over'));
    const { find } = lockOf(() => Promise.reject(over.reason as Error));
    expect(await find(over)).toEqual({ resource: web });
  });

  it('lets what is no error of the service through', async () => {
    const { find } = lockOf(() => Promise.reject(new TypeError('a bug')));
    await expect(find()).rejects.toThrow('a bug');
  });
});
