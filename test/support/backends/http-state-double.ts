// A server of Terraform's http protocol on a port of this machine, with one state. What it does to a request is told
// beforehand: a delay, an answer that is lost, an answer of a gateway.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  answerers,
  statePaths,
  type Asked,
  type Flavour,
  type FlavourOptions,
  type Kept,
  type Told,
} from './http-state-flavours.ts';

/** A request as it came, and its answer's status; 0 where none was sent. */
export interface Heard extends Asked {
  readonly headers: IncomingMessage['headers'];
  status: number;
}

/** What happens to one request. */
export type Mishap =
  /** It is done, and the connection is broken instead of an answer. */
  | { readonly kind: 'answer-lost' }
  /** It is never done, and the connection is broken. */
  | { readonly kind: 'request-lost' }
  /** The connection is broken at once, and it is done once that has come to pass. */
  | { readonly kind: 'late'; readonly until: Promise<unknown> }
  /** It is done and answered once that has come to pass. */
  | { readonly kind: 'delayed'; readonly until: Promise<unknown> }
  /** Somebody on the way answers, and it is never done. */
  | ({ readonly kind: 'answered'; readonly location?: string } & Told);

/** How the server is set up. */
export interface DoubleOptions extends FlavourOptions {
  readonly flavour?: Flavour;
  /** Who may ask; anybody unless given. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** How long each request takes; milliseconds. */
  readonly latencyMs?: number;
  /** Where the state is; an example of the flavour's unless given. */
  readonly path?: string;
}

/** The server. */
export interface HttpStateDouble extends Readonly<Kept> {
  readonly address: string;
  /** Every request, in the order in which they came. */
  readonly heard: readonly Heard[];
  /** Whoever asks is told that it is not allowed to. */
  isForbidden: boolean;
  /** Puts a state there, as another program does. */
  put(text: string | undefined): void;
  /** Removes the lock, as whoever keeps the server does. */
  dropLock(): void;
  /** Takes a copy of all that is there; what it returns puts that back, as a restore of the server does. */
  copy(): () => void;
  /** What happens to the next request with that method, and to those after it. */
  meet(method: string, ...mishaps: readonly Mishap[]): void;
  /** Called before each request is answered. */
  onRequest: (asked: Asked) => void;
  close(): Promise<void>;
}

/** Starts a server with no state. */
export async function openHttpStateDouble(options: DoubleOptions = {}): Promise<HttpStateDouble> {
  const { flavour = 'terraform' } = options;
  const path = options.path ?? statePaths[flavour];
  const kept: Kept = { versions: new Map(), latest: undefined, lock: undefined };
  const heard: Heard[] = [];
  const mishaps = new Map<string, Mishap[]>();
  const server = createServer((request, response) => {
    const answering = receive(request).then(async (body) => {
      const asked = describe(request, body);
      if (options.latencyMs) await new Promise((done) => setTimeout(done, options.latencyMs));
      const entry: Heard = { ...asked, headers: request.headers, status: 0 };
      heard.push(options.isForgetful ? { ...entry, body: '' } : entry);
      double.onRequest(asked);
      const mishap = mishaps.get(asked.method)?.shift();
      const answer = () =>
        refuse(request, body, { ...options, path }, double.isForbidden) ??
        answerers[flavour](kept, asked, options);
      if (mishap?.kind === 'request-lost' || mishap?.kind === 'late') request.socket.destroy();
      if (mishap?.kind === 'request-lost') return;
      if (mishap?.kind === 'delayed' || mishap?.kind === 'late') await mishap.until;
      const told = mishap?.kind === 'answered' ? mishap : answer();
      if (mishap?.kind === 'answer-lost') request.socket.destroy();
      if (request.socket.destroyed) return;
      entry.status = told.status;
      const location = mishap?.kind === 'answered' && mishap.location;
      response.writeHead(told.status, location ? { location } : {});
      response.end(told.status === 204 ? undefined : (told.text ?? ''));
    });
    // The body was cut in half.
    answering.catch(() => request.socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const double: HttpStateDouble = {
    address: `http://127.0.0.1:${port}${path}`,
    heard,
    get versions() {
      return kept.versions;
    },
    get latest() {
      return kept.latest;
    },
    get lock() {
      return kept.lock;
    },
    isForbidden: false,
    copy() {
      const before = { ...kept, versions: new Map(kept.versions) };
      return () => void Object.assign(kept, before, { versions: new Map(before.versions) });
    },
    put: (text) => void (kept.latest = text),
    dropLock: () => void (kept.lock = undefined),
    meet: (method, ...more) => mishaps.set(method, [...(mishaps.get(method) ?? []), ...more]),
    onRequest: () => undefined,
    close: () => close(server),
  };
  return double;

  function describe(request: IncomingMessage, body: string): Asked {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const isLock = pathname === `${path}/lock`;
    return { method: request.method ?? '', isLock, id: searchParams.get('ID'), body };
  }
}

/** What every server refuses before it looks at the state. */
function refuse(
  { headers, url = '' }: IncomingMessage,
  body: string,
  { credentials, path = '' }: DoubleOptions,
  isForbidden: boolean,
): Told | undefined {
  const { pathname } = new URL(url, 'http://localhost');
  if (![path, `${path}/lock`].includes(pathname)) {
    return { status: 404, text: 'no such page' };
  }
  if (credentials) {
    const { username, password } = credentials;
    const wanted = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (headers.authorization !== wanted) {
      return { status: 401, text: '{"message":"401 Unauthorized"}' };
    }
  }
  if (isForbidden) return { status: 403, text: '{"message":"403 Forbidden"}' };
  const sum = headers['content-md5'];
  const isWhole = sum === undefined || sum === createHash('md5').update(body).digest('base64');
  return isWhole ? undefined : { status: 400, text: 'the body is not what its sum says' };
}

async function receive(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
}
