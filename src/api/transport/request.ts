import { routes } from '../contract/routes.ts';
import type { WireRequest } from '../contract/types.ts';
import { UnusableIdError } from '../errors/errors.ts';
import { isUsableId } from '../../model/wire/usable-id.ts';

/**
 * The address of a request: an id is one segment of its path, whatever it holds.
 * @throws UnusableIdError for an id that would change the path
 */
export function buildUrl(
  baseUrl: string,
  { operation, params, query = {} }: Pick<WireRequest, 'operation' | 'params' | 'query'>,
): string {
  const values: Readonly<Record<string, string>> = params;
  const { method, path: template } = routes[operation];
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    if (!isUsableId(value)) {
      throw new UnusableIdError({ operation, method, url: template }, name, value);
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
