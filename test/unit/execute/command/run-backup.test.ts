import { expect, test } from 'vitest';
import { ServiceError } from '../../../../src/api/errors/errors.ts';
import { findReusableRebuildBackup } from '../../../../src/execute/command/run-backup.ts';
import type { ManagedResource } from '../../../../src/model/state/state.ts';

const request = { operation: 'listOperations', method: 'GET', url: 'https://service' } as const;
const problem = { title: null, detail: null, code: null, errors: {} };
const refusal = { status: 403, problem, retryAfterMs: null, requestId: null };
const backup = { id: 'b', status: 'active', createdAt: 5_000, size: null, sourceImageId: null };
const managed: ManagedResource = {
  ...{ kind: 'vm', id: 'v', projectId: 'p', address: 'projects.p.vms.web' },
  ...{ attributes: {}, configured: [], references: [], dependsOn: [] },
  rebuildBackup: { id: 'b', at: 4_000 },
};

test.each([
  [false, 'b'],
  [true, undefined],
])(
  'where nobody tells whether the disk was overwritten since, and that must be known: %s, a backup is used again: %s',
  async (mustBeProven, id) => {
    const client = { listOperations: () => Promise.reject(new ServiceError(request, refusal)) };
    const found = findReusableRebuildBackup(client, managed, [backup], 6_000, { mustBeProven });
    expect((await found)?.id).toBe(id);
  },
);
