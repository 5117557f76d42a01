import { operationIds } from './operation-ids.ts';
import type { OperationId } from './routes.ts';
import { recordShapes } from './shapes.ts';

/** The record that each create makes: the contract answers that it was accepted, and a service may answer the record. */
export const madeRecords: Readonly<Partial<Record<OperationId, string>>> = Object.fromEntries(
  operationIds.flatMap((operation) => {
    const [, first = '', rest = ''] = /^create(.)(.*)$/.exec(operation) ?? [];
    const record = first.toLowerCase() + rest;
    return Object.hasOwn(recordShapes, record) ? [[operation, record] as const] : [];
  }),
);
