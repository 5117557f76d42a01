// The spelling of values at a service, member by member: its words, its units, its ids.
import type { Binding, FieldBindingLine, SizeUnit } from '../../model/account/binding.ts';
import { type MemberShape, recordBases, recordShapes } from '../contract/shapes.ts';
import { toExactNumber } from './exact-numbers.ts';
import {
  parseJsonPointer,
  readAtJsonPointer,
  setObjectMember,
  type JsonPointerSteps,
} from './pointer.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** A member of a record with the place where this service has it. */
export interface BoundRecordMember {
  readonly name: string;
  readonly shape: MemberShape;
  /**
   * Path to the member in the service's record; undefined where the service lacks it, or the contract file leaves it
   * open.
   */
  readonly steps: JsonPointerSteps | undefined;
  /** Tells whether the service leaves a member out to say that it is null. */
  readonly isNullWhenAbsent: boolean;
  /** Factor from the service's unit to the contract's gigabytes. */
  readonly factor: number | undefined;
}

const gigabytes: Readonly<Record<SizeUnit, number>> = {
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

/** A reader of records: the members that stand anywhere, and each name that is taken from the record. */
interface RecordReader {
  readonly members: readonly (Pick<BoundRecordMember, 'name' | 'isNullWhenAbsent'> & {
    readonly steps: JsonPointerSteps;
    readonly read: (value: unknown) => unknown;
  })[];
  readonly known: ReadonlySet<string>;
  /** True where one member of the service stands for the whole record, as an id for a VM. */
  readonly isWhole: boolean;
}

/** Translates values between the contract and the service, by the lines of a contract file. */
export class BindingSpelling {
  readonly #binding: Binding;
  readonly #members = new Map<string, readonly BoundRecordMember[]>();
  readonly #isOwn = new Map<string, boolean>();
  readonly #readers = new Map<string, RecordReader | undefined>();

  constructor(binding: Binding) {
    this.#binding = binding;
  }

  /** The members of a record, with the lines of `owner`: the record itself, or the operation whose body it is. */
  membersOf(record: string, owner = record): readonly BoundRecordMember[] {
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
      // A number of which nobody knows the unit is as good as none.
      if (unit === 'open') return { name, shape, ...placeOf(name, unit), factor: undefined };
      return { name, shape, ...placeOf(name, line), factor: unit && gigabytes[unit] };
    });
    this.#members.set(key, members);
    return members;
  }

  /** Tells whether the body of an operation is spelled exactly as in the contract. */
  isWrittenAsOurs(record: string, operation: string): boolean {
    return this.membersOf(record, operation).every(({ name, steps, shape, factor }) => {
      const isInPlace = steps?.length === 1 && steps[0] === name && name !== '*';
      if (shape.type === 'enum' && Object.keys(this.#wordsOf(shape.enum)).length > 0) return false;
      if (shape.type === 'id' && this.#isNumber(shape.of)) return false;
      return isInPlace && factor === undefined;
    });
  }

  /** A record of the service as the contract spells it. What is no record stays as it came. */
  readRecord(record: string, wire: unknown): unknown {
    const reader = this.#readerOf(record);
    if (!reader) return wire;
    // A service may send only the id of a resource in the place of its record.
    if (wire === null || wire === undefined || Array.isArray(wire)) return wire;
    if (!isJsonObject(wire) && !reader.isWhole) return wire;
    const spelled: Record<string, unknown> = {};
    // A member that the contract does not know goes along: some of it is sent back as it came.
    const given = isJsonObject(wire) ? wire : {};
    for (const name of Object.keys(given)) {
      if (!reader.known.has(name)) setObjectMember(spelled, name, given[name]);
    }
    for (const { name, steps, isNullWhenAbsent, read } of reader.members) {
      const value = readAtJsonPointer(wire, steps);
      if (value !== undefined) spelled[name] = read(value);
      else if (isNullWhenAbsent) spelled[name] = null;
    }
    return spelled;
  }

  /** Translates a value of the contract into the service's spelling. */
  writeValue(
    { shape, factor }: Pick<BoundRecordMember, 'shape' | 'factor'>,
    value: unknown,
  ): unknown {
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

  /** Tells whether the service has any ids as JSON numbers, not strings. */
  get hasNumbers(): boolean {
    return Object.values(this.#binding.ids ?? {}).includes('number');
  }

  /** The reader of a record; undefined for one that is spelled as the contract's. Lists have thousands: it is found once. */
  #readerOf(record: string): RecordReader | undefined {
    if (this.#readers.has(record)) return this.#readers.get(record);
    const all = this.membersOf(record);
    const members = all.flatMap(({ name, steps, isNullWhenAbsent, shape, factor }) =>
      steps ? [{ name, steps, isNullWhenAbsent, read: this.#valueReader(shape, factor) }] : [],
    );
    const reader = this.#isSpelledAsOurs(record)
      ? undefined
      : {
          members,
          known: new Set(all.flatMap(({ name, steps = [] }) => [name, ...steps.slice(0, 1)])),
          isWhole: members.some(({ steps }) => steps.length === 0),
        };
    this.#readers.set(record, reader);
    return reader;
  }

  #valueReader(shape: MemberShape, factor: number | undefined): (value: unknown) => unknown {
    const one = this.#oneReader(shape, factor);
    if (!one) return (value) => value;
    const read = (value: unknown): unknown => (Array.isArray(value) ? value.map(read) : one(value));
    return read;
  }

  /** The reader of one value; undefined where each is as it came. */
  #oneReader(
    shape: MemberShape,
    factor: number | undefined,
  ): ((value: unknown) => unknown) | undefined {
    switch (shape.type) {
      case 'record':
        return (value) => this.readRecord(shape.record, value);
      case 'enum': {
        const ours = this.#readWords(shape.enum);
        if (ours.size === 0) return undefined;
        return (value) =>
          typeof value === 'string' ? (ours.get(value.toLowerCase()) ?? value) : value;
      }
      case 'number':
        if (factor === undefined) return undefined;
        return (value) => (typeof value === 'number' ? round(value * factor) : value);
      case 'id':
        return (value) => (typeof value === 'number' ? String(value) : value);
      default:
        return undefined;
    }
  }

  /** The contract's enum words by the service's words for them, in lower case for any spelling. */
  #readWords(name: string): ReadonlyMap<string, string> {
    const ours = new Map<string, string>();
    for (const [word, theirs] of Object.entries(this.#wordsOf(name))) {
      for (const one of [theirs].flat()) {
        // Two of the contract's words may share one word of the service; the first of them is read.
        if (one !== 'open' && !ours.has(one.toLowerCase())) ours.set(one.toLowerCase(), word);
      }
    }
    return ours;
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

function placeOf(
  name: string,
  line: FieldBindingLine | undefined,
): Pick<BoundRecordMember, 'steps' | 'isNullWhenAbsent'> {
  if (line === undefined) return { steps: [name], isNullWhenAbsent: false };
  if (line === 'none' || line === 'open') return { steps: undefined, isNullWhenAbsent: false };
  const { at, absent } = typeof line === 'string' ? { at: line, absent: undefined } : line;
  return { steps: parseJsonPointer(at), isNullWhenAbsent: absent === 'none' };
}

/** Rounds off the floating-point error that multiplying by a unit's factor leaves, as in 0.30000000000000004. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}
