import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConnectionDropped } from '../faults/meet-faults.ts';
import { type SandboxAnswer, answerRefusal, type AskedRequest } from '../contract/answer.ts';
import { parseJsonBytes, readIncoming } from './body.ts';
import { RequestRefusal } from '../contract/problems.ts';

/**
 * Answers the requests of Node's own server. Where `answer` throws `ConnectionDropped` the connection is cut; anything
 * else that is thrown is a 500.
 */
export function answerIncoming(
  answer: (request: AskedRequest) => Promise<SandboxAnswer>,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const { method = 'GET', headers } = incoming;
    const url = addressOf(incoming);
    if (!url) {
      sendAnswer(answerRefusal(targetless, '*'), outgoing);
      return;
    }
    try {
      const answered = await answer({
        method,
        url,
        authorization: headers.authorization,
        readBody: async () => parseJsonBytes(await readIncoming(incoming), headers['content-type']),
        abandoned: () => abandonmentOf(outgoing),
      });
      sendAnswer(answered, outgoing);
    } catch (error) {
      if (error instanceof ConnectionDropped) incoming.socket.resetAndDestroy();
      else outgoing.writeHead(500).end();
    }
  };
}

/** Sends a whole answer. */
export function sendAnswer(
  { status, headers, text }: SandboxAnswer,
  outgoing: ServerResponse,
): void {
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  // A fault script may promise more than it gives.
  if (text !== null && !outgoing.hasHeader('content-length')) {
    outgoing.setHeader('Content-Length', Buffer.byteLength(text));
  }
  outgoing.writeHead(status).end(text ?? undefined);
}

/** URL of a request; undefined where it names no path. */
function addressOf({ url = '', headers }: IncomingMessage): URL | undefined {
  try {
    return new URL(url.startsWith('/') ? `http://${headers.host ?? 'sandbox'}${url}` : url);
  } catch {
    return undefined;
  }
}

const targetless = new RequestRefusal(400, 'malformed', 'This request is for no path.');

function abandonmentOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (outgoing.closed) controller.abort();
  else outgoing.once('close', () => controller.abort());
  return controller.signal;
}
