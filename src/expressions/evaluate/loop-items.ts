// The items of a loop, and the values of its variables.
import { compareTexts } from '../notation/letters.ts';
import { NameTree } from '../values/scope.ts';
import { toCel } from './cel-values.ts';
import type { EvaluationContext } from './evaluation-context.ts';

/** An item of a loop, with the values of the loop's variables. */
export interface LoopItem {
  /** The number of the item from 0, or the key of a map's entry. */
  readonly key: unknown;
  /** The item, or the value of the entry: worked out when it is read. */
  readonly value: unknown;
  /** Value of the variable in a loop with one variable: the item of a list, or the key of a map. */
  readonly alone: unknown;
}

/** Sorts the keys of a map in the order of `keys()`: numbers by their size, all others as texts. */
export function sortMapKeys(keys: Iterable<unknown>): unknown[] {
  return [...keys].sort((a, b) =>
    typeof a === 'bigint' && typeof b === 'bigint'
      ? Number(a - b)
      : compareTexts(String(a), String(b)),
  );
}

/** Lists the items of a loop over a list, or over a map by its sorted keys; undefined for any other value. */
export function listLoopItems(value: unknown): readonly LoopItem[] | undefined {
  if (Array.isArray(value)) {
    return value.map((item: unknown, at) => ({ key: BigInt(at), value: item, alone: item }));
  }
  if (!(value instanceof NameTree) && !(value instanceof Map)) return undefined;
  const read =
    value instanceof Map
      ? (key: unknown): unknown => value.get(key)
      : (key: unknown) => toCel(value.get(String(key)) ?? null);
  return sortMapKeys(value.keys()).map((key) => ({
    key,
    alone: key,
    get value() {
      return read(key);
    },
  }));
}

/** Adds a name to those of a context. */
export function addNameToContext(
  context: EvaluationContext,
  name: string,
  value: unknown,
): EvaluationContext {
  return { ...context, bindings: { name, value, outer: context.bindings } };
}

/** Builds the context of one item of a loop: of two variables, one is its key and one its value. */
export function bindLoopItem(
  context: EvaluationContext,
  [first = '', second]: readonly string[],
  item: LoopItem,
): EvaluationContext {
  if (second === undefined) return addNameToContext(context, first, item.alone);
  return addNameToContext(addNameToContext(context, first, item.key), second, item.value);
}
