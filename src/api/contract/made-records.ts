import { operationIds } from './operation-ids.ts';
import type { OperationId } from './routes.ts';
import { recordShapes } from './shapes.ts';

/**
 * Record of the contract that a create operation makes, by operation. The contract answers only that the create was accepted, but
 * a service may answer with the record.
 */
export const createdRecordNames: Readonly<Partial<Record<OperationId, string>>> =
  Object.fromEntries(
    operationIds.flatMap((operation) => {
      const [, first = '', rest = ''] = /^create(.)(.*)$/.exec(operation) ?? [];
      const record = first.toLowerCase() + rest;
      return Object.hasOwn(recordShapes, record) ? [[operation, record] as const] : [];
    }),
  );
