// A server of S3 on a port of this machine, with one bucket: conditional writes, listings in pages, signatures. What it does
// to a request is told beforehand: a delay, an answer that is lost, an error.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
export interface S3DoubleOptions {
  readonly bucket?: string;
  readonly region?: string;
  readonly keys?: Keys;
  /** True: it writes whatever the condition says, as several servers do. */
  readonly ignoresConditions?: boolean;
  /** How many names a listing has at most; 1,000 unless given. */
  readonly pageSize?: number;
  /** How long each request takes; milliseconds. */
  readonly latencyMs?: number;
}

interface Kept {
  readonly text: string;
  readonly etag: string;
  readonly at: Date;
}

/** The server. */
export interface S3Double {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly keys: Keys;
  /** By key. */
  readonly objects: Map<string, Kept>;
  /** Every request, in the order in which they came. */
  readonly heard: readonly S3Request[];
  /** What happens to the requests that `fits`; undefined: nothing. Called before each is answered. */
  meet: (request: S3Request) => S3Mishap | undefined;
  close(): Promise<void>;
}

interface Told {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a server with an empty bucket. */
export async function openS3Double(options: S3DoubleOptions = {}): Promise<S3Double> {
  const heard: S3Request[] = [];
  const server = createServer((request, response) => {
    void receive(request).then(async (body) => {
      const asked = describe(request, body, double.bucket);
      if (options.latencyMs) await new Promise((done) => setTimeout(done, options.latencyMs));
      heard.push(asked);
      const mishap = double.meet(asked);
      if (mishap?.kind === 'request-lost' || mishap?.kind === 'late') request.socket.destroy();
      if (mishap?.kind === 'request-lost') return;
      if (mishap?.kind === 'late') await mishap.until;
      const told =
        mishap?.kind === 'answered'
          ? fail(mishap.status, mishap.code)
          : answer(double, asked, request, options);
      if (mishap?.kind === 'answer-lost') request.socket.destroy();
      if (request.socket.destroyed) return;
      response.writeHead(told.status, { 'content-type': 'application/xml', ...told.headers });
      response.end(told.text);
    });
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
    close: () => stop(server),
  };
  return double;
}

function answer(
  double: S3Double,
  asked: S3Request & { readonly target: string },
  request: IncomingMessage,
  options: S3DoubleOptions,
): Told {
  const headers = request.headers as Readonly<Record<string, string | undefined>>;
  const fault = findSignatureFault({ ...asked, headers }, double.keys, double.region);
  if (fault !== undefined) return fail(fault === 'AuthorizationHeaderMalformed' ? 400 : 403, fault);
  const url = new URL(asked.target, double.endpoint);
  if (!`${url.pathname}/`.startsWith(`/${double.bucket}/`)) return fail(404, 'NoSuchBucket');
  if (asked.key === '') return list(double, url.searchParams, options.pageSize ?? 1_000);
  const kept = double.objects.get(asked.key);
  switch (asked.method) {
    case 'GET':
      return kept
        ? {
            status: 200,
            text: kept.text,
            headers: { etag: kept.etag, 'last-modified': kept.at.toUTCString() },
          }
        : fail(404, 'NoSuchKey');
    case 'PUT':
      return put(double, asked, headers, options.ignoresConditions ?? false);
    case 'DELETE':
      double.objects.delete(asked.key);
      return { status: 204 };
    default:
      return fail(405, 'MethodNotAllowed');
  }
}

function put(
  { objects }: S3Double,
  { key, body }: S3Request,
  headers: Readonly<Record<string, string | undefined>>,
  ignoresConditions: boolean,
): Told {
  const kept = objects.get(key);
  const wanted = headers['if-match'];
  if (!ignoresConditions) {
    if (headers['if-none-match'] === '*' && kept) return fail(412, 'PreconditionFailed');
    if (wanted !== undefined && !kept) return fail(404, 'NoSuchKey');
    if (wanted !== undefined && wanted !== kept?.etag) return fail(412, 'PreconditionFailed');
  }
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  objects.set(key, { text: body, etag, at: new Date() });
  return { status: 200, headers: { etag } };
}

function list({ objects }: S3Double, query: URLSearchParams, pageSize: number): Told {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, pageSize);
  const isTruncated = keys.length > page.length;
  const contents = page.map((key) => `<Contents><Key>${encodeURIComponent(key)}</Key></Contents>`);
  const next = isTruncated
    ? `<NextContinuationToken>${(page.at(-1) ?? '').replaceAll('&', '&amp;')}</NextContinuationToken>`
    : '';
  return {
    status: 200,
    text: `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  };
}

function fail(status: number, code: string): Told {
  return {
    status,
    text: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>It says ${code}</Message></Error>`,
  };
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
