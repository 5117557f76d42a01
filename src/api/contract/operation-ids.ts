import { routes, type OperationId } from './routes.ts';

/** Names of all operations of the service's contract, in the contract's order. */
export const operationIds = Object.keys(routes) as readonly OperationId[];
