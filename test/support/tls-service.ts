// The service as it is in earnest: behind TLS, on a port of this machine.
import { getRequestListener } from '@hono/node-server';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { hurriedClock } from '../cli/hurried-clock.ts';
import type { SelfSigned } from './self-signed.ts';

/** A sandbox behind TLS. */
export interface TlsService {
  readonly baseUrl: string;
  readonly token: string;
  /** Each request that came through, with its `Authorization`. */
  readonly heard: (string | undefined)[];
  /** From here on, whoever connects is shown this certificate: somebody else has taken its place. */
  replaceBy(pair: SelfSigned): void;
  close(): Promise<void>;
}

/** Serves an empty account with a certificate for `localhost`; `more` may ask for one in return. */
export async function openTlsService(
  pair: SelfSigned,
  more: ServerOptions = {},
): Promise<TlsService> {
  const now = () => hurriedClock.now();
  const sandbox = await openSandbox({ dataFile: ':memory:', now, speed: 100_000, seed: 1 });
  const heard: (string | undefined)[] = [];
  const answer = getRequestListener((request) => sandbox.fetch(request));
  const server = createServer({ ...pair, ...more }, (request, response) => {
    heard.push(request.headers.authorization);
    void answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, done));
  return {
    baseUrl: `https://localhost:${(server.address() as AddressInfo).port}/v1`,
    token: sandbox.token,
    heard,
    replaceBy: (other) => server.setSecureContext({ ...other }),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      sandbox.close();
    },
  };
}
