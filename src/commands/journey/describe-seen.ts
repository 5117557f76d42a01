// Differences of the account before and after a step, in words: which changes the service shows, and which it leaves out.
import { isDeepStrictEqual } from 'node:util';
import type { LiveResource } from '../../model/account/live.ts';

/** Fields that tell nothing of a step. */
const constant: ReadonlySet<string> = new Set([
  ...['kind', 'id', 'projectId', 'createdAt', 'asRecorded'],
  ...['operation', 'operationStatus'],
]);
/** The longest text that is shown of a value. */
const longest = 40;

/**
 * The difference between two looks at a resource, a short text each: `bootStatus: Running -> Stopped`. Of one that is new, its
 * status, and the fields that the service does not tell.
 */
export function describeResourceDifferences(
  before: LiveResource | undefined,
  after: LiveResource | undefined,
): readonly string[] {
  if (!after) return ['the service does not show it'];
  const told: Readonly<Record<string, unknown>> = { ...after };
  const names = Object.keys(told).filter((name) => !constant.has(name));
  if (!before) {
    const untold = names.filter((name) => told[name] === undefined);
    return [
      'status' in told ? `status: ${describeShownValue(told.status)}` : 'it is listed',
      ...(untold.length > 0 ? [`untold: ${untold.join(', ')}`] : []),
    ];
  }
  const former: Readonly<Record<string, unknown>> = { ...before };
  const changed = names.filter((name) => !isDeepStrictEqual(former[name], told[name]));
  if (changed.length === 0) return ['no field changed'];
  return changed.map(
    (name) => `${name}: ${describeShownValue(former[name])} -> ${describeShownValue(told[name])}`,
  );
}

/** A value in words: a field that the answer lacks is untold; an empty list, or null, is none. */
export function describeShownValue(value: unknown): string {
  if (value === undefined) return 'untold';
  if (value === null) return 'none';
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map(describeShownValue).join(' ');
  if (typeof value === 'object') return Object.values(value).map(describeShownValue).join(' ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
