import type { OperationId } from '../../api/contract/routes.ts';
import type { PathParams, Query, RequestBody, ResponseBody } from '../../api/contract/types.ts';
import type { TokenRow } from '../store/rows.ts';
import type { SandboxWorld } from '../store/world.ts';

/** A request that has been authorized and validated, at its moment. */
export interface HandlerCall<Op extends OperationId> extends SandboxWorld {
  readonly params: PathParams<Op>;
  readonly query: Query<Op>;
  readonly body: RequestBody<Op>;
  /** The access token that the request came with. */
  readonly token: TokenRow;
}

/**
 * Does one operation and gives the body of its success, or throws a `RequestRefusal`. It runs inside a transaction:
 * refusing undoes what it has written.
 */
export type Handler<Op extends OperationId> = (call: HandlerCall<Op>) => ResponseBody<Op>;

/** A handler for every operation of the contract: it does not compile when one is missing. */
export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
