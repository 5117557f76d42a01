// The service's own OpenAPI file, where it publishes one: whether it has the operations that are known here. Only that is
// compared: what a body looks like is seen when it is read.
import type { HttpExchange } from '../../model/http.ts';
import type { Clock } from '../../model/runtime.ts';
import { routes } from '../contract/routes.ts';
import { rejectOnAbort } from './reject-on-abort.ts';
import { isJsonObject } from '../../model/json-object.ts';

/**
 * Difference between the OpenAPI file that a service publishes itself and the contract of this program: routes such as `GET
 * /projects/{}`.
 */
export interface ServiceContractDifference {
  /** Operations that this program knows and the published OpenAPI file lacks. */
  readonly missing: readonly string[];
  /** Operations that the published OpenAPI file has and this program does not know. */
  readonly unknown: readonly string[];
}

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** A path without its version, which may also stand in the server's address, and without the names of parameters. */
function normalizePath(path: string): string {
  return path
    .replace(/^\/v\d+(?=\/|$)/, '')
    .replace(/\/+$/, '')
    .replaceAll(/\{[^{}]*\}/g, '{}');
}

const known = Object.values(routes).map(({ method, path }) => `${method} ${normalizePath(path)}`);

/** Number of the contract's operations. */
export const contractOperationCount = known.length;

/** Compares the parsed OpenAPI file of a service with the contract; undefined for a value that is no OpenAPI file. */
export function compareServiceOpenApiFile(
  document: unknown,
): ServiceContractDifference | undefined {
  if (!isJsonObject(document) || !isJsonObject(document.paths)) return undefined;
  if (!('openapi' in document) && !('swagger' in document)) return undefined;
  const published = Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => isJsonObject(item) && method in item)
      .map((method) => `${method.toUpperCase()} ${normalizePath(path)}`),
  );
  const ours = new Set(known);
  const theirs = new Set(published);
  return {
    missing: known.filter((one) => !theirs.has(one)),
    unknown: [...theirs].filter((one) => !ours.has(one)),
  };
}

/** Usual addresses of a published OpenAPI file, below the base address with and without the version. */
function listPlaces(baseUrl: string): readonly string[] {
  const root = baseUrl.replace(/\/v\d+$/, '');
  return [
    `${baseUrl}/openapi.json`,
    `${baseUrl}/openapi.yaml`,
    `${root}/openapi.json`,
    `${root}/openapi.yaml`,
    `${root}/docs/openapi.json`,
    `${root}/swagger/v1/swagger.json`,
  ];
}

const patienceMs = 10_000;
/** Largest OpenAPI file in bytes; such files have some hundred thousand. */
const largestFile = 8 * 1024 * 1024;

/** An OpenAPI file that the service publishes, with its difference from the contract. */
export interface ServiceOpenApiFile {
  readonly url: string;
  readonly difference: ServiceContractDifference;
}

/**
 * Looks for an OpenAPI file that the service publishes at one of the usual addresses, to compare it with the contract; undefined
 * where there is none. The access token is not sent.
 */
export async function findServiceOpenApiFile(
  baseUrl: string,
  { exchange, clock }: { exchange: HttpExchange; clock: Clock },
): Promise<ServiceOpenApiFile | undefined> {
  const patience = new AbortController();
  const rest = new AbortController();
  clock.sleep(patienceMs, rest.signal).then(
    () => patience.abort(),
    () => undefined,
  );
  const { signal } = patience;
  const read = async (url: string): Promise<ServiceOpenApiFile | undefined> => {
    const { status, text } = await exchange({
      url,
      method: 'GET',
      headers: {},
      signal,
      headersMs: patienceMs,
      bodyMs: patienceMs,
      largestBytes: largestFile,
    });
    if (status < 200 || status > 299) return undefined;
    const difference = compareServiceOpenApiFile(await parseDocument(text));
    return difference && { url, difference };
  };
  const over = rejectOnAbort(signal);
  over.catch(() => undefined);
  const look = (url: string) => Promise.race([read(url), over]).catch(() => undefined);
  const found = await Promise.all(listPlaces(baseUrl).map(look));
  rest.abort(new Error('found'));
  return found.find((one) => one !== undefined);
}

async function parseDocument(text: string): Promise<unknown> {
  if (text.trimStart().startsWith('{')) return JSON.parse(text);
  const { parse } = await import('yaml');
  const contract: unknown = parse(text);
  return contract;
}
