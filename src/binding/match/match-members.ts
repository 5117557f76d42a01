import { type MemberShape, recordShapes } from '../../api/contract/shapes.ts';
import type { ApiSchema } from '../document/document.ts';
import { resourceKindByRecord, findMemberSense } from '../vocabulary/senses.ts';
import {
  type BindingLexicon,
  areMeaninglessWords,
  isKnownWord,
  isNameOfSense,
  type NameSense,
  splitWords,
  type NameWords,
} from '../vocabulary/words.ts';
import { isNameOutsideContract } from '../vocabulary/strangers.ts';
import { assignBindingPairs, type AssignedBindingPairs } from './assign.ts';
import {
  askAboutNestedPlaces,
  askAboutAmbiguousPlaces,
  type MemberPair,
} from './unsure-members.ts';
import { type SchemaLeaf, listSchemaLeaves } from './leaves.ts';
import { removePlainNames } from './given-name.ts';
import { likenessOfMemberName, type RecordMember } from './member-names.ts';
import { resourceKindEnums, type MatchedEnumWords, matchEnumWords } from './match-words.ts';

/** The members of a record of the contract with the places that were found for them in a schema. */
export interface MatchedRecordMembers extends AssignedBindingPairs<string, SchemaLeaf> {
  /** Unused places of a fitting type, for members that are neither bound nor open. */
  readonly left: ReadonlyMap<string, readonly SchemaLeaf[]>;
  /** The schema's share of the record, from 0 to 1; members that few records have count most. */
  readonly share: number;
}

/** Matches the members of the contract's records with those of the document's schemas. */
export class RecordMemberMatcher {
  readonly #lexicon: BindingLexicon;
  readonly #known = new Map<ApiSchema, Map<string, MatchedRecordMembers>>();
  /** The words by which people name things in the document, where they are others than `name`. */
  readonly #givenName: NameWords | undefined;

  constructor(lexicon: BindingLexicon, givenName?: NameWords) {
    this.#lexicon = lexicon;
    this.#givenName = givenName;
  }

  /** Matches the members of a record, which is about things of a kind, with the places of a schema. */
  match(
    record: string,
    schema: ApiSchema,
    kind = resourceKindByRecord[record] ?? '',
  ): MatchedRecordMembers {
    const ofSchema = this.#known.get(schema) ?? new Map<string, MatchedRecordMembers>();
    this.#known.set(schema, ofSchema);
    const key = `${record} ${kind}`;
    const found = ofSchema.get(key) ?? this.#match(record, schema, kind);
    ofSchema.set(key, found);
    return found;
  }

  #match(record: string, schema: ApiSchema, kind: string): MatchedRecordMembers {
    const leaves = removePlainNames(listSchemaLeaves(schema), this.#givenName);
    return match(this.#lexicon, record, leaves, kind);
  }

  /** True for a text that is called as what a thing of a kind itself is, an address or a key: then it is hardly an id. */
  isThingItself(kind: string, { words, schema }: SchemaLeaf): boolean {
    const value = schema.type === 'array' ? schema.items : schema;
    const sense = thingsThemselves[kind];
    const isText = value?.type === 'string' && value.format !== 'uuid';
    return isText && sense !== undefined && this.#lexicon.likeness(sense, words) > 0.9;
  }
}

/** Meanings of what things of some kinds are, by kind. */
const thingsThemselves: Readonly<Record<string, NameSense>> = {
  publicIp: ['address'],
  sshKey: ['sshPublicKey'],
};

function match(
  lexicon: BindingLexicon,
  record: string,
  leaves: readonly SchemaLeaf[],
  kind: string,
): MatchedRecordMembers {
  const members = Object.entries(recordShapes[record] ?? {});
  const called = findCalledMembers(record, members, leaves);
  const pairs = members.flatMap(([name, shape]): MemberPair[] => {
    const told = leaves.filter((leaf) => isToldByWords(lexicon, shape, leaf, kind));
    return leaves.flatMap((leaf) => {
      const isOfOther = (called.get(leaf) ?? name) !== name;
      const likeness =
        likenessOfMember(lexicon, { record, name, shape, kind }, leaf) *
        (isOfOther ? calledOtherwise : 1);
      const score = told.includes(leaf)
        ? Math.max(likeness, bySomeWords)
        : told.length > 0
          ? likeness * 0.5
          : likeness;
      return score > 0 ? [{ ours: name, theirs: leaf, score }] : [];
    });
  });
  const found = askAboutNestedPlaces(members, assignBindingPairs(pairs));
  const assigned = askAboutAmbiguousPlaces(members, pairs, found);
  const all = sum(members.map(([name, shape]) => weightOf(name, shape)));
  const have = sum(
    members.map(([name, shape]) => {
      const pair = assigned.bound.get(name);
      return pair ? weightOf(name, shape) * pair.score : 0;
    }),
  );
  const share = all === 0 ? 0 : have / all;
  const isNear = (name: string, shape: MemberShape, leaf: SchemaLeaf) =>
    likenessOfOwnName(lexicon, { record, name, shape, kind }, leaf) > near;
  let left: MatchedRecordMembers['left'] | undefined;
  return {
    ...assigned,
    share,
    // Most records are matched for their share alone.
    get left() {
      return (left ??= findLeft(members, leaves, assigned, kind, isNear));
    },
  };
}

/** The likelihood of a member at a place that has the very name of another one, over that of the same without such a name. */
const calledOtherwise = 0.6;

/** The member that each place has the very name of, by a phrase of the table: a `targetType` is no `type`. */
function findCalledMembers(
  record: string,
  members: readonly (readonly [string, MemberShape])[],
  leaves: readonly SchemaLeaf[],
): ReadonlyMap<SchemaLeaf, string> {
  return new Map(
    leaves.flatMap((leaf) => {
      if (leaf.words.length < 2) return [];
      const named = members.filter(([name]) =>
        isNameOfSense(findMemberSense(record, name), leaf.words),
      );
      const [only] = named.length === 1 ? named : [];
      return only ? [[leaf, only[0]] as const] : [];
    }),
  );
}

/** Likelihood of a member by the words of its enum alone. */
const bySomeWords = 0.72;

/** True for a place whose words are those of the contract's enum, so that its name does not matter. */
function isToldByWords(
  lexicon: BindingLexicon,
  shape: MemberShape,
  leaf: SchemaLeaf,
  kind: string,
): boolean {
  if (shape.type !== 'enum' || leaf.isList || !areMeaninglessWords(leaf.holders, kind))
    return false;
  const { share, bound } = matchWordsOf(lexicon, shape.enum, leaf.schema);
  return share > 0.85 && bound.size >= 3;
}

/** The words of a schema, matched with those of an enum; the things that some enums name are called as the document does. */
function matchWordsOf(
  lexicon: BindingLexicon,
  name: string,
  { words }: ApiSchema,
): MatchedEnumWords {
  const plain = matchEnumWords(name, words);
  if (!resourceKindEnums.has(name) || plain.share === 1) return plain;
  const said = words.map((word) => lexicon.inWordsOfContract(splitWords(word)).join(' '));
  const translated = matchEnumWords(name, said);
  return translated.share > plain.share ? translated : plain;
}

/** Places that nothing is like, for the members that are like nothing: each of its type may be it under a name unheard of. */
function findLeft(
  members: readonly (readonly [string, MemberShape])[],
  leaves: readonly SchemaLeaf[],
  { bound, open }: AssignedBindingPairs<string, SchemaLeaf>,
  kind: string,
  isNear: (name: string, shape: MemberShape, leaf: SchemaLeaf) => boolean,
): ReadonlyMap<string, readonly SchemaLeaf[]> {
  const pointers = [...bound.values()].map(({ theirs }) => theirs.pointer);
  const shapes = new Map(members);
  const inner = [...bound]
    .filter(([name]) => shapes.get(name)?.type === 'record')
    .map(([, { theirs }]) => `${theirs.pointer}/`);
  const free = leaves.filter(
    ({ pointer, holders, isInList, words }) =>
      areMeaninglessWords(holders, kind) &&
      !isInList &&
      !isNameOutsideContract(words) &&
      !pointers.some((one) => one === pointer || one.startsWith(`${pointer}/`)),
  );
  return new Map(
    members.flatMap(([name, shape]) => {
      if (bound.has(name) || open.has(name)) return [];
      // One place may tell two members: `running` means that a VM exists and that it is on.
      const among =
        shape.type === 'enum'
          ? leaves.filter(
              (leaf) =>
                areMeaninglessWords(leaf.holders, kind) &&
                !isToldOtherwise(shape, leaf, bound, shapes),
            )
          : free;
      const fitting = leaves.filter(
        (leaf) =>
          !inner.some((pointer) => leaf.pointer.startsWith(pointer)) &&
          ((among.includes(leaf) && isOfSameType(shape, leaf)) || isNear(name, shape, leaf)),
      );
      return fitting.length > 0 ? [[name, fitting] as const] : [];
    }),
  );
}

/** True for a place that another member took, and whose words tell that one better. */
function isToldOtherwise(
  shape: MemberShape,
  leaf: SchemaLeaf,
  bound: AssignedBindingPairs<string, SchemaLeaf>['bound'],
  shapes: ReadonlyMap<string, MemberShape>,
): boolean {
  const share = (one: MemberShape | undefined) =>
    one?.type === 'enum' ? matchEnumWords(one.enum, leaf.schema.words).share : 0;
  return [...bound].some(
    ([name, { theirs }]) => theirs === leaf && share(shapes.get(name)) > share(shape),
  );
}

/** True for words of an enum of which most are in no table: nothing is known of what they mean. */
function areWordsUnread(words: readonly string[]): boolean {
  const read = words.filter((word) => splitWords(word).some(isKnownWord));
  return words.length > 0 && read.length * 2 < words.length;
}

/** Tells whether the type of a place allows a member, so that only its name may speak against it. */
function isOfSameType(shape: MemberShape, leaf: SchemaLeaf): boolean {
  const { schema, words } = leaf;
  if (fitOfType(shape, leaf) < 1) return false;
  const value = schema.type === 'array' ? schema.items : schema;
  const isId = words.at(-1) === 'id' || value?.format === 'uuid';
  if (shape.type === 'id') return isId || mayBeId(value);
  if (shape.type === 'enum') {
    return (
      value !== undefined &&
      value.words.length > 0 &&
      (areWordsUnread(value.words) || matchEnumWords(shape.enum, value.words).share > 0.3)
    );
  }
  if (shape.type === 'text') return !isId;
  if (shape.type === 'time') return /date/.test(schema.format ?? '');
  return shape.type !== 'any';
}

/** True for a text or a whole number about which nothing is said, and for what has an id. */
function mayBeId(value: ApiSchema | undefined): boolean {
  if (value?.type === 'object')
    return [...value.members.keys()].some((name) => splitWords(name).at(-1) === 'id');
  return value?.type === 'integer' || (value?.type === 'string' && value.words.length === 0);
}

/** Number of records that have a member of a name. */
const holderCounts = new Map<string, number>();
for (const name of Object.values(recordShapes).flatMap((members) => Object.keys(members)))
  holderCounts.set(name, (holderCounts.get(name) ?? 0) + 1);

/** Weight of a member in the likeness of a record: the fewer records have it, the more it tells. */
function weightOf(name: string, { isOptional }: MemberShape): number {
  return (isOptional ? 0.5 : 1) / Math.sqrt(holderCounts.get(name) ?? 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Records whose members are words of an enum, and count what has it. */
const countedWords: Readonly<Record<string, string>> = {
  vmStatusCounts: 'resourceStatus',
  vmPowerStateCounts: 'vmBootStatus',
};

/** Tells whether the name of a counter means one word of the enum that is counted. */
function saysWord(counted: string, word: string, words: NameWords): boolean {
  const [said] = matchEnumWords(counted, [words.join(' ')]).bound.keys();
  return said?.toLowerCase() === word.toLowerCase();
}

function likenessOfMember(lexicon: BindingLexicon, member: RecordMember, leaf: SchemaLeaf): number {
  const { shape } = member;
  const fit = fitOfType(shape, leaf);
  if (fit === 0) return 0;
  // A place that can have one value alone says what the record is, and not a thing about it.
  const told = shape.type !== 'enum' && leaf.schema.words.length === 1 ? 0.65 * fit : fit;
  const counted = countedWords[member.record];
  const byName = counted
    ? saysWord(counted, member.name, leaf.words)
      ? 0.95
      : 0
    : likenessOfMemberName(lexicon, member, leaf);
  if (shape.type !== 'enum' || leaf.schema.type === 'array') return byName * told;
  if (leaf.schema.words.length === 0) return byName * fit;
  const { share } = matchWordsOf(lexicon, shape.enum, leaf.schema);
  if (share < 0.3) return byName * 0.5;
  // Words tell more than a name: a `state` may be the one of the power.
  return Math.min(1, byName * (0.6 + 0.4 * share));
}

/** Types of the items of a list of records; plain ones are the ids of them. */
const recordTypes = new Set<string>(['object', 'string', 'integer']);

/** Likelihood, from 0 to 1, that values of a place are of the contract's type. */
function fitOfType(shape: MemberShape, leaf: SchemaLeaf): number {
  const { schema } = leaf;
  const { type, format = '' } = schema;
  if (shape.type === 'any') return 1;
  if ((shape.isList === true) !== leaf.isList) return 0;
  const value = type === 'array' ? schema.items : schema;
  const of = value?.type;
  if (shape.type === 'record') {
    if (shape.isList && leaf.isInList) return 0;
    if (shape.isList)
      return type !== 'array' ? 0 : of === undefined ? 0.9 : recordTypes.has(of) ? 1 : 0;
    return of === 'object' || of === undefined ? 1 : 0;
  }
  if (of === undefined) return value?.members.size === 0 || value === undefined ? 0.9 : 0;
  const isDate = /date/.test(value?.format ?? format);
  switch (shape.type) {
    case 'text':
    case 'enum':
      if (of !== 'string' || isDate) return 0;
      if (shape.type === 'enum' && leaf.words.at(-1) === 'id') return 0.5;
      return value?.format === 'uuid' ? 0.5 : 1;
    case 'time':
      return of === 'string' && value?.format !== 'uuid' ? (isDate ? 1 : 0.9) : 0;
    case 'number':
      return of === 'number' || of === 'integer' ? 1 : 0;
    case 'boolean':
      return of === 'boolean' ? 1 : 0;
    case 'id':
      return (of === 'string' && !isDate && value?.words.length === 0) || of === 'integer' ? 1 : 0;
  }
}

/** Least likeness of an unbound name that a person is asked about. */
const near = 0.5;

/** The likeness of the last words of a place, whatever holds them and whatever it takes. */
function likenessOfOwnName(
  lexicon: BindingLexicon,
  { record, name, shape, kind }: RecordMember,
  leaf: SchemaLeaf,
): number {
  if (fitOfType({ ...shape, isList: leaf.isList }, leaf) === 0 && !isOfOtherValue(shape, leaf))
    return 0;
  const sense = findMemberSense(record, name);
  const id = shape.type === 'id' ? ['id'] : [];
  const said = [leaf.words, [...leaf.holder, ...leaf.words]].flatMap((words) => [
    words,
    [...words, ...id],
  ]);
  return Math.max(...said.map((words) => lexicon.likeness(sense, words, kind)));
}

/** True for a plain value where the contract has another plain one: documents mistake a number for a text. */
function isOfOtherValue({ type }: MemberShape, { schema, isList }: SchemaLeaf): boolean {
  const isPlain = type === 'number' || type === 'text' || type === 'enum' || type === 'time';
  // No number is written by the words of an enum.
  const isWord = type === 'number' && schema.words.length > 0;
  return (
    isPlain &&
    !isWord &&
    !isList &&
    (schema.type === 'string' || schema.type === 'number' || schema.type === 'integer')
  );
}
