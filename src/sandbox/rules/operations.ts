import type { WireApiOperationStatus } from '../../api/contract/types.ts';
import type { SandboxOperationEffects } from './effects.ts';
import { applyRowEffect } from './effects.ts';
import { createSandboxId } from '../store/ids.ts';
import { notifyOfEndedOperation } from './notifications.ts';
import { createLockedVmRefusal } from '../contract/problems.ts';
import type {
  SandboxOperationRow,
  SandboxOperationType,
  SandboxResourceType,
  SandboxVmRow,
} from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxContext } from '../store/world.ts';

/** An operation that the sandbox is about to start. */
export interface OperationStartInput extends SandboxOperationEffects {
  readonly type: SandboxOperationType;
  readonly projectId: string;
  readonly resourceType: SandboxResourceType;
  readonly resourceId: string;
  /** Id of the VM that is locked until the operation ends; absent for none. */
  readonly vmId?: string;
  /** Milliseconds that are added to the operation's usual duration. */
  readonly extraMs?: number;
}

/**
 * Starts an operation: from here on its course depends on the stored data and the clock alone, so that it continues
 * across restarts.
 */
export function startOperation(
  world: SandboxContext,
  undertaking: OperationStartInput,
): Omit<SandboxOperationRow, 'seq'> {
  const { store, rules, now } = world;
  const { type, projectId, resourceType, resourceId } = undertaking;
  const sequence = store.next('operation');
  const { queueMs, runMs } = rules.planDuration(type, sequence, rules);
  const operation = {
    id: createSandboxId(store, rules.seed, 'operation'),
    projectId,
    createdAt: now,
    commandId: createSandboxId(store, rules.seed, 'command'),
    type,
    resourceType,
    resourceId,
    vmId: undertaking.vmId ?? null,
    startsAt: now + queueMs,
    completesAt: now + queueMs + runMs + (undertaking.extraMs ?? 0),
    failureCode: rules.planFailure({ sequence, type, resourceType, resourceId }),
    effects: JSON.stringify({ success: undertaking.success, failure: undertaking.failure }),
    completedAt: null,
  };
  store.insert(sandboxTables.operations, operation);
  if (operation.vmId !== null) {
    store.update(sandboxTables.vms, { id: operation.vmId }, { operationId: operation.id });
  }
  return operation;
}

/** Tells whether an operation is due to end, by a single look at an index, so that `endDueOperations` has work to do. */
export function hasDueOperations({ store, now }: SandboxContext): boolean {
  const sql = 'SELECT min(completesAt) AS value FROM operations WHERE completedAt IS NULL';
  return (store.number(sql) ?? Infinity) <= now;
}

/** Ends every operation whose time has come, in the order of their ends. Runs inside a transaction. */
export function endDueOperations(world: SandboxContext): void {
  const { store, rules, now } = world;
  const clause = 'WHERE completedAt IS NULL AND completesAt <= ? ORDER BY completesAt, seq';
  for (const operation of store.select(sandboxTables.operations, clause, now)) {
    const effects = JSON.parse(operation.effects) as SandboxOperationEffects;
    const due = operation.failureCode === null ? effects.success : effects.failure;
    for (const effect of due) applyRowEffect(store, effect);
    store.update(
      sandboxTables.operations,
      { id: operation.id },
      { completedAt: operation.completesAt, effects: '' },
    );
    notifyOfEndedOperation(world, operation);
    rules.quotaLag?.note({ ...world, now: operation.completesAt });
  }
}

/** Refuses a change of a VM on which an operation runs (status 409; specification, section 3). */
export function refuseLockedVm({ store }: SandboxContext, vm: SandboxVmRow): void {
  const clause = 'WHERE vmId = ? AND completedAt IS NULL ORDER BY seq DESC LIMIT 1';
  const running = store.select(sandboxTables.operations, clause, vm.id)[0];
  if (running) throw createLockedVmRefusal(vm.id, running.type);
}

/** Finds the status of an operation, as a record that lags `lagMs` behind shows it. */
export function findOperationStatus(
  operation: SandboxOperationRow,
  now: number,
  lagMs: number,
): WireApiOperationStatus {
  const hasEnded = operation.completedAt !== null && operation.completedAt + lagMs <= now;
  if (hasEnded) return operation.failureCode === null ? 'Succeeded' : 'Failed';
  if (operation.startsAt > now) return 'Queued';
  return operation.type === 'CreateBackup' ? 'InProgress' : 'Running';
}

/** Builds the SQL condition that selects operations by the status that `findOperationStatus` gives them. */
export function buildOperationStatusSql(
  status: WireApiOperationStatus,
  now: number,
  lagMs: number,
): { clause: string; values: number[] } {
  const since = now - lagMs;
  const ended = { clause: '(completedAt IS NOT NULL AND completedAt <= ?)', values: [since] };
  // Without a lag nothing has ended in the future, and an index can answer.
  const running =
    lagMs === 0
      ? { clause: 'completedAt IS NULL', values: [] }
      : { clause: '(completedAt IS NULL OR completedAt > ?)', values: [since] };
  const join = (part: typeof ended, clause: string, ...values: number[]) => ({
    clause: `${part.clause} AND ${clause}`,
    values: [...part.values, ...values],
  });
  switch (status) {
    case 'Succeeded':
      return join(ended, 'failureCode IS NULL');
    case 'Failed':
      return join(ended, 'failureCode IS NOT NULL');
    case 'Queued':
      return join(running, 'startsAt > ?', now);
    case 'InProgress':
      return join(running, "startsAt <= ? AND type = 'CreateBackup'", now);
    case 'Running':
      return join(running, "startsAt <= ? AND type <> 'CreateBackup'", now);
  }
}
