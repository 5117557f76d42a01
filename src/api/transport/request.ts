import { untranslatedServiceDialect, type ServiceDialect } from '../binding/dialect.ts';
import type { WireRequest } from '../contract/types.ts';
import type { OutgoingRequest } from './transport.ts';

/** The service that requests go to, and its spelling. */
interface Destination {
  /** Base address of the service as `parseBaseUrl` returns it: it ends in `/v1`. */
  readonly baseUrl: string;
  readonly dialect?: ServiceDialect | undefined;
}

/** A request as it goes out. @throws OperationNotBoundError, UnusablePathIdError */
export function prepareRequest(
  { baseUrl, dialect = untranslatedServiceDialect }: Destination,
  request: WireRequest,
): OutgoingRequest {
  return { operation: request.operation, ...dialect.write(baseUrl, request) };
}
