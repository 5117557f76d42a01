import type { Handlers } from './handler.ts';
import { findProject } from '../rules/lookups.ts';
import { statusCondition } from '../rules/operations.ts';
import { showPage } from './paging.ts';
import { notFound } from '../contract/problems.ts';
import { showOperation } from '../representations/representations.ts';
import { tables } from '../store/rows.ts';

/** Operation records, newest first: where the outcome of asynchronous work is judged. */
export const operationHandlers = {
  listOperations: (call) => {
    const { store, rules, now, query } = call;
    const { id } = findProject(call, call.params.projectId);
    const status = query.status && statusCondition(query.status, now, rules.recordLagMs);
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
        : store.count(tables.operations, where, ...values);
    return showPage(call, query, totalCount, (limit, offset) =>
      store
        .select(
          tables.operations,
          `${where} ORDER BY seq DESC LIMIT ? OFFSET ?`,
          ...values,
          limit,
          offset,
        )
        .map((operation) => showOperation(call, operation)),
    );
  },

  getOperation: (call) => {
    const { projectId, operationId } = call.params;
    findProject(call, projectId);
    const operation = call.store.first(tables.operations, { id: operationId, projectId });
    if (!operation || call.rules.unrecordedTypes.includes(operation.type)) {
      throw notFound('operation', operationId);
    }
    return showOperation(call, operation);
  },
} satisfies Partial<Handlers>;
