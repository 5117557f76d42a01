import type { SandboxHandlers } from './handler.ts';
import { findProjectRow } from '../rules/lookups.ts';
import { buildOperationStatusSql } from '../rules/operations.ts';
import { representListPage } from './paging.ts';
import { createNotFoundRefusal } from '../contract/problems.ts';
import { representOperation } from '../representations/representations.ts';
import { sandboxTables } from '../store/rows.ts';

/** Handlers of operation records, newest first, by which clients learn the outcome of asynchronous work. */
export const operationRecordHandlers = {
  listOperations: (call) => {
    const { store, rules, now, query } = call;
    const { id } = findProjectRow(call, call.params.projectId);
    const status = query.status && buildOperationStatusSql(query.status, now, rules.recordLagMs);
    const unrecorded = rules.unrecordedTypes;
    const conditions = [
      'projectId = ?',
      ...(query.resourceId === undefined ? [] : ['resourceId = ?']),
      ...(status ? [status.clause] : []),
      ...(unrecorded.length > 0 ? [`type NOT IN (${unrecorded.map(() => '?').join(', ')})`] : []),
    ];
    const values = [
      id,
      ...(query.resourceId === undefined ? [] : [query.resourceId]),
      ...(status ? status.values : []),
      ...unrecorded,
    ];
    const where = `WHERE ${conditions.join(' AND ')}`;
    const totalCount =
      conditions.length === 1
        ? store.tally(id, 'operations')
        : store.count(sandboxTables.operations, where, ...values);
    return representListPage(call, query, totalCount, (limit, offset) =>
      store
        .select(
          sandboxTables.operations,
          `${where} ORDER BY seq DESC LIMIT ? OFFSET ?`,
          ...values,
          limit,
          offset,
        )
        .map((operation) => representOperation(call, operation)),
    );
  },

  getOperation: (call) => {
    const { projectId, operationId } = call.params;
    findProjectRow(call, projectId);
    const operation = call.store.first(sandboxTables.operations, { id: operationId, projectId });
    if (!operation || call.rules.unrecordedTypes.includes(operation.type)) {
      throw createNotFoundRefusal('operation', operationId);
    }
    return representOperation(call, operation);
  },
} satisfies Partial<SandboxHandlers>;
