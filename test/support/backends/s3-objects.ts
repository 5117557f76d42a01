// What a server of S3 answers, as values: the objects of one bucket in memory, with conditional writes.
import { createHash } from 'node:crypto';

/** A request for one object, or for a listing. */
export interface S3Asked {
  readonly method: string;
  /** Of the object; empty for a listing. */
  readonly key: string;
  readonly body: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
}

/** What is answered. */
export interface S3Told {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How the server is. */
export interface S3Ways {
  /** Milliseconds since the Unix epoch; those of this machine unless given. */
  readonly now?: () => number;
  /** True: it writes whatever the condition says, as several servers do. */
  readonly ignoresConditions?: boolean;
  /** How many names a listing has at most; 1,000 unless given. */
  readonly pageSize?: number;
  /** The keys that a listing goes by; those of the objects that are there unless given. */
  readonly listKeys?: () => readonly string[] | undefined;
}

/** An object. */
export interface S3Object {
  readonly text: string;
  readonly etag: string;
  readonly at: Date;
}

/** By key. */
export type S3Objects = Map<string, S3Object>;

/** Does what is asked, at once. */
export function answerAsS3(objects: S3Objects, asked: S3Asked, ways: S3Ways = {}): S3Told {
  const date = new Date(ways.now?.() ?? Date.now()).toUTCString();
  const told = answer(objects, asked, ways);
  return { ...told, headers: { date, ...told.headers } };
}

function answer(objects: S3Objects, asked: S3Asked, ways: S3Ways): S3Told {
  if (asked.key === '') {
    return list(ways.listKeys?.() ?? [...objects.keys()], asked.query, ways.pageSize ?? 1_000);
  }
  const kept = objects.get(asked.key);
  switch (asked.method) {
    case 'GET':
      return kept
        ? {
            status: 200,
            text: kept.text,
            headers: { etag: kept.etag, 'last-modified': kept.at.toUTCString() },
          }
        : failAsS3(404, 'NoSuchKey');
    case 'PUT':
      return put(objects, asked, ways);
    case 'DELETE':
      objects.delete(asked.key);
      return { status: 204 };
    default:
      return failAsS3(405, 'MethodNotAllowed');
  }
}

function put(
  objects: S3Objects,
  { key, body, headers }: S3Asked,
  { ignoresConditions, now = Date.now }: S3Ways,
): S3Told {
  const kept = objects.get(key);
  const wanted = headers['if-match'];
  if (!ignoresConditions) {
    if (headers['if-none-match'] === '*' && kept) return failAsS3(412, 'PreconditionFailed');
    if (wanted !== undefined && !kept) return failAsS3(404, 'NoSuchKey');
    if (wanted !== undefined && wanted !== kept?.etag) return failAsS3(412, 'PreconditionFailed');
  }
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  objects.set(key, { text: body, etag, at: new Date(now()) });
  return { status: 200, headers: { etag } };
}

function list(all: readonly string[], query: URLSearchParams, pageSize: number): S3Told {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const keys = all.filter((key) => key.startsWith(prefix) && key > after).sort();
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

/** The answer that something failed. */
export const failAsS3 = (status: number, code: string): S3Told => ({
  status,
  text: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>It says ${code}</Message></Error>`,
});
