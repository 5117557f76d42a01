// Requests of a bound service, and the operation of the contract that each is.
import type { Binding } from '../../model/account/binding.ts';
import { operationIds } from '../../api/contract/operation-ids.ts';
import { type OperationId, routes } from '../../api/contract/routes.ts';

/** Operation of the contract that a path of the dialect leads to. */
export interface DialectRouteMatch {
  readonly operationId: OperationId;
  /** Values of the path's parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
}

interface TheirRoute {
  readonly operationId: OperationId;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly literals: number;
}

/** Routes of a dialect: the paths of the service that its contract file describes. */
export class DialectRoutes {
  readonly #routes: readonly TheirRoute[];

  constructor({ operations = {} }: Binding) {
    this.#routes = operationIds
      .flatMap((operationId) => {
        const own = `${routes[operationId].method} ${routes[operationId].path}`;
        const line = operations[operationId] ?? own;
        return line === 'none' || line === 'open' ? [] : [toRoute(operationId, line)];
      })
      .sort((one, other) => other.literals - one.literals);
  }

  /** Finds every operation that a method and a path may mean, the one with the most literal path first. */
  find(method: string, path: string): readonly DialectRouteMatch[] {
    return this.#routes.flatMap((route) => {
      const found = route.method === method ? route.pattern.exec(path) : null;
      if (!found) return [];
      const params = route.names.map((name, at) => [name, decode(found[at + 1] ?? '')] as const);
      return [{ operationId: route.operationId, params: Object.fromEntries(params) }];
    });
  }
}

function toRoute(operationId: OperationId, line: string): TheirRoute {
  const [method = '', path = ''] = line.split(' ');
  const names: string[] = [];
  const pattern = path
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      if (!part.startsWith('{')) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
      names.push(part.slice(1, -1));
      return '([^/]+?)';
    })
    .join('');
  const literals = path.split('/').filter((segment) => !segment.includes('{')).length;
  return { operationId, method, pattern: new RegExp(`^${pattern}$`), names, literals };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
