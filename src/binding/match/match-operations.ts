import { removeRouteParameterNames } from '../../api/contract/check-route.ts';
import { operationIds } from '../../api/contract/operation-ids.ts';
import { type OperationId, routes } from '../../api/contract/routes.ts';
import { isNameOutsideContract } from '../vocabulary/strangers.ts';
import { type BindingLexicon, splitWords } from '../vocabulary/words.ts';
import { assignBindingPairs, type LikelyBindingPair } from './assign.ts';
import {
  type OperationCandidate,
  OperationCandidateFinder,
  type OperationBodyConstant,
} from './candidates.ts';
import { listSchemaLeaves } from './leaves.ts';
import type { RecordMemberMatcher } from './match-members.ts';
import { mayServeContractOperation } from './overlooked.ts';
import { type PlacedParameters, findParameterPlaces } from './place-parameters.ts';
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
        const placed = findParameterPlaces(operation, view, lexicon);
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
    const placed = findParameterPlaces(operation, view, lexicon);
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
      (view) => !used.has(view) && mayServeContractOperation(operation, view, lexicon),
    );
    if (overlooked.length === 0) continue;
    openOf(
      operation,
      overlooked.map((view) => {
        const placed = findParameterPlaces(operation, view, lexicon);
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
