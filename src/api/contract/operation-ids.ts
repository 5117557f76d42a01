import { tableKeys } from '../../model/tables.ts';
import { routes } from './routes.ts';

/** Every operation of the contract, in its order. */
export const operationIds = tableKeys(routes);
