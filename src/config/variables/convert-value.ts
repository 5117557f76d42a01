// Conversion of a value to a type, as in Terraform: "5" becomes a number where a number is expected, and 5 a text.
import { isKnown, NameTree, Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import { makeSet } from '../../expressions/functions/sets.ts';
import { formatNumberWithoutExponent } from '../../expressions/notation/print-number.ts';
import type { Value } from '../../model/value.ts';
import { describeVariableType, type ObjectTypeMember, type VariableType } from './value-type.ts';

/** Keys and indexes that lead to a part of a value. */
export type ValuePath = readonly (string | number)[];

/** A part of a value that cannot be converted to the declared type. */
export interface ConversionProblem {
  readonly path: ValuePath;
  /** End of a sentence about the part: `must be a number`, `lacks the member …`. */
  readonly says: string;
}

/** Value converted to a variable's type, with the problems that were found; unknown parts stay unknown. */
export interface ConvertedValue {
  readonly value: ScopeValue;
  readonly problems: readonly ConversionProblem[];
}

type MapValue = Readonly<Record<string, ScopeValue>>;

/** Tells whether a value is a map. */
export function isMapValue(value: ScopeValue): value is MapValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof NameTree) &&
    !(value instanceof Unknown)
  );
}

const numeric = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Tells whether a whole number is so long that a JavaScript number would change its last digits. */
function isTooLong(value: ScopeValue): boolean {
  return (
    typeof value === 'string' && /^[-+]?\d+$/.test(value) && !Number.isSafeInteger(Number(value))
  );
}

function toNumber(value: ScopeValue): number | undefined {
  const isText = typeof value === 'string' && numeric.test(value);
  const number = isText ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function toText(value: ScopeValue): string | undefined {
  if (typeof value === 'number') return formatNumberWithoutExponent(value);
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}

function toBool(value: ScopeValue): boolean | undefined {
  if (value === true || value === 'true' || value === '1') return true;
  return value === false || value === 'false' || value === '0' ? false : undefined;
}

/** Converts a value to a variable's type part by part, and collects the problems. */
class Converter {
  readonly problems: ConversionProblem[] = [];

  convert(value: ScopeValue, type: VariableType, path: ValuePath): ScopeValue {
    // Null and values not known yet have no type, so they stay as they are.
    if (value === null || value instanceof Unknown) return value;
    switch (type.kind) {
      case 'any':
        return value;
      case 'string':
        return this.#orRefuse(toText(value), type, path);
      case 'number':
        if (!isTooLong(value)) return this.#orRefuse(toNumber(value), type, path);
        this.problems.push({ path, says: `must be a number up to ${Number.MAX_SAFE_INTEGER}` });
        return null;
      case 'bool':
        return this.#orRefuse(toBool(value), type, path);
      case 'list':
      case 'set':
        return this.#convertList(value, type, path);
      case 'tuple':
        return this.#convertTuple(value, type, path);
      case 'map':
        return this.#convertMap(value, type, path);
      case 'object':
        return this.#convertObject(value, type, path);
    }
  }

  #orRefuse(made: Value | undefined, type: VariableType, path: ValuePath): Value {
    if (made !== undefined) return made;
    this.#refuse(type, path);
    return null;
  }

  #refuse(type: VariableType, path: ValuePath): void {
    this.problems.push({ path, says: `must be ${describeVariableType(type)}` });
  }

  #convertList(
    value: ScopeValue,
    type: VariableType & { kind: 'list' | 'set' },
    path: ValuePath,
  ): ScopeValue {
    if (!Array.isArray(value)) return this.#orRefuse(undefined, type, path);
    const items = value.map((one, index) => this.convert(one, type.of, [...path, index]));
    const isWhole = this.problems.length === 0 && isKnown(items);
    return type.kind === 'set' && isWhole ? makeSet(items as readonly Value[]) : items;
  }

  #convertTuple(
    value: ScopeValue,
    type: VariableType & { kind: 'tuple' },
    path: ValuePath,
  ): ScopeValue {
    if (!Array.isArray(value)) return this.#orRefuse(undefined, type, path);
    const given = value;
    const { items } = type;
    if (given.length !== items.length) {
      this.problems.push({ path, says: `must be a list of length ${items.length}` });
      return null;
    }
    return items.map((one, index) => this.convert(given[index] ?? null, one, [...path, index]));
  }

  #convertMap(
    value: ScopeValue,
    type: VariableType & { kind: 'map' },
    path: ValuePath,
  ): ScopeValue {
    if (!isMapValue(value)) return this.#orRefuse(undefined, type, path);
    return collect(
      Object.entries(value).map(([key, one]) => [key, this.convert(one, type.of, [...path, key])]),
    );
  }

  /** Members that the type does not name are left out, as in Terraform. */
  #convertObject(
    value: ScopeValue,
    type: VariableType & { kind: 'object' },
    path: ValuePath,
  ): ScopeValue {
    if (!isMapValue(value)) return this.#orRefuse(undefined, type, path);
    const { members } = type;
    const missing = [...members].filter(
      ([name, { isOptional }]) => !isOptional && !Object.hasOwn(value, name),
    );
    if (missing.length > 0) {
      const list = missing.map(([name]) => `\`${name}\``).join(', ');
      const noun = missing.length === 1 ? 'the member' : 'the members';
      this.problems.push({ path, says: `lacks ${noun} ${list}` });
    }
    return collect(
      [...members].map(([name, member]) => {
        const given = Object.hasOwn(value, name) ? value[name] : undefined;
        return [name, this.#convertMember(given ?? null, member, [...path, name])];
      }),
    );
  }

  #convertMember(value: ScopeValue, member: ObjectTypeMember, path: ValuePath): ScopeValue {
    return value === null ? member.default : this.convert(value, member.type, path);
  }
}

function collect(entries: readonly (readonly [string, ScopeValue])[]): ScopeValue {
  return Object.assign(Object.create<Value>(null), Object.fromEntries(entries));
}

/** Converts a value to a variable's type; problems are returned, never thrown. */
export function convertToVariableType(value: ScopeValue, type: VariableType): ConvertedValue {
  const converter = new Converter();
  return { value: converter.convert(value, type, []), problems: converter.problems };
}
