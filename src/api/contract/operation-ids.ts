import { routes, type OperationId } from './routes.ts';

/** Every operation of the contract, in its order. */
export const operationIds = Object.keys(routes) as readonly OperationId[];
