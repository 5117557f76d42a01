import { routes, type OperationId } from '../../api/contract/routes.ts';
import { tableEntries } from '../../model/tables.ts';

/** First part of every path that the sandbox serves. */
const prefix = '/v1';

/** Operation of the contract that a request calls, by its method and its path. */
export interface FoundContractRoute {
  readonly operationId: OperationId;
  /** Values of the path's parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
}

interface Route {
  readonly operationId: OperationId;
  readonly method: string;
  readonly segments: readonly string[];
}

const isParam = (segment: string): boolean => segment.startsWith('{');
const countParams = ({ segments }: Route): number => segments.filter(isParam).length;

/** Routes by their number of segments; those with the fewest parameters come first. */
const byLength = new Map<number, Route[]>();
for (const [operationId, { method, path }] of tableEntries(routes)) {
  const segments = path.split('/').slice(1);
  const known = byLength.get(segments.length) ?? [];
  byLength.set(segments.length, [...known, { operationId, method, segments }]);
}
for (const some of byLength.values())
  some.sort((one, other) => countParams(one) - countParams(other));

/** Finds the operation of the contract for a method and a URL path; undefined where the contract has none. */
export function findContractRoute(
  method: string,
  pathname: string,
): FoundContractRoute | undefined {
  const given = splitPath(pathname);
  const route = given && matching(given).find((one) => one.method === method);
  if (!route) return undefined;
  const params = route.segments.flatMap((segment, index) =>
    isParam(segment) ? [[segment.slice(1, -1), decode(given[index] ?? '')] as const] : [],
  );
  return { operationId: route.operationId, params: Object.fromEntries(params) };
}

/** Lists the methods of a path; none where the contract has no such path. */
export function listPathMethods(pathname: string): readonly string[] {
  const given = splitPath(pathname);
  return given ? matching(given).map(({ method }) => method) : [];
}

/** Reads the first value of each name in a query string. */
export function readQueryParameters(search: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries([...search].toReversed());
}

/** Quotes the path of a request for messages, with percent-encoding decoded as far as the result is still a path. */
export function quoteRequestPath(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

function splitPath(pathname: string): readonly string[] | undefined {
  if (!pathname.startsWith(`${prefix}/`)) return undefined;
  return pathname.slice(prefix.length + 1).split('/');
}

function matching(given: readonly string[]): readonly Route[] {
  return (byLength.get(given.length) ?? []).filter(({ segments }) =>
    segments.every((segment, index) =>
      isParam(segment) ? given[index] !== '' : segment === given[index],
    ),
  );
}

/** Decodes a path segment; one with broken percent-encoding stays as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
