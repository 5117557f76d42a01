// A program that takes messages of the server: it checks their signature, as Standard Webhooks says it has to.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that came in. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What it was answered. */
  readonly status: number;
}

/** The program while it runs. */
export interface MessageReceiver {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly received: readonly Received[];
  /** What the next requests are answered, in their order; then 204. */
  readonly answers: { readonly status: number; readonly headers?: Record<string, string> }[];
  /** The messages that it took: the types, in their order, of one workspace where it is given. */
  taken(workspace?: string): readonly string[];
  close(): Promise<void>;
}

/** Starts it on loopback. */
export async function startMessageReceiver(): Promise<MessageReceiver> {
  const received: Received[] = [];
  const answers: { readonly status: number; readonly headers?: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, headers } = answers.shift() ?? { status: 204 };
      received.push({
        ...{ path: request.url ?? '', headers: request.headers as Record<string, string> },
        ...{ body: Buffer.concat(chunks).toString(), status },
      });
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    ...{ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, answers },
    taken: (workspace) =>
      received
        .filter(({ status }) => status < 300)
        .map(({ body }) => JSON.parse(body) as { type: string; data: { workspace?: string } })
        .filter(({ data }) => workspace === undefined || data.workspace === workspace)
        .map(({ type }) => type),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** True where a request was signed with a secret. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.${body}`;
  const wanted = createHmac('sha256', key).update(signed).digest();
  const given = Buffer.from((headers['webhook-signature'] ?? '').replace(/^v1,/, ''), 'base64');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
