import { getRequestListener } from '@hono/node-server';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DiagnosticError } from '../../model/errors.ts';

/** The API while it is being served. */
export interface ServedApi {
  /** Address that the API is served at: `http://127.0.0.1:8090`. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Listens for HTTP requests; `answer` also gets the IP address that each request comes from.
 * @throws DiagnosticError where the address is in use or not available
 */
export async function serveApi(
  answer: (request: Request, address: string) => Response | Promise<Response>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<ServedApi> {
  const listener = getRequestListener(async (request, { incoming }) =>
    answer(request, incoming.socket.remoteAddress ?? ''),
  );
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(explain(host, port, cause)));
    server.listen(port, host, resolve);
  });
  const { port: own } = server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    origin: `http://${shown}:${own}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

function explain(host: string, port: number, cause: Error): DiagnosticError {
  return new DiagnosticError(
    [
      {
        severity: 'error',
        code: 'cannot-listen',
        summary: `The server cannot listen on ${host}:${port}`,
        detail: cause.message,
        hint: 'Give another --port or --host.',
      },
    ],
    { cause },
  );
}
