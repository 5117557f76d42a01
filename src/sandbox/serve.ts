import { serve } from '@hono/node-server';
import type { AddressInfo } from 'node:net';

import type { Sandbox } from './sandbox.ts';

/** Where the sandbox listens, and how to stop it. */
export interface SandboxServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Stops listening and lets running requests end. The sandbox itself stays open. */
  close(): Promise<void>;
}

/** Serves the sandbox over HTTP, on the loopback interface unless told; port 0 takes a free one. */
export async function serveSandbox(
  sandbox: Sandbox,
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<SandboxServer> {
  const server = serve({ fetch: (request) => sandbox.fetch(request), hostname: host, port });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  const address = server.address() as AddressInfo;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return {
    baseUrl: `http://${shownHost}:${address.port}/v1`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        // An idle keep-alive connection would hold the server open.
        if ('closeIdleConnections' in server) server.closeIdleConnections();
      }),
  };
}
