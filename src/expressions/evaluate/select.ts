import { describeType, toCel } from './cel-values.ts';
import { ExpressionError, type ExpressionRange } from '../parse/expression-fault.ts';
import type { ExpressionNode } from '../parse/parse-expression.ts';
import { NameTree, Unknown } from '../values/scope.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';

/** Finds a key with a `-` that begins with a name: in an expression, the `-` reads as a subtraction. */
export function findDashedKey(name: string, known: readonly string[]): string | undefined {
  return known.find((one) => one.startsWith(`${name}-`));
}

/**
 * Creates the error for a name that does not exist, with the name that was probably meant. `below` is the value in
 * which it was looked for.
 */
export function createUnknownNameError(
  name: string,
  below: string,
  known: readonly string[],
  range: ExpressionRange,
): ExpressionError {
  const meant = suggestNearestName(name, known);
  const list =
    known.length > 0
      ? `Use one of ${formatNameList(known)}.`
      : 'Remove the reference: nothing is defined there.';
  const dashed = findDashedKey(name, known);
  const hint =
    dashed !== undefined && below !== ''
      ? `Write \`${below}["${dashed}"]\` for a key with a \`-\`.`
      : meant === undefined
        ? list
        : `Did you mean \`${meant}\`?`;
  return new ExpressionError(
    'unknown-name',
    below === '' ? `There is no name \`${name}\`` : `\`${below}\` has no \`${name}\``,
    hint,
    range,
  );
}

function selectFromList(list: readonly unknown[], key: unknown, range: ExpressionRange): unknown {
  if (typeof key !== 'bigint') {
    throw new ExpressionError(
      'expression-type',
      `A list is read by a whole number, not by ${describeType(key)}`,
      'Write for example `list[0]`; the first item has the number 0.',
      range,
    );
  }
  if (key >= 0n && key < BigInt(list.length)) return list[Number(key)];
  throw new ExpressionError(
    'unknown-name',
    `The list has no item ${String(key)}`,
    list.length === 0
      ? 'Check its length first: the list is empty.'
      : `Use an index below ${list.length}: items count from 0.`,
    range,
  );
}

/** Range of the key alone, for faults: `.name` without its dot, `[0]`. */
function rangeOfKey(node: ExpressionNode): ExpressionRange {
  if (node.op === '.') return { start: node.pos, end: node.end };
  return node.op === '[]' ? { start: node.args[0].end, end: node.end } : node;
}

/** Selects the value under a key. `below` is the base as the expression writes it. @throws ExpressionError */
export function selectMember(
  base: unknown,
  key: unknown,
  below: string,
  node: ExpressionNode,
): unknown {
  if (base instanceof Unknown) return base;
  if (key instanceof Unknown) return key;
  const range = rangeOfKey(node);
  if (Array.isArray(base)) return selectFromList(base, key, range);
  if (base instanceof NameTree) {
    const value = typeof key === 'string' ? base.get(key) : undefined;
    if (value !== undefined) return toCel(value);
    throw createUnknownNameError(String(key), below, base.keys(), range);
  }
  if (base instanceof Map) {
    const value: unknown = base.get(key);
    if (value !== undefined) return value;
    throw createUnknownNameError(String(key), below, [...base.keys()].map(String), range);
  }
  throw new ExpressionError(
    'expression-type',
    `\`${below}\` is ${describeType(base)}: there is nothing below it`,
    'Remove the part after it, or check the value.',
    range,
  );
}

/** Tells whether a value has a key, which is the result of `has()`. */
export function hasKey(base: unknown, key: string): boolean | Unknown {
  if (base instanceof Unknown) return base;
  if (base instanceof NameTree) {
    const value = base.keys().includes(key) ? base.get(key) : undefined;
    // A field that is not configured reads as null, so that `has()` is false for it.
    return value instanceof Unknown ? value : value !== undefined && value !== null;
  }
  return base instanceof Map && base.has(key);
}
