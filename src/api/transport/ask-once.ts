import type { ServiceCall } from '../wire/caller.ts';
import type { ServiceCaller } from '../wire/caller.ts';
import { prepareRequest } from './request.ts';
import { exchangeRequestOnce, type TransportOptions } from './transport.ts';

/**
 * A caller that asks once and gives up: for looking whether the service answers, where `createServiceClient` would keep on
 * trying. It only reads.
 */
export function createNoRetryCaller(baseUrl: string, options: TransportOptions): ServiceCaller {
  const { dialect } = options;
  const call: ServiceCall = (request, { signal } = {}) =>
    exchangeRequestOnce(
      { ...prepareRequest({ baseUrl, dialect }, request), body: undefined },
      options,
      signal,
    );
  return { call, dialect };
}
