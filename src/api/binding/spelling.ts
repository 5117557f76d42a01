// The spelling of values at a service, member by member: its words, its units, its ids.
import type { Binding, FieldLine, Unit } from '../../model/account/binding.ts';
import { type MemberShape, recordBases, recordShapes } from '../contract/shapes.ts';
import { isRecord } from '../../model/wire/decode-fields.ts';
import { toExactNumber } from './exact-numbers.ts';
import { parsePointer, readAt, type Steps } from './pointer.ts';

/** A member of a record, and where it stands. */
export interface SpelledMember {
  readonly name: string;
  readonly shape: MemberShape;
  /** Undefined where it is nowhere, or nobody knows where. */
  readonly steps: Steps | undefined;
  /** True where one that is left out has no value. */
  readonly isNullWhenAbsent: boolean;
  /** Its unit in the contract's gigabytes. */
  readonly factor: number | undefined;
}

const gigabytes: Readonly<Record<Unit, number>> = {
  B: 1e-9,
  KB: 1e-6,
  MB: 1e-3,
  GB: 1,
  TB: 1e3,
  KiB: 2 ** -20,
  MiB: 2 ** -10,
  GiB: 1,
  TiB: 2 ** 10,
};

/** The spelling of values, read from a binding once. */
export class Spelling {
  readonly #binding: Binding;
  readonly #members = new Map<string, readonly SpelledMember[]>();
  readonly #isOwn = new Map<string, boolean>();

  constructor(binding: Binding) {
    this.#binding = binding;
  }

  /** The members of a record, with the lines of `owner`: the record itself, or the operation whose body it is. */
  membersOf(record: string, owner = record): readonly SpelledMember[] {
    const key = `${owner} ${record}`;
    const known = this.#members.get(key);
    if (known) return known;
    const { fields = {}, units = {} } = this.#binding;
    const base = recordBases[record];
    const lines = { ...(base && fields[base]), ...fields[owner] };
    const unitLines = { ...(base && units[base]), ...units[owner] };
    const members = Object.entries(recordShapes[record] ?? {}).map(([name, shape]) => {
      const line = Object.hasOwn(lines, name) ? lines[name] : undefined;
      const unit = Object.hasOwn(unitLines, name) ? unitLines[name] : undefined;
      return { name, shape, ...placeOf(name, line), factor: unit && gigabytes[unit] };
    });
    this.#members.set(key, members);
    return members;
  }

  /** A record of the service as the contract spells it. What is no record stays as it came. */
  readRecord(record: string, wire: unknown): unknown {
    if (this.#isSpelledAsOurs(record)) return wire;
    // The id of something may stand for all of it.
    if (wire === null || wire === undefined || Array.isArray(wire)) return wire;
    if (!isRecord(wire) && !this.membersOf(record).some(({ steps }) => steps?.length === 0)) {
      return wire;
    }
    const members = this.membersOf(record);
    const spelled = members.flatMap((member): [string, unknown][] => {
      const value = member.steps && readAt(wire, member.steps);
      if (value !== undefined) return [[member.name, this.#readValue(member, value)]];
      return member.isNullWhenAbsent ? [[member.name, null]] : [];
    });
    // A member that the contract does not know goes along: some of it is sent back as it came.
    const known = new Set(members.flatMap(({ name, steps = [] }) => [name, ...steps.slice(0, 1)]));
    const unknown = Object.entries(isRecord(wire) ? wire : {}).filter(([name]) => !known.has(name));
    return Object.fromEntries([...unknown, ...spelled]);
  }

  /** A value of the contract as the service spells it. */
  writeValue({ shape, factor }: Pick<SpelledMember, 'shape' | 'factor'>, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.writeValue({ shape, factor }, item));
    if (typeof value === 'number') return factor === undefined ? value : round(value / factor);
    if (typeof value !== 'string') return value;
    if (shape.type === 'id') return this.#isNumber(shape.of) ? toExactNumber(value) : value;
    if (shape.type !== 'enum') return value;
    const words = this.#wordsOf(shape.enum)[value];
    if (words === undefined) return value;
    const [word] = [words].flat();
    return word === 'open' ? undefined : word;
  }

  /** True where any id travels as a number. */
  get hasNumbers(): boolean {
    return Object.values(this.#binding.ids ?? {}).includes('number');
  }

  #readValue({ shape, factor }: SpelledMember, value: unknown): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => this.#readValue({ ...unplaced, shape, factor }, item));
    }
    switch (shape.type) {
      case 'record':
        return this.readRecord(shape.record, value);
      case 'enum':
        return this.#readWord(shape.enum, value);
      case 'number':
        return factor !== undefined && typeof value === 'number' ? round(value * factor) : value;
      case 'id':
        return typeof value === 'number' ? String(value) : value;
      default:
        return value;
    }
  }

  #readWord(name: string, value: unknown): unknown {
    if (typeof value !== 'string') return value;
    const word = value.toLowerCase();
    const ours = Object.entries(this.#wordsOf(name)).find(([, theirs]) =>
      [theirs].flat().some((one) => one !== 'open' && one.toLowerCase() === word),
    );
    return ours ? ours[0] : value;
  }

  #wordsOf(name: string): Readonly<Record<string, string | readonly string[]>> {
    return this.#binding.enums?.[name] ?? {};
  }

  #isNumber(record: string): boolean {
    const { ids = {} } = this.#binding;
    return (Object.hasOwn(ids, record) ? ids[record] : ids.default) === 'number';
  }

  /** True for a record of which nothing is spelled otherwise, down to the last one in it. */
  #isSpelledAsOurs(record: string): boolean {
    const known = this.#isOwn.get(record);
    if (known !== undefined) return known;
    const { fields = {}, units = {}, enums = {} } = this.#binding;
    const names = [record, recordBases[record] ?? record];
    const shapes = Object.values(recordShapes[record] ?? {});
    const isOwn =
      !names.some((name) => name in fields || name in units) &&
      shapes.every(
        (shape) =>
          (shape.type !== 'enum' || !(shape.enum in enums)) &&
          (shape.type !== 'record' || this.#isSpelledAsOurs(shape.record)),
      );
    this.#isOwn.set(record, isOwn);
    return isOwn;
  }
}

const unplaced = { name: '', steps: undefined, isNullWhenAbsent: false } as const;

function placeOf(
  name: string,
  line: FieldLine | undefined,
): Pick<SpelledMember, 'steps' | 'isNullWhenAbsent'> {
  if (line === undefined) return { steps: [name], isNullWhenAbsent: false };
  if (line === 'none' || line === 'open') return { steps: undefined, isNullWhenAbsent: false };
  const { at, absent } = typeof line === 'string' ? { at: line, absent: undefined } : line;
  return { steps: parsePointer(at), isNullWhenAbsent: absent === 'none' };
}

/** Without the dust of a multiplication. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}
