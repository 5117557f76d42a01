import { removeRouteParameterNames } from '../../api/contract/check-route.ts';
import { operationIds } from '../../api/contract/operation-ids.ts';
import { type OperationId, routes } from '../../api/contract/routes.ts';
import { operationShapes, recordShapes } from '../../api/contract/shapes.ts';
import { resourceKindMeanings } from '../vocabulary/meanings.ts';
import { findNameSense } from '../vocabulary/senses.ts';
import { isNameOutsideContract } from '../vocabulary/strangers.ts';
import {
  type BindingLexicon,
  findKindIdSense,
  type NameWords,
  splitWords,
} from '../vocabulary/words.ts';
import { assignBindingPairs, type LikelyBindingPair } from './assign.ts';
import {
  type OperationCandidate,
  OperationCandidateFinder,
  type OperationBodyConstant,
} from './candidates.ts';
import { listSchemaLeaves } from './leaves.ts';
import type { RecordMemberMatcher } from './match-members.ts';
import { matchEnumWords } from './match-words.ts';
import { mayBeOverlooked } from './overlooked.ts';
import { isDataLossOperation, findContractOperationRole } from './roles.ts';
import type { OperationPathView } from './views.ts';

/** Operation of the document that serves as one of the contract. */
export interface BoundOperation {
  readonly view: OperationPathView;
  readonly placed: PlacedParameters;
  readonly constant: OperationBodyConstant | undefined;
}

/** The contract's operations with those of the document: bound ones, and open ones that a person must decide. */
export interface MatchedOperations {
  readonly bound: ReadonlyMap<OperationId, BoundOperation>;
  /** Candidates of the operations that may be one of several. */
  readonly open: ReadonlyMap<OperationId, readonly BoundOperation[]>;
}

/** Least likelihood at which an operation that destroys something is bound without a question. */
const certain = 0.9;
/** Highest likelihood at which a person is asked about a pair rather than the pair being bound. */
const asked = 0.58;

/**
 * Tells whether the collection of a kind was found: by its name, by what it holds, or by the members of its record alone; is
 * a question for a person; or is missing.
 */
type KindState = (kind: string) => 'found' | 'guessed' | 'likened' | 'asked' | 'missing';

/** Matches all operations. `state` says of a kind whether its collection was found; `answers` are people's. */
export function matchContractOperations(
  views: readonly OperationPathView[],
  state: KindState,
  lexicon: BindingLexicon,
  matcher: RecordMemberMatcher,
  answers: ReadonlyMap<OperationId, OperationPathView> = new Map(),
): MatchedOperations {
  const finder = new OperationCandidateFinder(lexicon, matcher);
  const known = new Map<string, BoundOperation>();
  const given = new Set(answers.values());
  const pairs: LikelyBindingPair<OperationId, string>[] = [];
  for (const operation of operationIds) {
    if (answers.has(operation)) continue;
    for (const [at, view] of views.entries()) {
      if (given.has(view)) continue;
      const found = finder.listCandidates(operation, view).filter(({ score }) => score > 0);
      for (const candidate of raise(operation, view, found, state)) {
        const placed = placeParameters(operation, view, lexicon);
        const { constant } = candidate;
        const key = `${at}${constant ? ` ${constant.pointer}=${constant.value}` : ''}`;
        known.set(`${operation} ${key}`, { view, placed, constant });
        const isBarred =
          placed.problems.length > 0 ||
          isOfAsked(operation, state) ||
          (isDataLossOperation(operation) && candidate.score < certain) ||
          (isDataLossOperation(operation) && isOfGuess(operation, state)) ||
          isOfUnnamed(operation, state);
        const score = isBarred ? Math.min(asked, candidate.score) : candidate.score;
        pairs.push({ ours: operation, theirs: key, score });
      }
    }
  }
  const { bound, open } = assignBindingPairs(pairs);
  const all = new Map<OperationId, BoundOperation>();
  const find = ({ ours, theirs }: LikelyBindingPair<OperationId, string>) =>
    known.get(`${ours} ${theirs}`);
  for (const pair of bound.values()) {
    const one = find(pair);
    if (one) all.set(pair.ours, one);
  }
  for (const [operation, view] of answers) {
    const placed = placeParameters(operation, view, lexicon);
    all.set(operation, { view, placed, constant: undefined });
  }
  const asking = new Map<OperationId, readonly BoundOperation[]>();
  const openOf = (operation: OperationId, ones: readonly (BoundOperation | undefined)[]) =>
    asking.set(
      operation,
      ones.filter((one) => one !== undefined),
    );
  for (const [operation, candidates] of open) {
    const left = candidates.map(find).filter((one) => one && !isToldApart(one, all));
    if (left.length > 0) openOf(operation, left);
  }
  for (const operation of operationIds) {
    if (isOfAsked(operation, state) && !all.has(operation) && !asking.has(operation))
      openOf(operation, []);
  }
  const used = new Set([...all.values()].map(({ view }) => view));
  for (const operation of operationIds) {
    if (all.has(operation) || asking.has(operation)) continue;
    const overlooked = views.filter(
      (view) => !used.has(view) && mayBeOverlooked(operation, view, lexicon),
    );
    if (overlooked.length === 0) continue;
    openOf(
      operation,
      overlooked.map((view) => {
        const placed = placeParameters(operation, view, lexicon);
        return { view, placed, constant: undefined };
      }),
    );
  }
  // Two operations may share a place only where each has a constant of its own in the body.
  const plain = new Set(
    [...all.values()].flatMap(({ view, constant }) => (constant ? [] : [view])),
  );
  for (const [operation, one] of all) {
    if (!one.constant || !plain.has(one.view)) continue;
    all.delete(operation);
    openOf(operation, [one]);
  }
  return { bound: all, open: asking };
}

/** True for a place without a constant of which each choice is another operation's, or one that the contract does not have. */
function isToldApart(
  { view, constant }: BoundOperation,
  bound: ReadonlyMap<OperationId, BoundOperation>,
): boolean {
  if (constant) return false;
  const taken = [...bound.values()].flatMap((one) =>
    one.view === view && one.constant ? [one.constant] : [],
  );
  const [pointer] = taken.map((one) => one.pointer);
  const choice = listSchemaLeaves(view.operation.body).find((leaf) => leaf.pointer === pointer);
  if (!choice) return false;
  const values = new Set(taken.map(({ value }) => value));
  const words = choice.schema.type === 'boolean' ? [true, false] : choice.schema.words;
  return words.every(
    (word) =>
      values.has(word) || (typeof word === 'string' && isNameOutsideContract(splitWords(word))),
  );
}

/** True for a creation in a collection that is known by its record alone: what is made there may be another thing, and cost. */
function isOfUnnamed(operation: OperationId, state: KindState): boolean {
  const role = findContractOperationRole(operation);
  return role.is === 'create' && state(role.kind) === 'likened';
}

/** True for an operation on a project that is known by what it holds alone, or on what its record alone tells. */
function isOfGuess(operation: OperationId, state: KindState): boolean {
  const role = findContractOperationRole(operation);
  if (!('kind' in role)) return false;
  const known = state(role.kind);
  return known === 'likened' || (role.kind === 'project' && known === 'guessed');
}

/** True for an operation on a collection that is itself still a question for a person. */
function isOfAsked(operation: OperationId, state: KindState): boolean {
  const role = findContractOperationRole(operation);
  if ('kind' in role) return state(role.kind) === 'asked';
  // A holder of VMs without a known name may be a network as well as a project.
  const isOfPair = role.is !== 'read' && role.is !== 'write';
  return isOfPair && ['vm', 'network'].some((kind) => state(kind) === 'asked');
}

/**
 * Raises the likelihood of an operation with the contract's own path, or nearly so with its id, unless other signs
 * differ.
 */
function raise(
  operation: OperationId,
  view: OperationPathView,
  found: readonly OperationCandidate[],
  state: KindState,
): readonly OperationCandidate[] {
  const { method, path } = routes[operation];
  const theirs = view.operation.route ?? view.operation;
  const isSamePath =
    theirs.method === method &&
    removeRouteParameterNames(theirs.path) === removeRouteParameterNames(path);
  const isSameId = sameWords(operation, view.operation.id);
  const role = findContractOperationRole(operation);
  if (found.length === 0) {
    const kind = 'kind' in role ? role.kind : undefined;
    // The contract's own path counts, though the kind's other operations are elsewhere.
    if (isSamePath)
      return [
        { score: kind === undefined || ['asked', 'missing'].includes(state(kind)) ? 0.92 : 0.5 },
      ];
    const isSameMethod = (view.operation.method === 'GET') === (method === 'GET');
    return isSameId && isSameMethod ? [{ score: 0.5 }] : [];
  }
  if (!isSamePath && !isSameId) return found;
  const best = isSamePath ? 1 : 0.97;
  return found.map((one) => ({
    ...one,
    score: one.constant || (!isSamePath && one.score < 0.5) ? one.score : Math.max(one.score, best),
  }));
}

function sameWords(ours: string, theirs: string | undefined): boolean {
  if (theirs === undefined) return false;
  return fold(ours) === fold(theirs);
}

const folded = new Map<string, string>();

/** The words of an id sorted, so that `vmCreate` and `createVm` are the same. */
function fold(id: string): string {
  const known = folded.get(id) ?? splitWords(id).toSorted().join(' ');
  folded.set(id, known);
  return known;
}

// The places of the contract's parameters in an operation of the document.

/** A route of the document with the contract's names, and what is placed elsewhere. */
interface PlacedParameters {
  /** `METHOD /path`. */
  readonly line: string;
  /** Places of parameters by the contract's names: `query NAME` or `body POINTER`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Reasons why the operation cannot be requested by this route; empty where it can. */
  readonly problems: readonly string[];
}

/** The words of a parameter of the query that may be named as a filter: `filter[status]`. */
function withoutFilter(words: NameWords): NameWords {
  return words.length > 1 && words[0] === 'filter' ? words.slice(1) : words;
}

/** True for a filter by a status whose words are those of the contract's, whatever its name is. */
function isToldByWords(name: string, words: readonly string[]): boolean {
  return (
    name === 'status' &&
    words.length > 2 &&
    matchEnumWords('apiOperationStatus', words).share > 0.85
  );
}

/** The least likeness of a name to that of a parameter. */
const alike = 0.6;

/** Finds for each parameter of a contract operation where the service takes it: in the path, the query or the body. */
function placeParameters(
  operation: OperationId,
  view: OperationPathView,
  lexicon: BindingLexicon,
): PlacedParameters {
  const { params, query, body, isList = false } = operationShapes[operation];
  const members = Object.keys(recordShapes[body ?? ''] ?? {});
  const role = findContractOperationRole(operation);
  const kind = 'kind' in role ? role.kind : undefined;
  const { parameters: theirs, body: theirBody, sentElsewhere = {} } = view.operation;
  const { path, method } = view.operation.route ?? view.operation;
  const problems: string[] = [];
  const inPath = new Map<string, string>();
  // A member of our body may be a part of their path: `PUT /vms/{vmId}/size/{sizeId}`.
  for (const stranger of view.strangers) {
    const scored = members
      .map((name) => ({ name, score: scoreOf(name, splitWords(stranger)) }))
      .toSorted((one, other) => other.score - one.score);
    const [best, next] = scored;
    const isTold = best && best.score > 0.9 && (next?.score ?? 0) < best.score - 0.04;
    if (isTold) inPath.set(stranger, best.name);
    else problems.push(`nothing gives {${stranger}}`);
  }
  for (const { kind, param } of view.chain) {
    if (param === undefined) continue;
    const name = `${kind}Id`;
    const isKnown = params.includes(name) || members.includes(name);
    if (isKnown && !isIdOfOther(kind, splitWords(param))) inPath.set(param, name);
    else problems.push(`nothing gives ${sentElsewhere[param] ?? `{${param}}`}`);
  }
  const placed = new Set(inPath.values());
  const parameters: Record<string, string> = {};
  for (const [param, place] of Object.entries(sentElsewhere)) {
    const name = inPath.get(param);
    if (name !== undefined) parameters[name] = place;
  }
  for (const name of params.filter((one) => !placed.has(one))) {
    const place = findQuery(name) ?? findInBody(name);
    if (place !== undefined) parameters[name] = place;
    else if (name === params.at(-1)) problems.push(`nothing takes ${name}`);
  }
  if (view.operation.route && isDataLossOperation(operation)) {
    // A deletion by its words takes the id of nothing else: `/network/delete` with that of a VM takes the VM out of it.
    const given = new Set(Object.values(parameters));
    for (const [name, { isRequired, isUnsaid }] of theirBody?.members ?? []) {
      const isId = (isRequired || isUnsaid) && splitWords(name).at(-1) === 'id';
      if (isId && !given.has(`body /${name}`)) problems.push(`nothing gives body /${name}`);
    }
  }
  for (const name of query.filter((one) => one !== 'page' && one !== 'pageSize')) {
    const place = findQuery(name);
    if (place !== undefined && place !== `query ${name}`) parameters[name] = place;
  }
  const named = path.replaceAll(
    /\{([^{}]*)\}/g,
    (_, name: string) => `{${inPath.get(name) ?? name}}`,
  );
  return { line: `${method} ${named}`, parameters, problems };

  /** True for the id of a thing of another kind: `/backups/{serverId}` has those of a VM. */
  function isIdOfOther(own: string, words: readonly string[]): boolean {
    const isSure = (one: string) => lexicon.likeness(findKindIdSense(one), words) > 0.9;
    return !isSure(own) && [...resourceKindMeanings].some(isSure);
  }

  function scoreOf(name: string, words: readonly string[]): number {
    if (words.join(' ') === splitWords(name).join(' ')) return 1;
    const sense = findNameSense(name);
    const implied = sense.at(-1) === 'id' ? lexicon.likeness(sense, [...words, 'id']) * 0.9 : 0;
    return Math.max(0.99 * lexicon.likeness(sense, words, kind), implied);
  }

  function findQuery(name: string): string | undefined {
    const scored = theirs
      .filter(({ in: place }) => place === 'query')
      .map((one) => ({
        name: one.name,
        score: Math.max(
          scoreOf(name, withoutFilter(splitWords(one.name))),
          isToldByWords(name, one.schema?.words ?? []) ? 0.9 : 0,
        ),
      }))
      .sort((one, other) => other.score - one.score);
    const [best, next] = scored;
    if (!best || best.score < alike || (next && next.score > best.score - 0.04)) return undefined;
    return `query ${best.name}`;
  }

  function findInBody(name: string): string | undefined {
    if (!theirBody || isList || method === 'GET') return undefined;
    const scored = listSchemaLeaves(theirBody)
      .filter(
        ({ isList: isMany, schema, entity, holders }) =>
          !isMany && schema.members.size === 0 && (entity !== undefined || holders.length === 0),
      )
      .map((leaf) => ({ leaf, score: scoreOf(name, [...leaf.holders, ...leaf.words]) }))
      .sort((one, other) => other.score - one.score);
    const [best, next] = scored;
    if (!best || best.score < alike || (next && next.score > best.score - 0.04)) return undefined;
    return `body ${best.leaf.pointer}`;
  }
}
