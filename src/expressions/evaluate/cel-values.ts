// Values on their way into CEL and out of it. Inside, whole numbers are BigInts and maps are Maps: a key of a plain
// object might be called `constructor`.
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { ExpressionError, type ExpressionRange } from '../parse/expression-fault.ts';
import { CelDouble, NameTree, Unknown, type ScopeValue } from '../values/scope.ts';

const converted = new WeakMap<object, unknown>();

/** Converts a value of a scope to its CEL form; lazy values stay lazy. */
export function toCel(value: ScopeValue): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Unknown || value instanceof NameTree) return value;
  if (value instanceof CelDouble) return value.value;
  const known = converted.get(value);
  if (known !== undefined) return known;
  const made: unknown = Array.isArray(value)
    ? value.map(toCel)
    : new Map(Object.entries(value).map(([key, one]) => [key, toCel(one)]));
  converted.set(value, made);
  return made;
}

/** Most values in one value, nested ones included: a few lists of lists can stand for billions. */
const maxSize = 250_000;

/** Size and first unknown of each value that has nothing lazy in it any more. */
const worked = new WeakMap<
  object,
  { readonly size: number; readonly unknown: Unknown | undefined }
>();

/** Counts the values within a value without lazy parts, itself included: 1 for a text or a number. */
export function countNestedValues(value: unknown): number {
  return isLazy(value) ? (worked.get(value)?.size ?? 1) : 1;
}

/** Finds the first unknown within a value without lazy parts; undefined when there is none. */
export function findUnknownIn(value: unknown): Unknown | undefined {
  if (value instanceof Unknown) return value;
  return isLazy(value) ? worked.get(value)?.unknown : undefined;
}

/** Notes that a new value has no lazy parts, so that it is not searched for them. @throws ExpressionError when it holds too much */
function settle<T extends object>(made: T, parts: readonly unknown[]): T {
  const size = parts.reduce<number>((sum, part) => sum + countNestedValues(part), 1);
  if (size > maxSize) {
    throw new ExpressionError(
      'expression-too-costly',
      'The expression makes a value that is too large',
      `Make it smaller: a value may hold ${maxSize} values, nested ones included.`,
    );
  }
  const unknown = parts.find((part) => findUnknownIn(part) !== undefined);
  worked.set(made, { size, unknown: findUnknownIn(unknown) });
  return made;
}

/** Evaluates all lazy parts of a value; unknown parts stay in their place. @throws ExpressionError */
export function resolveLazyValues(value: unknown): unknown {
  if (!isLazy(value) || worked.has(value) || value instanceof Unknown) return value;
  if (value instanceof NameTree) {
    const keys = value.keys();
    return settleMap(
      keys,
      keys.map((key) => resolveLazyValues(toCel(value.get(key) ?? null))),
    );
  }
  if (Array.isArray(value)) {
    const items = value.some(isLazy) ? value.map(resolveLazyValues) : value;
    return settle(items, items);
  }
  if (!(value instanceof Map)) return value;
  const values = [...value.values()];
  if (!values.some(isLazy)) return settle(value, values);
  return settleMap([...value.keys()], values.map(resolveLazyValues));
}

/** Evaluates all lazy parts of a value; the first unknown part when there is one. @throws ExpressionError */
export function forceLazyValue(value: unknown): unknown {
  const made = resolveLazyValues(value);
  return findUnknownIn(made) ?? made;
}

function settleMap(keys: readonly unknown[], values: readonly unknown[]): Map<unknown, unknown> {
  return settle(new Map(keys.map((key, index) => [key, values[index]])), values);
}

function isLazy(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Describes the type of a value in words with an article, for messages. */
export function describeType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'bigint':
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    default:
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'a list';
      return value instanceof Map || value instanceof NameTree ? 'a map' : 'another value of CEL';
  }
}

function refuseValue(summary: string, hint: string, range: ExpressionRange): ExpressionError {
  return new ExpressionError('expression-type', summary, hint, range);
}

function fromInteger(value: bigint, range: ExpressionRange): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw refuseValue(
    'The expression gives a number that is too large',
    'Use a number below 2 to the power of 53, or text.',
    range,
  );
}

function fromMap(map: ReadonlyMap<unknown, unknown>, range: ExpressionRange): ScopeValue {
  const object = Object.create<ScopeValue>(null);
  for (const [key, one] of map) object[String(key)] = fromWorkedOut(one, range);
  return object;
}

function fromWorkedOut(value: unknown, range: ExpressionRange): ScopeValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'bigint':
      return fromInteger(value, range);
    case 'number':
      if (Number.isFinite(value)) return value;
      throw refuseValue(
        'The expression gives no number',
        'Look for a division by 0.0 in it.',
        range,
      );
    default:
      break;
  }
  if (value === null || value instanceof Unknown) return value;
  if (Array.isArray(value)) return value.map((one) => fromWorkedOut(one, range));
  if (value instanceof Map) return fromMap(value, range);
  if (value instanceof UnsignedInt) return fromInteger(BigInt(String(value)), range);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Duration) return String(value);
  throw refuseValue(
    'The expression gives no text, number, list or map',
    'Turn bytes into text with `string()`, and compare a type: `type(x) == string`.',
    range,
  );
}

/**
 * Converts a CEL value to the form that the rest of the program uses; unknown parts stay in their place. @throws
 * ExpressionError for a value without such a form: bytes, a type
 */
export function fromCel(value: unknown, range: ExpressionRange): ScopeValue {
  return fromWorkedOut(resolveLazyValues(value), range);
}
