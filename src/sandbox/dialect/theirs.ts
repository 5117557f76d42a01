// The contract's values as a bound service has them, and back. The sandbox stands for that service: it reads the same binding
// as the engine, by code of its own, so that no mistake is made twice alike.
import type { Binding, FieldBindingLine } from '../../model/account/binding.ts';
import { type MemberShape, recordBases, recordShapes } from '../../api/contract/shapes.ts';

import { LongJsonNumber } from '../contract/long-numbers.ts';
import { findKindOfId } from '../store/ids.ts';

type Json = Readonly<Record<string, unknown>>;

/** Member of a record, as a dialect (the service's own spelling) has it. */
export interface DialectMember {
  readonly name: string;
  readonly shape: MemberShape;
  /** Pointer to the member in the service's record; undefined for one that the service lacks. */
  readonly at: string | undefined;
  readonly isLeftOutWhenNull: boolean;
  /** Size of the service's unit for the member, in gigabytes. */
  readonly unit: number;
}

const units: Readonly<Record<string, number>> = {
  B: 1 / 1000 ** 3,
  KB: 1 / 1000 ** 2,
  MB: 1 / 1000,
  GB: 1,
  TB: 1000,
  KiB: 1 / 1024 ** 2,
  MiB: 1 / 1024,
  GiB: 1,
  TiB: 1024,
};

/** Translates values between the contract's spelling and a dialect, for the sandbox. */
export class DialectTranslation {
  readonly #binding: Binding;

  constructor(binding: Binding) {
    this.#binding = binding;
  }

  /** Lists the members of a record; for the body of a request, `owner` is the operation whose lines describe it. */
  members(record: string, owner: string = record): readonly DialectMember[] {
    const base = recordBases[record];
    const linesOf = <T>(table: Readonly<Record<string, Readonly<Record<string, T>>>> = {}) => ({
      ...(base === undefined ? {} : table[base]),
      ...table[owner],
    });
    const fields = linesOf(this.#binding.fields);
    const counted = linesOf(this.#binding.units);
    return Object.entries(recordShapes[record] ?? {}).map(([name, shape]) => ({
      name,
      shape,
      at: pointerOf(name, fields[name]),
      isLeftOutWhenNull: typeof fields[name] === 'object' && fields[name].absent === 'none',
      unit: units[counted[name] ?? 'GB'] ?? 1,
    }));
  }

  /** Translates a record of the contract into the service's spelling. */
  answerRecord(record: string, ours: unknown): unknown {
    if (typeof ours !== 'object' || ours === null) return ours;
    const left = new Map<string, unknown>(Object.entries(ours));
    let theirs: unknown = {};
    for (const member of this.members(record)) {
      const value = left.get(member.name);
      left.delete(member.name);
      if (value === undefined || member.at === undefined) continue;
      if (value === null && member.isLeftOutWhenNull) continue;
      theirs = putValueAtJsonPointer(theirs, member.at, this.answerValue(member, value));
    }
    for (const [name, value] of left) theirs = putValueAtJsonPointer(theirs, `/${name}`, value);
    return theirs;
  }

  answerValue(member: Pick<DialectMember, 'shape' | 'unit'>, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.answerValue(member, item));
    const { shape, unit } = member;
    if (shape.type === 'record') return this.answerRecord(shape.record, value);
    if (typeof value === 'number') return unit === 1 ? value : tidy(value / unit);
    if (typeof value !== 'string') return value;
    if (shape.type === 'id') return this.#isNumber(shape.of, value) ? toNumber(value) : value;
    if (shape.type !== 'enum') return value;
    const word = this.#binding.enums?.[shape.enum]?.[value];
    return word === undefined || word === 'open' ? value : [word].flat()[0];
  }

  /** Translates a value of a request into the contract's spelling. */
  askedValue(member: Pick<DialectMember, 'shape' | 'unit'>, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.askedValue(member, item));
    const { shape, unit } = member;
    if (shape.type === 'id' && value !== null) {
      return this.#isNumber(shape.of, '') ? fromNumber(asDigits(value)) : value;
    }
    if (typeof value === 'number') return unit === 1 ? value : tidy(value * unit);
    if (shape.type !== 'enum' || typeof value !== 'string') return value;
    const words = Object.entries(this.#binding.enums?.[shape.enum] ?? {});
    const known = words.find(([, theirs]) => [theirs].flat().includes(value));
    // The service has its own words, and does not take those of the contract that it has others for.
    return known?.[0] ?? (words.some(([ours]) => ours === value) ? `not ${value}` : value);
  }

  /** Translates the id in a path or a query into the contract's. */
  askedId(of: string, text: string): string {
    // The id of any resource: only a whole number is the service's.
    const isNumber = of === 'resource' ? /^\d+$/.test(text) : this.#isNumber(of, text);
    return isNumber ? fromNumber(text) : text;
  }

  /** `id` is the sandbox's. A resource may be anything, and is numbered as that is. */
  #isNumber(of: string, id: string): boolean {
    const record = of === 'resource' ? (findKindOfId(id) ?? of) : of;
    return (this.#binding.ids?.[record] ?? this.#binding.ids?.default) === 'number';
  }
}

function pointerOf(name: string, line: FieldBindingLine | undefined): string | undefined {
  if (line === undefined) return `/${name}`;
  if (line === 'none' || line === 'open') return undefined;
  return typeof line === 'string' ? line : line.at;
}

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Reads the value at a JSON Pointer. */
export function readValueAtJsonPointer(value: unknown, pointer: string): unknown {
  const [step, ...rest] = stepsOf(pointer);
  if (step === undefined) return value;
  const inner = rest.map((one) => `/${one.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  if (step === '*') {
    return Array.isArray(value)
      ? value.map((item) => readValueAtJsonPointer(item, inner))
      : undefined;
  }
  const holder: unknown = value;
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, step)) {
    return undefined;
  }
  return readValueAtJsonPointer((holder as Json)[step], inner);
}

/** Returns a copy of a value in which the place of a JSON Pointer is set. */
export function putValueAtJsonPointer(target: unknown, pointer: string, value: unknown): unknown {
  return putAt(target, stepsOf(pointer), value);
}

function putAt(target: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (step === '*') {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.map((item, at) =>
      putAt(Array.isArray(target) ? target[at] : undefined, rest, item),
    );
  }
  const holder = new Map<string, unknown>(
    typeof target === 'object' && target !== null ? Object.entries(target) : [],
  );
  return Object.fromEntries(holder.set(step, putAt(holder.get(step), rest, value)));
}

/** Returns a copy of a value without the place of a JSON Pointer, and without the objects that are empty then. */
export function omitValueAtJsonPointer(target: unknown, pointer: string): unknown {
  const [step, ...rest] = stepsOf(pointer);
  if (step === undefined || typeof target !== 'object' || target === null) return undefined;
  const holder = new Map<string, unknown>(Object.entries(target));
  const inner =
    rest.length === 0 || rest[0] === '*'
      ? undefined
      : omitValueAtJsonPointer(holder.get(step), `/${rest.join('/')}`);
  if (inner === undefined) holder.delete(step);
  else holder.set(step, inner);
  return holder.size === 0 ? undefined : Object.fromEntries(holder);
}

const tidy = (value: number): number => Number(value.toFixed(9));

/** An id of the sandbox as a number, and one number for each: its bytes, behind a one. */
function toNumber(id: string): LongJsonNumber {
  return new LongJsonNumber(BigInt(`0x01${Buffer.from(id).toString('hex')}`).toString());
}

/** The id whose number that is; what is none stays as it is, and is found nowhere. */
function fromNumber(digits: string): string {
  if (!/^\d+$/.test(digits)) return `not a number: ${digits}`;
  const hex = BigInt(digits).toString(16);
  return hex.startsWith('1') && hex.length % 2 === 1
    ? Buffer.from(hex.slice(1), 'hex').toString()
    : digits;
}

/** The digits of a numeric id in a body; a text is not accepted. */
function asDigits(value: unknown): string {
  return value instanceof LongJsonNumber ? value.digits : JSON.stringify(value);
}
