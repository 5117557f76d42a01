import type { OperationId } from '../../api/contract/routes.ts';
import type { PathParams, Query, RequestBody, ResponseBody } from '../../api/contract/types.ts';
import type { SandboxTokenRow } from '../store/rows.ts';
import type { SandboxContext } from '../store/world.ts';

/** A request that has been authorized and validated, at its moment. */
export interface SandboxHandlerCall<Op extends OperationId> extends SandboxContext {
  readonly params: PathParams<Op>;
  readonly query: Query<Op>;
  readonly body: RequestBody<Op>;
  /** The access token that the request came with. */
  readonly token: SandboxTokenRow;
}

/**
 * Does one operation and gives the body of its success, or throws a `RequestRefusal`. It runs inside a transaction:
 * refusing undoes what it has written.
 */
export type SandboxHandler<Op extends OperationId> = (
  call: SandboxHandlerCall<Op>,
) => ResponseBody<Op>;

/** A handler for every operation of the contract: it does not compile when one is missing. */
export type SandboxHandlers = { readonly [Op in OperationId]: SandboxHandler<Op> };
