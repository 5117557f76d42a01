// The members of records and bodies, the words of enums, ids and units.
import type { FieldBindingLine } from '../../model/account/binding.ts';
import { type MemberShape, recordBases, recordShapes } from '../../api/contract/shapes.ts';
import type { ApiSchema } from '../document/document.ts';
import { listSchemaLeaves, type SchemaLeaf } from '../match/leaves.ts';
import type { RecordMemberMatcher } from '../match/match-members.ts';
import {
  resourceKindEnums,
  matchEnumWords,
  canEnumWordMean,
  replaceServiceNouns,
} from '../match/match-words.ts';
import type { NameWords } from '../vocabulary/words.ts';
import type { BindingFileDraft } from './draft.ts';
import { isSizeMember, isSizeUnitUnknown, readSizeUnit } from './size-units.ts';

/** Members that every record needs: without them no resource is recognised, so the contract file cannot say `none`. */
const essential = ['id', 'name', 'status'];

/** A record or request body of the contract that is matched with a schema of the document. */
export interface BoundRecordSource {
  readonly record: string;
  /** Kind of the resource that the record is about, where the record itself belongs to no kind. */
  readonly kind?: string;
  /** The operation that sends the body; absent for a record of an answer. */
  readonly owner?: string;
  readonly schema: ApiSchema | undefined;
  /** Members that this service takes in the path or the query, not in the body. */
  readonly moved?: readonly string[];
  /** Places of the body that parameters of the operation occupy, so that no member is matched with them. */
  readonly placed?: readonly string[];
  /** True for a record within another one, which is not spelled as whole answers are. */
  readonly isInner?: boolean;
}

/** Writes the lines of records, and keeps what their members tell of enums and ids. */
export class RecordBindingLines {
  readonly #draft: BindingFileDraft;
  readonly #matcher: RecordMemberMatcher;
  readonly #words = new Map<string, Set<string>>();
  readonly #ids = new Map<string, Set<'text' | 'number'>>();
  readonly #lines = new Map<string, Map<string, FieldBindingLine>>();
  readonly #read = new Set<string>();
  #power: ReadonlySet<string> = new Set();
  /** Names of the service for kinds of resources, as words of its enums may have them. */
  readonly #nouns: ReadonlyMap<string, NameWords>;
  /** Tells whether public IPs have no id but their address. */
  readonly #areAddressesIds: boolean;

  constructor(
    draft: BindingFileDraft,
    matcher: RecordMemberMatcher,
    nouns: ReadonlyMap<string, NameWords>,
    areAddressesIds: boolean,
  ) {
    this.#areAddressesIds = areAddressesIds;
    this.#nouns = nouns;
    this.#draft = draft;
    this.#matcher = matcher;
  }

  /** The places of a body that its members take. */
  read({
    record,
    kind,
    owner = record,
    schema,
    moved = [],
    placed = [],
    isInner = false,
  }: BoundRecordSource): readonly string[] {
    if (this.#read.has(owner)) return [];
    this.#read.add(owner);
    const isBody = owner !== record;
    const isDescribed =
      schema !== undefined && (schema.members.size > 0 || schema.type === 'string');
    const matched = isDescribed ? this.#matcher.match(record, schema, kind) : undefined;
    const taken: string[] = [];
    const ownLines = new Map<string, FieldBindingLine>();
    this.#lines.set(owner, ownLines);
    for (const [name, shape] of Object.entries(recordShapes[record] ?? {})) {
      if (moved.includes(name)) continue;
      // Members of the base record are in its lines: a record that nothing describes repeats none of them.
      if (!isDescribed && recordShapes[recordBases[record] ?? '']?.[name]) continue;
      const answered = this.#draft.findAnsweredPlace(owner, name);
      const leaf =
        answered === undefined
          ? matched?.bound.get(name)?.theirs
          : listSchemaLeaves(schema).find(({ pointer }) => pointer === answered);
      const known =
        isDescribed || isBody || isInner ? undefined : this.#spelledElsewhere(name, shape);
      if (known !== undefined) {
        this.#write(owner, name, known, 'all other records are so');
        continue;
      }
      const isSize = isSizeMember(owner, name, shape);
      const ram = matched?.bound.get('ram')?.theirs;
      const isUnsaid = isSize && (!leaf || isSizeUnitUnknown(name, leaf, ram));
      if (isUnsaid && answered !== undefined) this.#askUnit(owner, name);
      if (leaf && isUnsaid && answered === undefined) {
        const row = {
          is: 'open',
          why: 'nothing says its unit',
          candidates: [leaf.pointer],
        } as const;
        this.#draft.putIn('fields', owner, name, 'open', row);
        continue;
      }
      if (leaf && answered === undefined && this.#mayBeItself(name, shape, leaf)) {
        const why = 'it may be the thing itself, and not its id';
        const row = { is: 'open', why, candidates: [leaf.pointer] } as const;
        this.#draft.putIn('fields', owner, name, 'open', row);
        continue;
      }
      if (leaf) {
        taken.push(leaf.pointer);
        this.#learn(name, shape, leaf);
        this.#write(owner, name, this.#lineOf(shape, leaf, isBody), 'its name and type');
        if (isSize && !isUnsaid) this.#writeUnit(owner, name, leaf);
        if (shape.type === 'record') {
          const inner = leaf.schema.type === 'array' ? leaf.schema.items : leaf.schema;
          this.#readInner(shape.record, inner);
        }
        continue;
      }
      if (name === 'bootStatus' && this.#readPower(owner, matched?.bound.get('status')?.theirs))
        continue;
      const near = matched?.open.get(name)?.map(({ theirs }) => theirs) ?? matched?.left.get(name);
      const pointers = (near ?? []).flatMap(({ pointer }) =>
        placed.includes(pointer) ? [] : [pointer],
      );
      this.#writeMissing(owner, name, shape, { isDescribed, pointers, isBody });
    }
    return taken;
  }

  #mayBeItself(name: string, shape: MemberShape, leaf: SchemaLeaf): boolean {
    if (shape.type !== 'id' || name === 'id') return false;
    if (shape.of === 'publicIp' && this.#areAddressesIds) return false;
    return this.#matcher.isThingItself(shape.of, leaf);
  }

  /** Writes the lines of enums and ids, which need the matches of all records. */
  finish(): void {
    this.#writeIds();
    for (const [name, words] of this.#words) this.#writeWords(name, [...words]);
  }

  #writeWords(name: string, words: readonly string[]): void {
    const power = name === 'resourceStatus' ? this.#power : new Set<string>();
    const isOfThings = resourceKindEnums.has(name);
    const answered = this.#draft.findAnsweredWords(name);
    const taken = new Set([...power, ...[...answered.values()].flat()]);
    const own = words.filter((word) => !taken.has(word));
    const said = new Map(
      own.map((word) => {
        const isKnown = !isOfThings || matchEnumWords(name, [word]).unknown.length === 0;
        return [isKnown ? word : replaceServiceNouns(word, this.#nouns), word] as const;
      }),
    );
    const matched = matchEnumWords(name, [...said.keys()]);
    const toTheirs = (one: readonly string[]) => one.map((word) => said.get(word) ?? word);
    const derived = [...matched.bound].map(([ours, one]) => [ours, toTheirs(one)] as const);
    const bound = new Map([...derived, ...answered]);
    // A service may tell only the power status of a VM; any such VM counts as active.
    if (power.size > 0) bound.set('active', [...(bound.get('active') ?? []), ...power]);
    for (const [ours, theirs] of bound) {
      const is = theirs.every((word) => word === ours) ? 'same' : 'otherwise';
      const value = theirs.length === 1 ? theirs[0] : theirs;
      const row = { is, theirs: value, why: 'the words mean it' } as const;
      this.#draft.putIn('enums', name, ours, value, row);
    }
    const missing = matched.missing.filter((ours) => !bound.has(ours));
    for (const ours of missing) {
      const candidates = toTheirs(matched.unknown).filter((word) =>
        canEnumWordMean(name, ours, word),
      );
      if (candidates.length === 0) continue;
      const row = { is: 'open', why: 'none of their words is known to mean it' } as const;
      this.#draft.putIn('enums', name, ours, 'open', { ...row, candidates });
    }
  }

  /** Reads a status that has the power of a VM among its words, such as `running` and `stopped`. */
  #readPower(owner: string, status: SchemaLeaf | undefined): boolean {
    const words = status?.schema.words ?? [];
    const { bound } = matchEnumWords('vmBootStatus', words);
    if (!status || !bound.has('Running') || !bound.has('Stopped')) return false;
    const power = new Set([...bound.values()].flat());
    this.#words.set('vmBootStatus', power);
    // `active` says that it is on, and is the contract's own word for one that is there.
    this.#power = new Set([...power].filter((word) => word.toLowerCase() !== 'active'));
    this.#write(owner, 'bootStatus', status.pointer, 'its words tell both');
    return true;
  }

  /** The place of a member that enough other records have of that type, each there. */
  #spelledElsewhere(name: string, { type }: MemberShape): FieldBindingLine | undefined {
    const places = [...this.#lines.entries()].flatMap(([record, lines]) => {
      const line = recordShapes[record]?.[name]?.type === type ? lines.get(name) : undefined;
      return line === undefined || line === 'none' ? [] : [line];
    });
    const [only] = new Map(places.map((line) => [placeOf(line), line])).values();
    const isOne = new Set(places.map(placeOf)).size === 1;
    return isOne && places.length >= enough ? only : undefined;
  }

  #lineOf(shape: MemberShape, leaf: SchemaLeaf, isBody: boolean): FieldBindingLine {
    const isAbsentNone = !isBody && shape.isNullable && leaf.isLeftOut;
    return isAbsentNone ? { at: leaf.pointer, absent: 'none' } : leaf.pointer;
  }

  #readInner(record: string, schema: ApiSchema | undefined): void {
    const members = recordShapes[record] ?? {};
    // A list whose items have nothing but an id is a list of ids.
    const [idMember] = Object.entries(members).find(([, { type }]) => type === 'id') ?? [];
    const isPlain = schema?.type === 'string' || schema?.type === 'integer';
    if (isPlain && idMember !== undefined) {
      if (this.#read.has(record)) return;
      this.#read.add(record);
      for (const [name, shape] of Object.entries(members)) {
        if (name === idMember) this.#write(record, name, '', 'each is an id');
        else
          this.#writeMissing(record, name, shape, {
            isDescribed: true,
            pointers: [],
            isBody: false,
          });
      }
      return;
    }
    this.read({ record, schema, isInner: true });
  }

  #write(owner: string, name: string, line: FieldBindingLine, why: string): void {
    this.#lines.get(owner)?.set(name, line);
    const base = recordBases[owner];
    const inherited =
      (base === undefined ? undefined : this.#lines.get(base)?.get(name)) ?? `/${name}`;
    const is = JSON.stringify(line) === JSON.stringify(inherited) ? 'same' : 'otherwise';
    const theirs = is === 'otherwise' ? { theirs: line } : {};
    this.#draft.putIn('fields', owner, name, line, {
      is,
      why: is === 'same' ? 'the same' : why,
      ...theirs,
    });
  }

  #writeMissing(
    owner: string,
    name: string,
    shape: MemberShape,
    found: {
      readonly isDescribed: boolean;
      readonly pointers: readonly string[];
      readonly isBody: boolean;
    },
  ): void {
    // Documents say least of failures: what one does not tell may come all the same.
    if (owner === 'apiProblem') return;
    const { isDescribed, pointers, isBody } = found;
    const isOpen = !isDescribed || pointers.length > 0;
    if (isOpen || essential.includes(name)) {
      const why = isDescribed
        ? pointers.length > 1
          ? 'more than one may be it'
          : 'it may be it'
        : 'nothing describes it';
      const row = {
        is: 'open',
        why: pointers.length === 0 && isDescribed ? 'nothing is like it' : why,
        candidates: pointers,
      } as const;
      this.#draft.putIn('fields', owner, name, 'open', row);
      return;
    }
    this.#lines.get(owner)?.set(name, 'none');
    const why = isBody ? 'the body has nothing like it' : 'no answer has anything like it';
    this.#draft.putIn('fields', owner, name, 'none', { is: 'none', why });
    if (shape.type === 'record') this.#read.add(shape.record);
  }

  #learn(name: string, shape: MemberShape, { schema }: SchemaLeaf): void {
    const value = schema.type === 'array' ? schema.items : schema;
    if (shape.type === 'enum' && value && value.words.length > 0) {
      const words = this.#words.get(shape.enum) ?? new Set();
      for (const word of value.words) words.add(word);
      this.#words.set(shape.enum, words);
    }
    if (shape.type === 'id' && value?.type !== undefined) {
      const of = name === 'id' ? shape.of : shape.of;
      const types = this.#ids.get(of) ?? new Set();
      types.add(value.type === 'integer' || value.type === 'number' ? 'number' : 'text');
      this.#ids.set(of, types);
    }
  }

  #writeIds(): void {
    const numbers = [...this.#ids].filter(([, types]) => types.has('number') && types.size === 1);
    const isAll = numbers.length === this.#ids.size;
    if (numbers.length === 0) return;
    if (isAll && numbers.length > 1) {
      this.#draft.put('ids', 'default', 'number', {
        is: 'otherwise',
        theirs: 'number',
        why: 'every id is a number',
      });
      return;
    }
    for (const [of] of numbers) {
      this.#draft.put('ids', of, 'number', {
        is: 'otherwise',
        theirs: 'number',
        why: 'its id is a number',
      });
    }
  }

  #askUnit(owner: string, name: string): void {
    this.#draft.putIn('units', owner, name, 'open', {
      is: 'open',
      why: 'nothing says its unit',
      candidates: ['MB', 'MiB', 'GB'],
    });
  }

  #writeUnit(owner: string, name: string, leaf: SchemaLeaf): void {
    const unit = readSizeUnit(leaf);
    if (unit === undefined || unit === 'GB') return;
    this.#draft.putIn('units', owner, name, unit, {
      is: 'otherwise',
      theirs: unit,
      why: 'its name or description says so',
    });
  }
}

/** The number of other records that say how one spells a member that nothing describes. */
const enough = 3;

function placeOf(line: FieldBindingLine): string {
  return typeof line === 'string' ? line : line.at;
}
