import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ConnectionDropped } from './faults/meet-faults.ts';
import type { Sandbox } from './sandbox.ts';

/** Where the sandbox listens, and how to stop it. */
export interface SandboxServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Stops listening and lets running requests end. The sandbox itself stays open. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** An address of this machine; the loopback interface unless told. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
}

/** How long a running request is waited for when the server closes, in ms. */
const graceMs = 2000;

/** How long an idle connection is kept, in ms. */
const keepAliveMs = 60_000;

/** Serves the sandbox over HTTP, and beside it the pages for people. */
export async function serveSandbox(
  sandbox: Sandbox,
  options: ListenOptions = {},
): Promise<SandboxServer> {
  const listener = await listen(async (request, incoming) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/v1' || pathname.startsWith('/v1/')) return sandbox.fetch(request);
    const { showPage } = await import('./pages/pages.ts');
    const page = await showPage(sandbox, request, { isLocal: isLoopback(incoming) });
    return page ?? sandbox.fetch(request);
  }, options);
  return { baseUrl: `${listener.origin}/v1`, close: () => listener.close() };
}

/** Listens, and cuts the connection where `answer` throws `ConnectionDropped`. */
export async function listen(
  answer: (request: Request, incoming: IncomingMessage) => Promise<Response>,
  { host = '127.0.0.1', port = 0 }: ListenOptions,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const listener = getRequestListener(async (request, { incoming }) => {
    const message = incoming as IncomingMessage;
    try {
      return await answer(request, message);
    } catch (error) {
      if (!(error instanceof ConnectionDropped)) throw error;
      message.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    }
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  // Longer than clients keep theirs: nobody sends into a connection that is just being closed.
  server.keepAliveTimeout = keepAliveMs;
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
    server.listen(port, host);
  });
  const address = server.address() as AddressInfo;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return { origin: `http://${shownHost}:${address.port}`, close: () => closeServer(server) };
}

const isLoopback = ({ socket }: IncomingMessage): boolean =>
  /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    // A request that hangs on purpose would hold the server open for ever.
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close((error) => {
      clearTimeout(force);
      if (error) reject(error);
      else resolve();
    });
    // An idle keep-alive connection would, too.
    server.closeIdleConnections();
  });
}
