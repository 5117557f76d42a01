import { InternalError } from '../model/errors.ts';
import { type OperationId, routes } from './contract/routes.ts';
import type { PathParams, Query, RequestBody } from './contract/types.ts';

/** One request of the contract, its path parameters, query and body checked against it. */
export type WireRequest<Op extends OperationId = OperationId> = Op extends OperationId
  ? {
      readonly operation: Op;
      readonly params: Readonly<PathParams<Op>>;
      readonly query?: Readonly<Query<Op>>;
    } & ([RequestBody<Op>] extends [undefined]
      ? { readonly body?: undefined }
      : { readonly body: Readonly<RequestBody<Op>> })
  : never;

/**
 * The address of a request.
 * @throws InternalError for an id that would change the path: empty, `.` or `..`.
 */
export function buildUrl(
  baseUrl: string,
  { operation, params, query = {} }: Pick<WireRequest, 'operation' | 'params' | 'query'>,
): string {
  const values: Readonly<Record<string, string>> = params;
  const path = routes[operation].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    // `..` is not escaped by encodeURIComponent: it would turn the deletion of a VM into that of its project.
    if (value === undefined || value === '' || value === '.' || value === '..') {
      throw new InternalError(`${operation}: ${JSON.stringify(value ?? null)} cannot be ${name}`);
    }
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]: [string, unknown]): [string, string] => [
      name,
      String(value),
    ]),
  ).toString();
  return `${baseUrl.replace(/\/+$/, '')}${path}${search && `?${search}`}`;
}
