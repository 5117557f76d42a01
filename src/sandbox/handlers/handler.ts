import type { OperationId } from '../../api/contract/routes.ts';
import type { PathParams, Query, RequestBody, ResponseBody } from '../../api/contract/types.ts';
import type { SandboxTokenRow } from '../store/rows.ts';
import type { SandboxContext } from '../store/world.ts';

/** Call of a handler: a request that was authorized and validated, at one moment. */
export interface SandboxHandlerCall<Op extends OperationId> extends SandboxContext {
  readonly params: PathParams<Op>;
  readonly query: Query<Op>;
  readonly body: RequestBody<Op>;
  /** The access token that the request came with. */
  readonly token: SandboxTokenRow;
}

/**
 * Carries out one operation and returns the body of a success, or throws a `RequestRefusal`. The handler runs inside a
 * transaction, so that a refusal undoes its writes.
 */
export type SandboxHandler<Op extends OperationId> = (
  call: SandboxHandlerCall<Op>,
) => ResponseBody<Op>;

/** A handler for every operation of the contract: it does not compile when one is missing. */
export type SandboxHandlers = { readonly [Op in OperationId]: SandboxHandler<Op> };
