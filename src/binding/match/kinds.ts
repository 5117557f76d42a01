// Assigns collections of a document to the kinds of the contract.
import { recordShapes } from '../../api/contract/shapes.ts';
import type { ApiDocument, ApiOperation, ApiSchema } from '../document/document.ts';
import { areNamesOutsideContract, isNameOutsideContract } from '../vocabulary/strangers.ts';
import { resourceKindMeanings as kindNames } from '../vocabulary/meanings.ts';
import {
  findKindIdSense,
  areMeaninglessWords,
  findKindSense,
  isKnownWord,
  type BindingLexicon,
  splitWords,
  type NameWords,
} from '../vocabulary/words.ts';
import { assignBindingPairs, type AssignedBindingPairs } from './assign.ts';
import { findPathContainer } from './containers.ts';
import { haveOperationsOfKind } from './deeds.ts';
import { listSchemaLeaves } from './leaves.ts';
import type { RecordMemberMatcher } from './match-members.ts';
import { parseApiPath, type PathSegment } from './paths.ts';
import { findAnswerItems, findAnswerRecord } from './unwrap.ts';

/** Kinds of resources that may stand before a kind in a path, by kind. */
const holders: Readonly<Record<string, readonly string[]>> = {
  sshKey: ['project'],
  network: ['project'],
  publicIp: ['project'],
  vm: ['project'],
  operation: ['project'],
  backup: ['project', 'vm'],
  portForward: ['project', 'publicIp', 'vm'],
  sale: ['project'],
  notification: ['project'],
};
/** Kinds of containers of which at least one must stand in the path of a kind. */
export const requiredPathContainers: Readonly<Record<string, string>> = {
  backup: 'vm',
  portForward: 'publicIp',
};

/** A collection of the document: paths that end alike, whatever of the contract's holds them. */
export interface PathCollection {
  readonly key: string;
  readonly words: NameWords;
  /** Words of the path before the collection that name no container, such as an area of the API. */
  readonly prefix: NameWords;
  readonly operations: readonly CollectionOperation[];
}

interface CollectionOperation {
  readonly operation: ApiOperation;
  /** Containers that stand in the operation's path before the collection. */
  readonly within: readonly string[];
  /** `all` of the collection, `one` of its things, or what is `deeper` than that. */
  readonly of: 'all' | 'one' | 'deeper';
}

/** The key of the collection that ends at a literal of a path, and what holds it. */
export function pathCollectionKeyAt(
  lexicon: BindingLexicon,
  segments: readonly PathSegment[],
  end: number,
): { readonly key: string; readonly within: readonly string[]; readonly prefix: NameWords } {
  const parts: string[] = [];
  const within: string[] = [];
  const prefix: string[] = [];
  for (let at = 0; at < end; at += 1) {
    const segment = segments[at];
    if (!segment) break;
    const isHolder = segments[at + 1]?.isParam === true;
    const container =
      isHolder && !segment.isParam ? findPathContainer(lexicon, segment.words) : undefined;
    if (container !== undefined) {
      within.push(container);
      at += 1;
    } else {
      parts.push(segment.isParam ? '{}' : segment.words.join(' '));
      if (!segment.isParam) prefix.push(...segment.words);
    }
  }
  parts.push(segments[end]?.words.join(' ') ?? '');
  return { key: parts.join('/'), within, prefix };
}

/** Lists every collection of resources in the paths of an API document. */
export function listPathCollections(
  lexicon: BindingLexicon,
  { operations }: ApiDocument,
): readonly PathCollection[] {
  const found = new Map<string, PathCollection & { readonly operations: CollectionOperation[] }>();
  const add = (operation: ApiOperation, end: number, of: CollectionOperation['of']) => {
    const segments = parseApiPath(operation.path);
    const { key, within, prefix } = pathCollectionKeyAt(lexicon, segments, end);
    const words = segments[end]?.words ?? [];
    const one = found.get(key) ?? { key, words, prefix, operations: [] };
    one.operations.push({ operation, within, of });
    found.set(key, one);
  };
  for (const operation of operations) {
    const segments = parseApiPath(operation.path);
    const last = segments.findLastIndex(({ isParam }) => !isParam);
    if (last === -1) continue;
    const holder = segments.findLastIndex(({ isParam }) => isParam) - 1;
    add(operation, last, last === segments.length - 1 ? 'all' : 'one');
    if (holder >= 0 && holder < last && segments[holder]?.isParam === false)
      add(operation, holder, 'deeper');
  }
  return [...found.values()];
}

/** The collections of each kind, and the kinds whose collection is known by what it holds alone. */
interface AssignedKinds extends AssignedBindingPairs<string, PathCollection> {
  readonly likened: ReadonlySet<string>;
}

/** Decides which collection of the API document has which kind of resource. */
export function assignKindsToCollections(
  collections: readonly PathCollection[],
  lexicon: BindingLexicon,
  matcher: RecordMemberMatcher,
): AssignedKinds {
  const tellsMaking = collections.some(({ operations }) =>
    operations.some(({ operation: { method } }) => method !== 'GET'),
  );
  const pairs = [...kindNames].flatMap((kind) => {
    const found = collections.flatMap((theirs) => {
      const like = likenessOfKind(kind, theirs, { lexicon, matcher, tellsMaking });
      return like.score > 0 ? [{ ours: kind, theirs, ...like }] : [];
    });
    return found.map((pair) => ({ ...pair, score: scoreAmong(pair, found) }));
  });
  const unsaid = pairs.filter(({ name, score }) => name <= unnamed && score >= likened);
  const assigned = assignBindingPairs(pairs);
  const known = unsaid.filter(({ ours, theirs }) => assigned.bound.get(ours)?.theirs === theirs);
  return { ...assigned, likened: new Set(known.map(({ ours }) => ours)) };
}

/** The likeness of a collection to a kind: of its name, and of what it answers where that is described. */
interface Likeness {
  readonly score: number;
  readonly name: number;
  readonly share: number | undefined;
  /**
   * Tells whether something speaks against it beside the name: a word of something else, a prefix, no owner, no way to make one.
   */
  readonly isStrange?: boolean;
}

/** The score of a collection for a kind, in view of the others that may have that kind. */
function scoreAmong(one: Likeness & { readonly ours: string }, all: readonly Likeness[]): number {
  // Collections that nobody can read are asked about only where nothing else has a name for the kind.
  if (one.name === 0 && (one.share ?? 0) < alike && all.some(({ name }) => name > 0)) return 0;
  // Nor where one is surely called so, and looks a little like it: less than half of the record is no rival to that.
  const isCalledSo = (other: Likeness) =>
    other.name > sure && other.isStrange === false && (other.share ?? 0) > some;
  if (one.name === 0 && (one.share ?? 0) < half && all.some(isCalledSo)) return 0;
  if (isDoubtful(one, all)) return Math.min(one.score, asked);
  return isLikeNoOther(one, all) ? Math.max(one.score, likened) : one.score;
}

/** A record that has nearly all that the contract's has, where none of the other collections has half of it or the name. */
function isLikeNoOther(
  one: Likeness & { readonly ours: string },
  all: readonly Likeness[],
): boolean {
  // A region may have all that a project has: what it holds decides. Of a small record, two members are nearly all.
  const isTelling =
    one.ours !== 'project' && Object.keys(recordShapes[one.ours] ?? {}).length >= telling;
  if (!isTelling || one.isStrange === true) return false;
  if (one.name > unnamed || (one.share ?? 0) < nearlyAll) return false;
  return all.every(
    (other) => other === one || (other.name <= unnamed && (other.share ?? 0) < half),
  );
}

/** A name that may mean another thing is asked about beside one that means it surely, or a collection that looks as like. */
function isDoubtful(one: Likeness, all: readonly Likeness[]): boolean {
  if (one.name === 0 || one.name > sure) return false;
  return all.some(
    ({ name, share = 0 }) => name > sure || (name === 0 && share > (one.share ?? 0) - 0.1),
  );
}

/** Least likelihood at which a name is sure to mean a kind of resource. */
const sure = 0.9;
/** Highest likelihood at which a person is asked about a pair rather than the pair being bound. */
const asked = 0.58;

/** Least share of a record in a collection whose name has no meaning. */
const alike = 0.3;
/** Least number of members of a record that is known by them. */
const telling = 6;
/** Least share of a record that is known by its members, whatever its collection is called. */
const nearlyAll = 0.85;
/** Least share of a record in a collection that a person is asked about by its name. */
const some = 0.15;
/** Share of a record from which on another collection may have that kind as well. */
const half = 0.5;
/** Highest likelihood of a name that tells nothing of a kind. */
const unnamed = 0.5;
/** Likelihood of a collection that is known by the members of its record alone. */
const likened = 0.75;
/** Likelihood of a collection in a language that nobody knows: a service that has it cannot be said to lack a kind. */
const unread = 0.46;
/** Kinds that only a service makes: a collection without a way to make one may have them. */
const madeByService: ReadonlySet<string> = new Set([
  'configuration',
  'image',
  'tariff',
  'operation',
  'notification',
  'sale',
]);

/** Tells whether the containers of a collection may hold resources of a kind. */
export function canCollectionHoldKind(kind: string, within: readonly string[]): boolean {
  return within.every((one) => holders[kind]?.includes(one) === true);
}

/** Sources of the likeness of a collection to a kind. */
interface LikenessSources {
  readonly lexicon: BindingLexicon;
  readonly matcher: RecordMemberMatcher;
  /** False for reads alone, as a probe sees them: then nothing tells where things are made. */
  readonly tellsMaking: boolean;
}

function likenessOfKind(
  kind: string,
  collection: PathCollection,
  { lexicon, matcher, tellsMaking }: LikenessSources,
): Likeness {
  const none: Likeness = { score: 0, name: 0, share: undefined };
  if (collection.key.includes('{}')) return none;
  const own = collection.operations.filter(({ within }) => canCollectionHoldKind(kind, within));
  const isRead = own.some(({ of, operation: { method } }) => of !== 'deeper' && method === 'GET');
  const { words, prefix } = collection;
  // `/network/private` are private networks, and `/projects/default` is not all projects.
  const spoken = areMeaninglessWords(words, '')
    ? []
    : [
        { said: [...prefix, ...words], part: 0.98 },
        { said: [...words, ...prefix.slice(-1)], part: 0.97 },
      ];
  const byName = Math.max(
    ...[{ said: words, part: 1 }, ...spoken].map(
      ({ said, part }) => part * lexicon.likeness(findKindSense(kind), said),
    ),
  );
  const near = own.filter(({ of }) => of !== 'deeper');
  const names = near.flatMap(({ operation: { id, tags } }) => [id ?? '', ...tags]);
  const byNames = new Set(names.map((alias) => withoutVerbs(splitWords(alias)).join(' ')));
  const byAlias = [...byNames].map((alias) =>
    lexicon.likeness(findKindSense(kind), alias.split(' ')),
  );
  const said = Math.max(byName, 0.9 * Math.max(0, ...byAlias));
  // A collection with the name of another kind is left to that kind, however alike its members are.
  if (said === 0 && isNamed(collection, lexicon)) return none;
  // A collection without a GET has no members to compare: its name alone decides.
  if (!isRead) {
    const isIt = said > sure && own.some(({ of }) => of !== 'all');
    return isIt ? { ...none, score: 0.8 * said, name: said } : none;
  }
  const schema = findSchema(kind, own, lexicon, matcher);
  const bySchema =
    schema?.name === undefined
      ? 0
      : lexicon.likeness(findKindSense(kind), withoutForms(splitWords(schema.name)));
  const name = Math.max(said, 0.9 * bySchema);
  const isForeign = isUnread(collection, own) && isOwned(kind, own, schema, lexicon);
  if (name === 0 && !schema && !isForeign) return none;
  const share = schema ? matcher.match(kind, schema).share : undefined;
  // A prefix that means nothing here may make another thing of it: `/registry/images`.
  const foreign = collection.prefix.filter((word) => !harmless.has(word) && !/^v?\d/.test(word));
  const isOwn = isOwned(kind, own, schema, lexicon);
  // People make their things somewhere: a list alone may be of those that are for sale.
  const isMade =
    !tellsMaking ||
    madeByService.has(kind) ||
    own.some(({ operation: { method } }) => method !== 'GET');
  // A last word of something else is doubtful where the record is the contract's: work orders are no orders.
  const isOther = areNamesOutsideContract(collection.words);
  const isStrange = isOther || foreign.length > 0 || !isOwn || !isMade;
  // A collection whose name means nothing, and that looks a little like it, is asked about.
  if (name === 0) {
    if (isNameOutsideContract(collection.words)) return none;
    // A collection whose name may mean another kind is likelier to be of that kind, where few members of the record speak for this.
    if ((share ?? 0) < half && mayBeNamed(collection, lexicon)) return none;
    if (isOther && (share ?? 0) < half) return none;
    if (share === undefined || share < alike)
      return isForeign ? { score: unread, name, share } : none;
    const score = Math.min(asked, Math.max(unread, 0.2 + 0.4 * share));
    return { score, name, share, isStrange };
  }
  const strange = foreign.length === 0 ? 1 : areNamesOutsideContract(foreign) ? 0.6 : 0.93;
  const owned = isOwn ? 1 : 0.5;
  const likeness = share === undefined ? 0.8 * name : 0.55 * name + 0.45 * share;
  const score = strange * owned * likeness * (isMade ? 1 : 0.6);
  // A name that may mean it is asked about where some of the record is there.
  const isAsked = (share ?? 0) > some && owned === 1 && foreign.length === 0 && name > 0.6;
  // Start, stop and reboot prove a sure name, however few members of the record are described.
  const below = own.flatMap(({ of, operation: { path } }) => (of === 'all' ? [] : [path]));
  const isProven =
    name > sure && !areNamesOutsideContract(foreign) && haveOperationsOfKind(kind, below, lexicon);
  const least = isProven ? likened : isAsked ? unread : 0;
  return { score: Math.max(least, score), name, share, isStrange };
}

/** True for a collection of which neither the name nor most of what it answers is in words that are known. */
function isUnread({ words }: PathCollection, operations: readonly CollectionOperation[]): boolean {
  if (words.some(isKnownWord) || !operations.some(({ of }) => of === 'one')) return false;
  const names = operations.flatMap(({ of, operation: { answer } }) =>
    of === 'deeper' ? [] : listSchemaLeaves(answer).map((leaf) => leaf.words),
  );
  return names.filter((name) => name.some(isKnownWord)).length * 2 <= names.length;
}

/** True for a collection whose name surely means a kind. */
function isNamed({ words }: PathCollection, lexicon: BindingLexicon): boolean {
  return senses.some((sense) => lexicon.likeness(sense, words) > sure);
}

/** True for a collection whose name may mean a kind. */
function mayBeNamed({ words }: PathCollection, lexicon: BindingLexicon): boolean {
  return senses.some((sense) => lexicon.likeness(sense, words) > 0.6);
}

const senses = [...kindNames].map(findKindSense);

const harmless = new Set(
  'account catalog catalogue cloud compute billing api infrastructure iaas me user v1 v2 network networking security iam identity hosting finance admin public inventory instance vps vpc'.split(
    ' ',
  ),
);

const verbs = new Set(
  'list index find all get show read retrieve fetch search create add new post store delete remove destroy update patch put by id controller api api2 handler service v1 v2'.split(
    ' ',
  ),
);

const forms = new Set('entity object'.split(' '));

/** The name of a schema without words such as `dto` or `response` that only say that it is one. */
function withoutForms(words: NameWords): NameWords {
  return words.filter((word) => !forms.has(word));
}

function withoutVerbs(words: NameWords): NameWords {
  const rest = words.filter((word) => !verbs.has(word));
  return rest.length > 0 ? rest : words;
}

/** The schema of a thing of a collection, as its operations answer it. */
function findSchema(
  kind: string,
  operations: readonly CollectionOperation[],
  lexicon: BindingLexicon,
  matcher: RecordMemberMatcher,
): ApiSchema | undefined {
  const read = operations.filter(({ operation: { method, answer } }) => method === 'GET' && answer);
  const told = ['one', 'all'].flatMap((of) => read.filter((one) => one.of === of).slice(0, 2));
  const found = told.flatMap(({ operation: { answer }, of }) => {
    if (!answer) return [];
    const one =
      of === 'one'
        ? findAnswerRecord(matcher, kind, answer, { isRead: true })
        : findAnswerItems(matcher, lexicon, kind, answer);
    return one && one.schema.members.size > 0 ? [one] : [];
  });
  return found.toSorted((one, other) => other.share - one.share)[0]?.schema;
}

/** Tells whether a path, a query or a member says what a thing belongs to. */
function isOwned(
  kind: string,
  operations: readonly CollectionOperation[],
  schema: ApiSchema | undefined,
  lexicon: BindingLexicon,
): boolean {
  const owner = requiredPathContainers[kind];
  if (owner === undefined || operations.some(({ within }) => within.includes(owner))) return true;
  const names = [
    ...(schema?.members.keys() ?? []),
    ...operations.flatMap(({ operation: { parameters } }) => parameters.map(({ name }) => name)),
  ];
  return names.some((name) => {
    const words = splitWords(name);
    return (
      Math.max(
        lexicon.likeness(findKindIdSense(owner), words),
        lexicon.likeness(findKindSense(owner), words),
      ) > 0.8
    );
  });
}
