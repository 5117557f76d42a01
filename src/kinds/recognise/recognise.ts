// Tells what a create of Hostwright made from everything else. Neither an idempotency key nor the id in an answer leads to it
// (contract: conventions), so it is recognised by what never changes and by when it came to be. Where that does not suffice,
// nothing is taken for ours.
import { commandSubjects, type ResolvedCommand } from '../../model/account/command.ts';
import { projectIdOf } from '../../model/account/place-of-command.ts';
import { evidence } from '../../model/state/evidence.ts';
import { foldName } from '../../model/text/fold-name.ts';
import { nameOf, type LiveResource } from '../../model/account/live.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { groupBy } from '../../model/group-by.ts';
import { isUnmarked } from '../relations/marks.ts';
import { findFacts } from '../find-facts.ts';
import type { ToldMatch } from '../told.ts';

/** A create that went out, with what was known right before. Times are the service's own, from its `Date` header. */
export interface CreateAttempt {
  readonly command: ResolvedCommand;
  /** Ids that were there before and could be mistaken for the new one. */
  readonly knownIds: readonly string[];
  /** True: these are all of its kind and place, so that every other one is new. */
  readonly isAllKnown?: boolean | undefined;
  /** Not later than the first sending; undefined where the service tells no time. */
  readonly serviceAt?: number | undefined;
  /** Not later than the answer that accepted it; undefined while none did. */
  readonly acceptedServiceAt?: number | undefined;
  /** Set while nothing has shown that the service's records go by the clock of its `Date` header. */
  readonly isClockUnknown?: boolean | undefined;
}

/** What stands in the account, by what it may have to do with a create. */
export interface Recognition {
  /** Equal in name and in all that never changes, and new: any of them may be what the create made. */
  readonly ours: readonly LiveResource[];
  /** Equal in all that the service tells, while something is untold: a person has to say whether the create made it. */
  readonly unproven: readonly LiveResource[];
  /** The same, but created before the sending or well after the acceptance: only where nothing better shows. */
  readonly doubtful: readonly LiveResource[];
  /** The same, of a create that was not accepted, where the clock of its time is unknown: a person has to say. */
  readonly undated: readonly LiveResource[];
  /** Of its name or on its port, and made by somebody else. */
  readonly rivals: readonly LiveResource[];
}

/** The resolution of a `Date` header. */
const dateStepMs = 1_000;

/**
 * Sorts the live resources by what they may have to do with a create. `isKnown`: what has an address already.
 * A name counts as equal when it folds to the same, where nothing has the exact name: services may rewrite names.
 * `isAskedForByName`: what another create asked for by this very name is not one whose name was rewritten.
 */
export function recognise(
  attempt: CreateAttempt,
  candidates: readonly LiveResource[],
  isKnown: (id: string) => boolean,
  isAskedForByName: (live: LiveResource) => boolean = () => false,
): Recognition {
  const { command } = attempt;
  const fresh = filterFresh(attempt, pickNamed(command, candidates), isKnown);
  const exact = sort(
    attempt,
    fresh.filter((live) => hasIdentity(command, live)),
  );
  const { rivals, ...likely } = exact;
  if (!isNamed(command) || Object.values(likely).some(({ length }) => length > 0)) return exact;
  const free = fresh.filter((live) => !isAskedForByName(live));
  return { ...sort(attempt, free), rivals };
}

/** What is new, of another name, and equal in all that never changes: perhaps ours, renamed since. */
export function findAlike(
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

/** True for a resource in an answer that may be what the create made: of its kind, in its place. */
export function couldHaveMade(command: ResolvedCommand, live: LiveResource): boolean {
  return live.kind === commandSubjects[command.kind].kind && isInPlace(command, live);
}

/** What stands there before a create is sent and could be mistaken for what it makes. */
export function listMistakable(
  command: ResolvedCommand,
  candidates: readonly LiveResource[],
): readonly LiveResource[] {
  const { kind } = commandSubjects[command.kind];
  const { isIdentityPassing } = findFacts(command.kind);
  return pickNamed(command, candidates).filter(
    (live) =>
      live.kind === kind &&
      isInPlace(command, live) &&
      (isNamed(command) || isIdentityPassing === true || hasIdentity(command, live)),
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

export function isNamed(command: ResolvedCommand): command is Named {
  return 'name' in command;
}

/** True for a create of what has no name, and nothing in its place: only its time tells it from others. */
export function isNameless(command: ResolvedCommand): boolean {
  return !isNamed(command) && isUnmarked(commandSubjects[command.kind].kind);
}

/** Thousands of creates may be looked for in one list: it is gone through once. */
const indexes = new WeakMap<
  readonly LiveResource[],
  ReadonlyMap<string, readonly LiveResource[]>
>();

/** Those of the name of a create, however a service may have rewritten it; all where it has no name. */
function pickNamed(
  command: ResolvedCommand,
  candidates: readonly LiveResource[],
): readonly LiveResource[] {
  if (!isNamed(command)) return candidates;
  let index = indexes.get(candidates);
  if (!index) {
    index = groupBy(candidates, (live) => foldName(nameOf(live) ?? ''));
    indexes.set(candidates, index);
  }
  return index.get(foldName(command.name)) ?? [];
}

function sort(attempt: CreateAttempt, named: readonly LiveResource[]): Recognition {
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
    // What was accepted has to be somewhere; what was not may not have been made at all.
    else if (acceptedServiceAt !== undefined) doubtful.push(live);
    else (isClockUnknown ? undated : rivals).push(live);
  }
  return { ours, unproven, doubtful, undated, rivals };
}

function isInPlace(command: ResolvedCommand, live: LiveResource): boolean {
  const projectId = projectIdOf(command);
  if (projectId === undefined) return true;
  if (live.projectId !== projectId) return false;
  return findFacts(command.kind).isInPlace?.(live, command) ?? true;
}

/** The name, or what takes its place where a kind has none. */
export function hasIdentity(command: ResolvedCommand, live: LiveResource): boolean {
  const isSame = findFacts(command.kind).hasIdentity?.(live, command);
  return isSame ?? (isNamed(command) && nameOf(live) === command.name);
}

/**
 * Likeness in all that no request changes. An accepted create has to have made something: then it is enough that nothing told
 * differs, or that what differs may still become so.
 */
function compare({ command, acceptedServiceAt }: CreateAttempt, live: LiveResource): ToldMatch {
  const likeness = compareUnchanging(command, live);
  if (acceptedServiceAt === undefined || likeness === 'same') return likeness;
  const isEqual = likeness === 'untold' || findFacts(command.kind).mayBecome?.(live, command);
  return isEqual ? 'same' : 'other';
}

function compareUnchanging(command: ResolvedCommand, live: LiveResource): ToldMatch {
  return findFacts(command.kind).compareUnchanging?.(live, command) ?? 'same';
}

/** Not created before the sending, nor well after the acceptance; true where the service does not say when. */
function isInTime(
  { command, serviceAt, acceptedServiceAt }: CreateAttempt,
  live: LiveResource,
): boolean {
  const { createdAt } = live;
  if (createdAt === undefined || createdAt === null) return true;
  if (serviceAt !== undefined && createdAt < serviceAt - evidence.clockSkewMs) return false;
  if (acceptedServiceAt === undefined) return true;
  // Only its time distinguishes a resource without a name.
  const spanMs = isNamed(command) ? evidence.leastLookMs : evidence.clockSkewMs;
  return createdAt <= acceptedServiceAt + spanMs;
}

/**
 * New since the sending for certain, and equal in all that never changes. Kinds without a name have no other name.
 */
function isAlike({ command, serviceAt, isAllKnown }: CreateAttempt, live: LiveResource): boolean {
  if (!isNamed(command) || compareUnchanging(command, live) === 'other') return false;
  const { createdAt } = live;
  if (serviceAt === undefined) return isAllKnown === true;
  return typeof createdAt === 'number' && createdAt >= serviceAt - dateStepMs;
}

/** What may be the second result of a create, and what looks like it. */
interface Extras {
  readonly ours: readonly LiveResource[];
  readonly alike: readonly LiveResource[];
}

/**
 * A service that has kept the name of one thing rewrites that of no other. `bound`: what the same create made, as far as it
 * is known; where it has the very name, what has another spelling of it is merely alike: a person has made or renamed it.
 */
export function dropRespelled(
  command: ResolvedCommand,
  { bound, ours, alike }: Extras & { readonly bound: LiveResource | undefined },
): Extras {
  const isKept = bound !== undefined && hasIdentity(command, bound);
  if (!isKept || ours.some((live) => hasIdentity(command, live))) return { ours, alike };
  return { ours: [], alike: [...ours, ...alike] };
}

/**
 * True for what bears another spelling of the name that was asked for, where the service is not known to rewrite names:
 * somebody else may have made it.
 */
export function isOddlySpelled(
  command: ResolvedCommand,
  live: LiveResource,
  managed: Iterable<ManagedResource>,
): boolean {
  if (!('name' in command) || nameOf(live) === command.name) return false;
  for (const { shown } of managed) if (shown?.name !== undefined) return false;
  return true;
}
