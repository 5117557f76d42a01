import { exchangeByFetch, type FetchHandler } from '../../src/api/transport/exchange-by-fetch.ts';
import type { Clock, Runtime } from '../../src/model/runtime.ts';

/** A network on which one function answers. */
export const networkOf = (fetch: FetchHandler, clock: Clock): Pick<Runtime, 'openNetwork'> => ({
  openNetwork: () => ({ exchange: exchangeByFetch(fetch, clock), close: () => undefined }),
});
