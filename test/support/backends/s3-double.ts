// A server of S3 on a port of this machine, with one bucket: conditional writes, listings in pages, signatures. What it does
// to a request is told beforehand: a delay, an answer that is lost, an error.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerAsS3, failAsS3, type S3Objects, type S3Told, type S3Ways } from './s3-objects.ts';
import { findSignatureFault, type Keys } from './s3-signature.ts';

/** What happens to one request. */
export type S3Mishap =
  /** It is done, and the connection is broken instead of an answer. */
  | { readonly kind: 'answer-lost' }
  /** It is never done, and the connection is broken. */
  | { readonly kind: 'request-lost' }
  /** The connection is broken at once, and it is done once that has come to pass. */
  | { readonly kind: 'late'; readonly until: Promise<unknown> }
  /** It is answered with an error, and never done. */
  | { readonly kind: 'answered'; readonly status: number; readonly code: string };

/** A request as it came. */
export interface S3Request {
  readonly method: string;
  /** Of the object; empty for a listing. */
  readonly key: string;
  readonly body: string;
}

/** How the server is set up. */
export interface S3DoubleOptions extends S3Ways {
  readonly bucket?: string;
  readonly region?: string;
  readonly keys?: Keys;
  /** How long each request takes; milliseconds. */
  readonly latencyMs?: number;
}

/** The server. */
export interface S3Double {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly keys: Keys;
  /** By key. */
  readonly objects: S3Objects;
  /** Every request, in the order in which they came. */
  readonly heard: readonly S3Request[];
  /** What happens to the requests that `fits`; undefined: nothing. Called before each is answered. */
  meet: (request: S3Request) => S3Mishap | undefined;
  /** The next so many listings show what is there now, without the newest objects of that number. */
  readonly lagLists: (count: number, newest?: number) => void;
  close(): Promise<void>;
}

/** Starts a server with an empty bucket. */
export async function openS3Double(options: S3DoubleOptions = {}): Promise<S3Double> {
  const heard: S3Request[] = [];
  let stale: { readonly keys: readonly string[]; left: number } | undefined;
  const listKeys = () => {
    if (!stale || stale.left === 0) return undefined;
    stale.left -= 1;
    return stale.keys;
  };
  const server = createServer((request, response) => {
    const answering = receive(request).then(async (body) => {
      const asked = describe(request, body, double.bucket);
      if (options.latencyMs) await new Promise((done) => setTimeout(done, options.latencyMs));
      heard.push(asked);
      const mishap = double.meet(asked);
      if (mishap?.kind === 'request-lost' || mishap?.kind === 'late') request.socket.destroy();
      if (mishap?.kind === 'request-lost') return;
      if (mishap?.kind === 'late') await mishap.until;
      const told =
        mishap?.kind === 'answered'
          ? failAsS3(mishap.status, mishap.code)
          : answer(double, asked, request, { ...options, listKeys });
      if (mishap?.kind === 'answer-lost') request.socket.destroy();
      if (request.socket.destroyed) return;
      response.writeHead(told.status, { 'content-type': 'application/xml', ...told.headers });
      response.end(told.text);
    });
    // The body was cut in half.
    answering.catch(() => request.socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const double: S3Double = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: options.bucket ?? 'infra',
    region: options.region ?? 'eu-central-1',
    keys: options.keys ?? { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret' },
    objects: new Map(),
    heard,
    meet: () => undefined,
    lagLists(left, newest = 0) {
      const keys = [...double.objects.keys()];
      stale = { keys: keys.slice(0, Math.max(0, keys.length - newest)), left };
    },
    close: () => stop(server),
  };
  return double;
}

function answer(
  double: S3Double,
  asked: S3Request & { readonly target: string },
  request: IncomingMessage,
  options: S3DoubleOptions,
): S3Told {
  const headers = request.headers as Readonly<Record<string, string | undefined>>;
  const fault = findSignatureFault({ ...asked, headers }, double.keys, double.region);
  if (fault !== undefined)
    return failAsS3(fault === 'AuthorizationHeaderMalformed' ? 400 : 403, fault);
  const url = new URL(asked.target, double.endpoint);
  if (!`${url.pathname}/`.startsWith(`/${double.bucket}/`)) return failAsS3(404, 'NoSuchBucket');
  const { searchParams: query } = url;
  return answerAsS3(double.objects, { ...asked, headers, query }, options);
}

function describe({ method = '', url = '' }: IncomingMessage, body: string, bucket: string) {
  const { pathname } = new URL(url, 'http://localhost');
  const key = decodeURIComponent(pathname).slice(bucket.length + 2);
  return { method, target: url, key, body };
}

async function receive(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}
