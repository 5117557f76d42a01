import { sandboxServer, type Exchange } from '../../model/http.ts';

/** An exchange, and whether the sandbox has answered by it: it can be served over the network, too. */
export interface RecognisedExchange {
  readonly exchange: Exchange;
  readonly isSandbox: () => boolean;
}

/** Watches who answers. What the sandbox makes up, as its prices are, is said to be assumed. */
export function recogniseSandbox(exchange: Exchange): RecognisedExchange {
  let isSandbox = false;
  return {
    exchange: async (request) => {
      const answer = await exchange(request);
      isSandbox ||= answer.headers.get('server') === sandboxServer;
      return answer;
    },
    isSandbox: () => isSandbox,
  };
}
