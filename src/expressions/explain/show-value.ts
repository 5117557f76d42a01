import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { NameTree, Unknown } from '../values/scope.ts';
import { toCel } from '../evaluate/cel-values.ts';
import { sortMapKeys } from '../evaluate/loop-items.ts';

/** Function that does work and tells whether the work has read a sensitive value. */
export type TraceSensitivity = <T>(work: () => T) => {
  readonly value: T;
  readonly isSensitive: boolean;
};

/** The most characters of one value that a message shows. */
const maxLength = 160;
/** The most items of a list or a map that a message shows. */
const maxItems = 5;
const maxDepth = 3;

/**
 * Formats a CEL value on one line, as JSON where possible. Long values are cut, values known only after apply are named
 * as such, and sensitive ones are hidden. In a list, an element with a label is shown as that label.
 */
export function formatCelValue(value: unknown, trace: TraceSensitivity): string {
  const shown = showWithin(value, trace, 0);
  return shown.length > maxLength ? `${shown.slice(0, maxLength)}…` : shown;
}

function showWithin(value: unknown, trace: TraceSensitivity, depth: number): string {
  if (value instanceof Unknown) return '(known after apply)';
  if (typeof value === 'string') return JSON.stringify(cut(value));
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value);
  }
  if (Array.isArray(value)) return showList(value, trace, depth);
  if (value instanceof NameTree) {
    if (depth > 0 && value.label !== '') return value.label;
    const read = (key: string) => toCel(value.get(key) ?? null);
    return showMap(value.keys(), read, trace, depth);
  }
  if (value instanceof Map) {
    return showMap([...value.keys()], (key) => value.get(key) as unknown, trace, depth);
  }
  if (value instanceof Date) return value.toISOString();
  if (value instanceof UnsignedInt || value instanceof Duration) return String(value);
  return '(another value of CEL)';
}

/** Cuts a long text before it is processed, so that its length costs no time. */
function cut(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function showList(items: readonly unknown[], trace: TraceSensitivity, depth: number): string {
  if (depth >= maxDepth) return items.length === 0 ? '[]' : '[…]';
  const shown = items.slice(0, maxItems).map((item) => showWithin(item, trace, depth + 1));
  return `[${[...shown, ...countRest(items.length)].join(', ')}]`;
}

function showMap(
  keys: readonly unknown[],
  read: (key: never) => unknown,
  trace: TraceSensitivity,
  depth: number,
): string {
  if (depth >= maxDepth) return keys.length === 0 ? '{}' : '{…}';
  const shown = sortMapKeys(keys)
    .slice(0, maxItems)
    .map((key) => {
      const { value, isSensitive } = trace(() => read(key as never));
      const text = isSensitive ? '(sensitive value)' : showWithin(value, trace, depth + 1);
      return `${showKey(key)}: ${text}`;
    });
  return `{${[...shown, ...countRest(keys.length)].join(', ')}}`;
}

function showKey(key: unknown): string {
  if (typeof key !== 'string') return String(key);
  return /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(cut(key));
}

function countRest(length: number): readonly string[] {
  return length > maxItems ? [`… ${length - maxItems} more`] : [];
}
