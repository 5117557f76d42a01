import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { defaultSandboxCatalog } from '../../../src/sandbox/store/catalog.ts';
import { decideOperationDuration } from '../../../src/sandbox/rules/durations.ts';
import {
  makeUpdateEffect,
  makeInsertEffect,
  makeDeleteEffect,
} from '../../../src/sandbox/rules/effects.ts';
import { computeSeededFraction, createSandboxId } from '../../../src/sandbox/store/ids.ts';
import type { OperationStartInput } from '../../../src/sandbox/rules/operations.ts';
import {
  hasDueOperations,
  findOperationStatus,
  endDueOperations,
  buildOperationStatusSql,
  startOperation,
} from '../../../src/sandbox/rules/operations.ts';
import type { OperationFailureCode, SandboxOperationRow } from '../../../src/sandbox/store/rows.ts';
import { sandboxTables } from '../../../src/sandbox/store/rows.ts';
import { findPaidUntil } from '../../../src/sandbox/rules/sales.ts';
import { SandboxStore } from '../../../src/sandbox/store/store.ts';
import type { SandboxContext } from '../../../src/sandbox/store/world.ts';
import { defaultNameLengths, defaultQuotas } from '../../../src/sandbox/store/world.ts';

let store: SandboxStore;
let failure: OperationFailureCode | null = null;

beforeEach(() => {
  store = new SandboxStore(':memory:');
  failure = null;
});

afterEach(() => store.close());

const worldAt = (now: number, recordLagMs = 0): SandboxContext => ({
  store,
  now,
  rules: {
    seed: 1,
    speed: 1,
    quotas: defaultQuotas,
    networkPrefix: 24,
    nameLengths: defaultNameLengths,
    catalog: defaultSandboxCatalog,
    duplicateNames: false,
    names: 'as-given',
    maxPageSize: 100,
    recordLagMs,
    unrecordedTypes: [],
    capacityLeft: {},
    quotaLag: null,
    planDuration: decideOperationDuration,
    planFailure: () => failure,
  },
});

const project = (name: string) => ({ id: name, name, createdAt: 0 });
const names = () => store.select(sandboxTables.projects, 'ORDER BY seq').map(({ name }) => name);

const work = (more: Partial<OperationStartInput>): OperationStartInput => ({
  type: 'CreateNetwork',
  projectId: 'p',
  resourceType: 'network',
  resourceId: 'n',
  success: [],
  failure: [],
  ...more,
});

describe('an operation', () => {
  it('changes nothing before it is due, and everything at once then', () => {
    store.insert(sandboxTables.projects, project('a'));
    const { completesAt } = startOperation(
      worldAt(0),
      work({
        success: [
          makeUpdateEffect('projects', { id: 'a' }, { name: 'b' }),
          makeInsertEffect('projects', project('c')),
          makeDeleteEffect('projects', { id: 'gone' }),
        ],
        failure: [makeDeleteEffect('projects', { id: 'a' })],
      }),
    );
    expect(hasDueOperations(worldAt(completesAt - 1))).toBe(false);
    endDueOperations(worldAt(completesAt - 1));
    expect(names()).toEqual(['a']);
    expect(hasDueOperations(worldAt(completesAt))).toBe(true);
    endDueOperations(worldAt(completesAt));
    expect(names()).toEqual(['b', 'c']);
    expect(hasDueOperations(worldAt(Number.MAX_SAFE_INTEGER))).toBe(false);
  });

  it('does what its failure does when it is to fail', () => {
    failure = 'internal';
    startOperation(
      worldAt(0),
      work({
        success: [makeInsertEffect('projects', project('good'))],
        failure: [makeInsertEffect('projects', project('bad'))],
      }),
    );
    endDueOperations(worldAt(60_000));
    expect(names()).toEqual(['bad']);
    expect(store.select(sandboxTables.notifications, 'ORDER BY seq')).toMatchObject([
      { kind: 'operationFailed', message: 'CreateNetwork of n failed: internal.' },
    ]);
  });

  it('ends in the order of the ends, whatever the order of the beginnings', () => {
    const end = (name: string) => ({ success: [makeInsertEffect('projects', project(name))] });
    startOperation(worldAt(0), work({ type: 'Provision', ...end('slow') }));
    startOperation(worldAt(0), work({ type: 'CreatePortForward', ...end('fast') }));
    startOperation(
      worldAt(100),
      work({ type: 'CreatePortForward', extraMs: 5000, ...end('middle') }),
    );
    endDueOperations(worldAt(3_600_000));
    expect(names()).toEqual(['fast', 'middle', 'slow']);
    const rows = store.select(sandboxTables.operations, 'ORDER BY seq');
    expect(rows.every((row) => row.completedAt === row.completesAt)).toBe(true);
  });

  it('is found by the very status that it shows', () => {
    for (const type of ['Provision', 'CreateBackup', 'Stop'] as const) {
      startOperation(worldAt(0), work({ type }));
      failure = failure === null ? 'timeout' : null;
    }
    const statuses = ['Queued', 'Running', 'InProgress', 'Succeeded', 'Failed'] as const;
    for (const lagMs of [0, 3000]) {
      for (const now of [0, 500, 1000, 7000, 12_000, 30_000, 60_000, 90_000]) {
        endDueOperations(worldAt(now));
        const rows = store.select(sandboxTables.operations, 'ORDER BY seq');
        for (const status of statuses) {
          const { clause, values } = buildOperationStatusSql(status, now, lagMs);
          const found = store.select(
            sandboxTables.operations,
            `WHERE ${clause} ORDER BY seq`,
            ...values,
          );
          const shown = rows.filter((row) => findOperationStatus(row, now, lagMs) === status);
          expect(found.map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
        }
      }
    }
  });

  it('shows every status in turn', () => {
    const row = {
      startsAt: 10,
      completesAt: 20,
      completedAt: null,
      type: 'Stop',
      failureCode: null,
    };
    const show = (now: number, more: Partial<SandboxOperationRow> = {}, lag = 0) =>
      findOperationStatus({ ...row, ...more } as SandboxOperationRow, now, lag);
    expect(show(9)).toBe('Queued');
    expect(show(10)).toBe('Running');
    expect(show(10, { type: 'CreateBackup' })).toBe('InProgress');
    expect(show(20, { completedAt: 20 })).toBe('Succeeded');
    expect(show(20, { completedAt: 20, failureCode: 'timeout' })).toBe('Failed');
    expect(show(22, { completedAt: 20 }, 3)).toBe('Running');
    expect(show(23, { completedAt: 20 }, 3)).toBe('Succeeded');
  });
});

describe('chance', () => {
  it('is the same for the same seed', () => {
    const rules = { seed: 3, speed: 1 };
    expect(decideOperationDuration('Provision', 5, rules)).toEqual(
      decideOperationDuration('Provision', 5, rules),
    );
    expect(decideOperationDuration('Provision', 5, rules)).not.toEqual(
      decideOperationDuration('Provision', 6, rules),
    );
    expect(computeSeededFraction(1, 'a')).not.toBe(computeSeededFraction(2, 'a'));
  });

  it('stays inside what is told of each operation', () => {
    for (let sequence = 1; sequence <= 200; sequence += 1) {
      const { queueMs, runMs } = decideOperationDuration('Provision', sequence, {
        seed: 1,
        speed: 10,
      });
      expect(queueMs).toBeLessThanOrEqual(100);
      expect(runMs).toBeGreaterThanOrEqual(2000);
      expect(runMs).toBeLessThanOrEqual(4000);
    }
    expect(decideOperationDuration('CreateBackup', 1, { seed: 1, speed: 1 }).queueMs).toBe(0);
  });

  it('never gives an id twice', () => {
    const ids = new Set<string>();
    for (let index = 0; index < 5000; index += 1) ids.add(createSandboxId(store, 1, 'vm'));
    expect(ids.size).toBe(5000);
    expect([...ids].every((id) => /^vm-[0-9a-z]{8}$/.test(id))).toBe(true);
  });
});

describe('a transaction', () => {
  it('keeps all or nothing', () => {
    expect(() =>
      store.transaction(() => {
        store.insert(sandboxTables.projects, project('a'));
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(names()).toEqual([]);
    expect(store.tally('account', 'projects')).toBe(0);
  });

  it('keeps every count in step with its rows', () => {
    store.insert(sandboxTables.projects, project('a'));
    store.insert(sandboxTables.projects, project('b'));
    store.delete(sandboxTables.projects, { id: 'a' });
    expect(store.tally('account', 'projects')).toBe(1);
  });
});

describe('a sale', () => {
  const sale = { seq: 1, id: 's', resourceType: 'vm', resourceId: 'v', createdAt: 0 } as const;
  const day = 86_400_000;

  it.each([
    ['trf-hourly', 3_600_000, 0, 3_600_000],
    ['trf-hourly', 3_600_000, 3_600_000, 7_200_000],
    ['trf-monthly', 31 * day, 31 * day - 1, 31 * day],
    ['trf-monthly', 31 * day, 31 * day, 59 * day],
    ['trf-yearly', 365 * day, 700 * day, 730 * day],
  ])('of %s first paid until %i is, at %i, paid until %i', (tariffId, first, now, end) => {
    const active = { ...sale, tariffId, renewal: 'active', paidUntil: first } as const;
    expect(findPaidUntil(worldAt(now), active)).toBe(end);
    expect(findPaidUntil(worldAt(now), { ...active, renewal: 'cancelled' })).toBe(first);
  });
});
