import { operationIds } from '../../api/contract/operation-ids.ts';
import type { OperationId } from '../../api/contract/routes.ts';
import { routes } from '../../api/contract/routes.ts';
import { computeSeededFraction } from '../store/ids.ts';
import type { FaultRuleCondition } from './script.ts';

/** A request with the facts that conditions of fault rules read. */
export interface ArrivedRequest {
  readonly method: string;
  /** Path of the request, relative to the base address. */
  readonly path: string;
  /** Operation of the request; undefined for a path that the contract does not have. */
  readonly operationId: OperationId | undefined;
  /** Milliseconds since the fault script was started. */
  readonly elapsedMs: number;
}

/** Counts of a fault rule: the requests that it matched, and those that it struck. */
export interface FaultRuleTally {
  readonly seen: number;
  readonly struck: number;
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A pattern of a path: `*` and `{name}` stand for one segment, a last `**` for any rest. */
function compilePattern(pattern: string): RegExp {
  const segments = pattern.split('/').map((segment) => {
    if (segment === '**') return '.*';
    if (/^\{\w+\}$/.test(segment)) return '[^/]+';
    return segment.split('*').map(escape).join('[^/]*');
  });
  return new RegExp(`^${segments.join('/').replace(/\/\.\*$/, '(?:/.*)?')}$`);
}

const patterns = new Map<string, RegExp>();

/** Tells whether a path matches a pattern, as fault rules and the contract spell patterns. */
export function isPathPatternMatch(pattern: string, path: string): boolean {
  const compiled = patterns.get(pattern) ?? compilePattern(pattern);
  patterns.set(pattern, compiled);
  return compiled.test(path);
}

/**
 * Finds the operation of the contract at a path. Of several, the one whose path ends in a literal segment wins, as in
 * the router.
 */
export function findContractOperation(method: string, path: string): OperationId | undefined {
  const found = operationIds.filter(
    (id) => routes[id].method === method && isPathPatternMatch(routes[id].path, path),
  );
  return found.find((id) => !routes[id].path.endsWith('}')) ?? found[0];
}

/** Tells whether a fault rule is about a request; only such requests are counted for `nth` and `every`. */
export function isRequestInFaultRule(
  condition: FaultRuleCondition,
  arrival: ArrivedRequest,
): boolean {
  const { operations, method, path, afterMs = 0, untilMs = Infinity } = condition;
  const { operationId, elapsedMs } = arrival;
  return (
    (operations === undefined || (operationId !== undefined && operations.includes(operationId))) &&
    (method === undefined || method === arrival.method) &&
    (path === undefined || isPathPatternMatch(path, arrival.path)) &&
    elapsedMs >= afterMs &&
    elapsedMs < untilMs
  );
}

/**
 * Decides whether a rule strikes; `seen` counts the request itself. The chance depends on the seed, the rule and the
 * count alone.
 */
export function isFaultRuleTriggered(
  condition: FaultRuleCondition,
  { seen, struck }: FaultRuleTally,
  chance: { readonly seed: number; readonly rule: number },
): boolean {
  const { nth, every = 1, probability = 1, times = Infinity } = condition;
  return (
    struck < times &&
    (nth?.includes(seen) ?? true) &&
    seen % every === 0 &&
    (probability === 1 ||
      computeSeededFraction(chance.seed, `fault:${chance.rule}:${seen}`) < probability)
  );
}
