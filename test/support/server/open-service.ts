import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service on this machine that does the same with each request. */
export interface OneAnswerService {
  /** As a workspace takes it. */
  readonly baseUrl: string;
  readonly close: () => void;
}

/** Starts one. */
export async function openService(answer: RequestListener): Promise<OneAnswerService> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Too many requests, for so many seconds. */
export const refuseFor =
  (seconds: number): RequestListener =>
  (_, response) =>
    void response.writeHead(429, { 'retry-after': String(seconds) }).end();
