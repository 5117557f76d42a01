// Who may come in: this machine alone, and only by a name that is its own. A page of another site could have a browser
// here ask by a name of that site which leads to 127.0.0.1 (DNS rebinding); the `Host` header gives it away.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { isIPv4, type AddressInfo } from 'node:net';
import { DiagnosticError } from '../../model/errors.ts';
import { answerWithRefusal, type SandboxAnswer, type SandboxRequest } from '../contract/answer.ts';
import { RequestRefusal } from '../contract/problems.ts';
import { ConnectionDroppedError } from '../faults/meet-faults.ts';
import type { SandboxPageSources } from '../pages/pages.ts';
import type { Sandbox } from '../sandbox.ts';
import { parseJsonBytes, readIncomingBodyBytes } from './body.ts';

/** A listening sandbox, with its addresses and a way to stop it. */
export interface SandboxServer {
  /** Base address of the sandbox: it ends in `/v1`. */
  readonly baseUrl: string;
  /** Stops listening and lets running requests end. The sandbox itself stays open. */
  close(): Promise<void>;
}

export interface SandboxListenOptions {
  /** Host to listen on: `localhost` or an address of the loopback interface; 127.0.0.1 unless given. */
  readonly host?: string;
  /** Port to listen on; 0 chooses a free one. */
  readonly port?: number;
}

/** Milliseconds that a running request may take when the server closes. */
const graceMs = 2000;

/** Milliseconds for which an idle connection is kept open. */
const keepAliveMs = 60_000;

/** Serves the sandbox over HTTP, together with its web pages. */
export async function serveSandbox(
  sandbox: Pick<Sandbox, 'answer'> & SandboxPageSources,
  options: SandboxListenOptions = {},
): Promise<SandboxServer> {
  const answer = answerNodeRequest(async (request) => {
    if (/^\/v1(?:\/|$)/.test(request.url.pathname)) return sandbox.answer(request);
    const { answerSandboxPageRequest } = await import('../pages/pages.ts');
    return answerSandboxPageRequest(sandbox, request) ?? sandbox.answer(request);
  });
  const listener = await listenOnLoopback(answer, options);
  return { baseUrl: `${listener.origin}/v1`, close: () => listener.close() };
}

/**
 * Listens on the loopback interface, and answers 421 to whoever comes by another name. Throws `DiagnosticError` for a
 * host that is not loopback.
 */
export async function listenOnLoopback(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
  { host = '127.0.0.1', port = 0 }: SandboxListenOptions,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const isV6 = host.includes(':');
  const shownHost = isV6 ? `[${host}]` : host;
  if (!isLoopback(shownHost)) throw exposed(host);
  const server = createServer((incoming, outgoing) => {
    if (isAddressed(incoming)) void answer(incoming, outgoing);
    else sendAnswer(answerWithRefusal(misdirected, pathOf(incoming)), outgoing);
  });
  // Longer than clients keep theirs: nobody sends into a connection that is just being closed.
  server.keepAliveTimeout = keepAliveMs;
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
    server.listen(port, host);
  });
  const address = server.address() as AddressInfo;
  return { origin: `http://${shownHost}:${address.port}`, close: () => closeServer(server) };
}

/** Tells whether a host, as a URL spells it, is this computer. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));

/** Tells whether `Host` names this machine and the port of the connection: a page of another site fails this (DNS rebinding). */
function isAddressed({ headers, socket }: IncomingMessage): boolean {
  const [, name = '', port = '80'] = /^(.*?)(?::(\d+))?$/.exec(headers.host ?? '') ?? [];
  return isLoopback(name.toLowerCase()) && Number(port) === socket.localPort;
}

const misdirected = new RequestRefusal(
  421,
  'misdirected',
  'This server answers to 127.0.0.1, localhost or [::1] with its own port only.',
);

/** Path of a request without parsing a URL: `Host` may be a text that no URL can have. */
const pathOf = ({ url = '/' }: IncomingMessage): string => url.replace(/\?.*$/, '');

const exposed = (host: string): DiagnosticError =>
  new DiagnosticError([
    {
      severity: 'error',
      code: 'cannot-listen',
      summary: `Cannot listen on ${host}: it is not a loopback address`,
      detail:
        'The live page shows the account without a token, so the sandbox serves this machine only.',
      hint: 'Give 127.0.0.1, ::1 or localhost. From another machine, use `ssh -L 8080:127.0.0.1:8080 HOST`.',
    },
  ]);

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    // A request that hangs on purpose would hold the server open for ever.
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close((error) => {
      clearTimeout(force);
      if (error) reject(error);
      else resolve();
    });
    // Closes idle keep-alive connections, which would keep the server from ending.
    server.closeIdleConnections();
  });
}

/**
 * Answers the requests of Node's own server. Where `answer` throws `ConnectionDroppedError` the connection is cut; anything
 * else that is thrown is a 500.
 */
export function answerNodeRequest(
  answer: (request: SandboxRequest) => Promise<SandboxAnswer>,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const { method = 'GET', headers } = incoming;
    const url = addressOf(incoming);
    if (!url) {
      sendAnswer(answerWithRefusal(targetless, '*'), outgoing);
      return;
    }
    try {
      const answered = await answer({
        method,
        url,
        authorization: headers.authorization,
        readBody: async () =>
          parseJsonBytes(await readIncomingBodyBytes(incoming), headers['content-type']),
        abandoned: () => abandonmentOf(outgoing),
      });
      sendAnswer(answered, outgoing);
    } catch (error) {
      if (error instanceof ConnectionDroppedError) incoming.socket.resetAndDestroy();
      else outgoing.writeHead(500).end();
    }
  };
}

/** Sends a whole answer. */
function sendAnswer({ status, headers, text }: SandboxAnswer, outgoing: ServerResponse): void {
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
