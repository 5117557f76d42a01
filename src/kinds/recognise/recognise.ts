// Tells the result of a create of Hostwright from all other resources. Neither an idempotency key nor the id in an answer
// leads to it (contract: conventions), so it is recognised by attributes that never change and by the time of its creation.
// If these do not suffice, no resource is recognised.
import { commandSubjects, type ResolvedCommand } from '../../model/account/command.ts';
import { findProjectIdOfCommand } from '../../model/account/place-of-command.ts';
import { lostCreateSearchBounds } from '../../model/state/evidence.ts';
import { foldNameForComparison } from '../../model/text/fold-name.ts';
import { getLiveName, type LiveResource } from '../../model/account/live.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { groupBy } from '../../model/group-by.ts';
import { isKindWithoutIdentity } from '../relations/marks.ts';
import { findCommandFacts } from '../find-facts.ts';
import type { ToldValueMatch } from '../told.ts';

/** A create that was sent, with the facts known right before. Times are the service's own, from its `Date` header. */
export interface CreateAttempt {
  readonly command: ResolvedCommand;
  /** Ids of resources that existed before and could be mistaken for the new one. */
  readonly knownIds: readonly string[];
  /** Set where `knownIds` has all resources of the kind and place, so that every other one is new. */
  readonly isAllKnown?: boolean | undefined;
  /** A time of the service no later than the first sending; undefined where the service gives no time. */
  readonly serviceAt?: number | undefined;
  /** A time of the service no later than the answer that accepted the create; undefined while none did. */
  readonly acceptedServiceAt?: number | undefined;
  /** Set while nothing has shown that the service's records go by the clock of its `Date` header. */
  readonly isClockUnknown?: boolean | undefined;
}

/** Resources of the account, by their possible relation to a create. */
export interface CreateRecognition {
  /** New resources that are equal in name and in all attributes that never change: any of them may be the result. */
  readonly ours: readonly LiveResource[];
  /**
   * Resources that are equal as far as the service reports them, with something unreported: a person has to decide about
   * them.
   */
  readonly unproven: readonly LiveResource[];
  /** Equal resources that were created before the sending or well after the acceptance: used only where nothing better shows. */
  readonly doubtful: readonly LiveResource[];
  /** Equal resources whose time is by an unknown clock, for a create that was not accepted: a person has to decide about them. */
  readonly undated: readonly LiveResource[];
  /** Resources with the create's name or port that somebody else made. */
  readonly rivals: readonly LiveResource[];
}

/** Milliseconds of one step of the `Date` header, which has whole seconds only. */
const dateStepMs = 1_000;

/**
 * Sorts the live resources by their possible relation to a create. `isKnown`: the resource has an address already. A name
 * counts as equal when it folds to the same, where nothing has the exact name: services may rewrite names.
 * `isAskedForByName`: another create asked for the resource by its exact name, so its name was not rewritten.
 */
export function recogniseCreatedResources(
  attempt: CreateAttempt,
  candidates: readonly LiveResource[],
  isKnown: (id: string) => boolean,
  isAskedForByName: (live: LiveResource) => boolean = () => false,
): CreateRecognition {
  const { command } = attempt;
  const fresh = filterFresh(attempt, pickNamed(command, candidates), isKnown);
  const exact = sort(
    attempt,
    fresh.filter((live) => hasCreateIdentity(command, live)),
  );
  const { rivals, ...likely } = exact;
  if (!isNamedCreate(command) || Object.values(likely).some(({ length }) => length > 0))
    return exact;
  const free = fresh.filter((live) => !isAskedForByName(live));
  return { ...sort(attempt, free), rivals };
}

/** New resources with another name that are equal in all attributes that never change: perhaps ours, renamed since. */
export function findRenamedLookalikes(
  attempt: CreateAttempt,
  candidates: readonly LiveResource[],
  isKnown: (id: string) => boolean,
): readonly LiveResource[] {
  const { command } = attempt;
  const named = new Set(pickNamed(command, candidates));
  return filterFresh(attempt, candidates, isKnown).filter(
    (live) => !named.has(live) && isAlike(attempt, live),
  );
}

/** Tells whether a resource in an answer may be the result of a create: of its kind, in its place. */
export function isPossibleCreateResult(command: ResolvedCommand, live: LiveResource): boolean {
  return live.kind === commandSubjects[command.kind].kind && isInPlace(command, live);
}

/** Existing resources that could be mistaken for the result of a create that is about to be sent. */
export function listLookalikeResources(
  command: ResolvedCommand,
  candidates: readonly LiveResource[],
): readonly LiveResource[] {
  const { kind } = commandSubjects[command.kind];
  const { isIdentityPassing } = findCommandFacts(command.kind);
  return pickNamed(command, candidates).filter(
    (live) =>
      live.kind === kind &&
      isInPlace(command, live) &&
      (isNamedCreate(command) || isIdentityPassing === true || hasCreateIdentity(command, live)),
  );
}

function filterFresh(
  { command, knownIds }: CreateAttempt,
  candidates: readonly LiveResource[],
  isKnown: (id: string) => boolean,
): readonly LiveResource[] {
  const known = new Set(knownIds);
  const { kind } = commandSubjects[command.kind];
  return candidates.filter(
    (live) =>
      live.kind === kind && !isKnown(live.id) && !known.has(live.id) && isInPlace(command, live),
  );
}

type Named = Extract<ResolvedCommand, { readonly name: string }>;

export function isNamedCreate(command: ResolvedCommand): command is Named {
  return 'name' in command;
}

/** Tells a create of a kind without names or marks: only the time distinguishes its result from others. */
export function isNamelessCreate(command: ResolvedCommand): boolean {
  return !isNamedCreate(command) && isKindWithoutIdentity(commandSubjects[command.kind].kind);
}

/** Resources by name. Thousands of creates may be looked for in one list: it is walked once. */
const indexes = new WeakMap<
  readonly LiveResource[],
  ReadonlyMap<string, readonly LiveResource[]>
>();

/** The resources with the name of a create, however a service may have rewritten it; all where the create has no name. */
function pickNamed(
  command: ResolvedCommand,
  candidates: readonly LiveResource[],
): readonly LiveResource[] {
  if (!isNamedCreate(command)) return candidates;
  let index = indexes.get(candidates);
  if (!index) {
    index = groupBy(candidates, (live) => foldNameForComparison(getLiveName(live) ?? ''));
    indexes.set(candidates, index);
  }
  return index.get(foldNameForComparison(command.name)) ?? [];
}

function sort(attempt: CreateAttempt, named: readonly LiveResource[]): CreateRecognition {
  const { acceptedServiceAt, isClockUnknown } = attempt;
  const ours: LiveResource[] = [];
  const unproven: LiveResource[] = [];
  const doubtful: LiveResource[] = [];
  const undated: LiveResource[] = [];
  const rivals: LiveResource[] = [];
  for (const live of named) {
    const likeness = compare(attempt, live);
    if (likeness === 'other') rivals.push(live);
    else if (isInTime(attempt, live)) (likeness === 'same' ? ours : unproven).push(live);
    // The result of an accepted create has to exist; that of any other may not have been made at all.
    else if (acceptedServiceAt !== undefined) doubtful.push(live);
    else (isClockUnknown ? undated : rivals).push(live);
  }
  return { ours, unproven, doubtful, undated, rivals };
}

function isInPlace(command: ResolvedCommand, live: LiveResource): boolean {
  const projectId = findProjectIdOfCommand(command);
  if (projectId === undefined) return true;
  if (live.projectId !== projectId) return false;
  return findCommandFacts(command.kind).isInPlace?.(live, command) ?? true;
}

/** Tells whether a resource has the name of a create, or the marks that stand for a name where the kind has none. */
export function hasCreateIdentity(command: ResolvedCommand, live: LiveResource): boolean {
  const isSame = findCommandFacts(command.kind).hasIdentity?.(live, command);
  return isSame ?? (isNamedCreate(command) && getLiveName(live) === command.name);
}

/**
 * Likeness in all attributes that no request changes. An accepted create must have made something: then it is enough that no
 * reported attribute differs, or that one that differs may still change.
 */
function compare(
  { command, acceptedServiceAt }: CreateAttempt,
  live: LiveResource,
): ToldValueMatch {
  const likeness = compareUnchanging(command, live);
  if (acceptedServiceAt === undefined || likeness === 'same') return likeness;
  const isEqual =
    likeness === 'untold' || findCommandFacts(command.kind).mayBecome?.(live, command);
  return isEqual ? 'same' : 'other';
}

function compareUnchanging(command: ResolvedCommand, live: LiveResource): ToldValueMatch {
  return findCommandFacts(command.kind).compareUnchanging?.(live, command) ?? 'same';
}

/**
 * Tells whether a resource was created neither before the sending nor well after the acceptance; true where the service does
 * not report the time.
 */
function isInTime(
  { command, serviceAt, acceptedServiceAt }: CreateAttempt,
  live: LiveResource,
): boolean {
  const { createdAt } = live;
  if (createdAt === undefined || createdAt === null) return true;
  if (serviceAt !== undefined && createdAt < serviceAt - lostCreateSearchBounds.clockSkewMs)
    return false;
  if (acceptedServiceAt === undefined) return true;
  // A resource without a name can be recognised by its time only, so less deviation is allowed.
  const spanMs = isNamedCreate(command)
    ? lostCreateSearchBounds.leastLookMs
    : lostCreateSearchBounds.clockSkewMs;
  return createdAt <= acceptedServiceAt + spanMs;
}

/**
 * Tells whether a resource is certainly new since the sending, and equal in all attributes that never change. A kind without
 * names has no other name.
 */
function isAlike({ command, serviceAt, isAllKnown }: CreateAttempt, live: LiveResource): boolean {
  if (!isNamedCreate(command) || compareUnchanging(command, live) === 'other') return false;
  const { createdAt } = live;
  if (serviceAt === undefined) return isAllKnown === true;
  return typeof createdAt === 'number' && createdAt >= serviceAt - dateStepMs;
}

/** Possible second results of a create, and resources that look like them. */
interface Extras {
  readonly ours: readonly LiveResource[];
  readonly alike: readonly LiveResource[];
}

/**
 * Leaves out resources with a rewritten name, where the service has kept the name of another: it rewrites none. `bound`: the
 * known result of the same create; where it has the exact name, a resource with another spelling is merely alike: a person
 * has made or renamed it.
 */
export function removeRespelledResources(
  command: ResolvedCommand,
  { bound, ours, alike }: Extras & { readonly bound: LiveResource | undefined },
): Extras {
  const isKept = bound !== undefined && hasCreateIdentity(command, bound);
  if (!isKept || ours.some((live) => hasCreateIdentity(command, live))) return { ours, alike };
  return { ours: [], alike: [...ours, ...alike] };
}

/**
 * Tells whether a resource has another spelling of the requested name, where the service is not known to rewrite names:
 * somebody else may have made it.
 */
export function isOddlySpelledName(
  command: ResolvedCommand,
  live: LiveResource,
  managed: Iterable<ManagedResource>,
): boolean {
  if (!('name' in command) || getLiveName(live) === command.name) return false;
  for (const { shown } of managed) if (shown?.name !== undefined) return false;
  return true;
}
