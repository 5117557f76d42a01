import type { Call } from './call.ts';
import { routes } from '../contract/routes.ts';
import type { Caller } from '../wire/reading.ts';
import { buildUrl } from './request.ts';
import { sendOnce, type TransportOptions } from './transport.ts';

/**
 * A caller that asks once and gives up: for looking whether the service answers, where `createClient` would keep on
 * trying. It only reads.
 */
export function createOneTimeCaller(baseUrl: string, options: TransportOptions): Caller {
  const call: Call = (request, { signal } = {}) => {
    const { operation } = request;
    const { method } = routes[operation];
    const url = buildUrl(baseUrl, request);
    return sendOnce({ operation, method, url, body: undefined }, options, signal);
  };
  return { call };
}
