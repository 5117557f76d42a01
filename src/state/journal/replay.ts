// Applies journal records to a state. Pure: the store reads and writes.
import { isDeepStrictEqual } from 'node:util';
import type { Binding } from '../../model/account/binding.ts';
import { findCommandSubjectId, type ResolvedCommand } from '../../model/account/command.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Safeguards } from '../../model/state/safeguards.ts';
import {
  hasSameOutputs,
  isCreateUselessWithoutAnswer,
  emptyStateOutputs,
  makeSentCreateCommand,
  type UsualCommandDurations,
  type UsualReadyDurations,
  type ServiceRecordClockLeads,
  type ManagedResource,
  type PendingCreate,
  type PossibleDuplicateCreate,
  type RememberedOutputs,
  type SentCommand,
  type State,
} from '../../model/state/state.ts';
import {
  isCreateRequest,
  type RequestAcceptedRecord,
  type RunBeginRecord,
  type RequestIntentRecord,
  type JournalRecord,
  type ResourceSightedRecord,
  type CommandDurationsRecord,
} from './records.ts';

/** A state under construction: the same shape as `State`, changed in place by `applyJournalRecord`. */
export interface StateDraft {
  readonly lineage: string;
  serial: number;
  service: string | null;
  authorities?: readonly string[];
  contract?: Binding;
  readonly resources: Map<ResourceAddress, ManagedResource>;
  readonly pending: Map<ResourceAddress, PendingCreate>;
  sent?: Map<string, SentCommand>;
  possibleDoubles?: readonly PossibleDuplicateCreate[];
  outputs?: RememberedOutputs;
  safeguards?: Safeguards;
  durations?: UsualCommandDurations;
  readyTimes?: UsualReadyDurations;
  slowestAppearanceMs?: number;
  clocks?: ServiceRecordClockLeads;
}

/** Makes the empty state that a configuration has before its first run. */
export function createEmptyState(lineage: string): State {
  return { lineage, serial: 0, service: null, resources: new Map(), pending: new Map() };
}

/** Makes a private copy of a state that may be changed in place; the resources are shared, since they never change. */
export function copyStateDraft({ sent, ...state }: State): StateDraft {
  return {
    ...state,
    resources: new Map(state.resources),
    pending: new Map(state.pending),
    ...(sent && { sent: new Map(sent) }),
  };
}

/** Replays records on a state, in time linear in both. The given state is not changed. */
export function replayJournalRecords(state: State, records: Iterable<JournalRecord>): State {
  const draft = copyStateDraft(state);
  for (const record of records) applyJournalRecord(draft, record);
  return draft;
}

/** Applies one record to the state in constant time. Returns true when the record changes the state. */
export function applyJournalRecord(draft: StateDraft, record: JournalRecord): boolean {
  switch (record.kind) {
    case 'begin':
      return bindService(draft, record);
    case 'intent':
      return isCreateRequest(record.command) ? noteCreate(draft, record) : noteSent(draft, record);
    case 'accepted':
      return noteAccepted(draft, record);
    case 'ended': {
      const wasOpen = endSent(draft, record.id);
      return (record.resource && keepResource(draft, record.resource)) || wasOpen;
    }
    case 'possibleDouble':
      return keepDoubles(draft, watchDouble(draft.possibleDoubles ?? [], record.double));
    case 'doubleSettled': {
      const isLeft = (double: PossibleDuplicateCreate) => !isDoubleOf(double, record);
      return keepDoubles(draft, (draft.possibleDoubles ?? []).filter(isLeft));
    }
    case 'bound':
      return keepResource(draft, record.resource);
    case 'settled': {
      const isNews = keepResource(draft, record.resource);
      return endSent(draft, record.resource.id) || isNews;
    }
    case 'removed':
      return dropResource(draft, record.address);
    case 'rearranged': {
      const dropped = record.removed.map((address) => dropResource(draft, address));
      const kept = record.resources.map((resource) => keepResource(draft, resource));
      return [...dropped, ...kept].includes(true);
    }
    case 'sighted':
      return noteSighted(draft, record);
    case 'abandoned':
      return draft.pending.delete(record.address);
    case 'outputs':
      return keepOutputs(draft, new Map(Object.entries(record.outputs)));
    case 'safeguards':
      return keepSafeguards(draft, record.safeguards);
    case 'timed':
      return keepTimes(draft, record);
    case 'end':
      return noteEnd(draft, record.serviceAt);
  }
}

function keepTimes(
  draft: StateDraft,
  { durations, readyTimes, slowestAppearanceMs, clocks }: CommandDurationsRecord,
): true {
  draft.durations = durations;
  if (clocks) draft.clocks = clocks;
  if (readyTimes) draft.readyTimes = readyTimes;
  if (slowestAppearanceMs !== undefined) draft.slowestAppearanceMs = slowestAppearanceMs;
  return true;
}

function noteCreate(draft: StateDraft, record: RequestIntentRecord): true {
  draft.pending.set(record.address, toPendingCreate(record));
  supersedeDouble(draft, (one) => one.address === record.address && !isDoubleOf(one, record));
  return true;
}

function bindService(
  draft: StateDraft,
  { service, authorities, contract }: RunBeginRecord,
): boolean {
  const isMoved = draft.service !== service;
  const isSpelledSo = isDeepStrictEqual(draft.contract, contract);
  if (contract) draft.contract = contract;
  else delete draft.contract;
  const before = draft.authorities ?? [];
  draft.service = service;
  // Durations and clocks of one service do not hold for another.
  if (isMoved) {
    delete draft.durations;
    delete draft.readyTimes;
    delete draft.slowestAppearanceMs;
    delete draft.clocks;
  }
  const after = authorities ?? (isMoved ? [] : before);
  if (after.length > 0) draft.authorities = after;
  else delete draft.authorities;
  return isMoved || !isSpelledSo || !isDeepStrictEqual(before, after);
}

function toPendingCreate(record: RequestIntentRecord): PendingCreate {
  const { address, command, at, knownIds = [], isAllKnown, configured = [], serviceAt } = record;
  const { isProtected, retireMs } = record;
  return {
    address,
    command,
    knownIds,
    at,
    configured,
    ...(isProtected && { isProtected }),
    ...(retireMs !== undefined && { retireMs }),
    ...(isAllKnown && { isAllKnown }),
    ...(serviceAt !== undefined && { serviceAt }),
  };
}

/** A request that is sent again may have been carried out since it was first sent. */
function noteSent(
  draft: StateDraft,
  { address, command, at, serviceAt }: RequestIntentRecord,
): boolean {
  const id = findCommandSubjectId(command);
  if (id === undefined) return false;
  const earlier = draft.sent?.get(id);
  const sent = earlier && isDeepStrictEqual(earlier.command, command) ? earlier : undefined;
  return keepSent(draft, id, {
    address,
    command,
    at,
    ...(serviceAt !== undefined && { serviceAt }),
    ...sent,
  });
}

function noteAccepted(
  draft: StateDraft,
  { address, commandName, id, at, serviceAt }: RequestAcceptedRecord,
): boolean {
  const times = {
    acceptedAt: at,
    ...(serviceAt !== undefined && { acceptedServiceAt: serviceAt }),
  };
  const one = draft.sent?.get(id ?? '');
  if (id !== undefined) return one !== undefined && keepSent(draft, id, { ...one, ...times });
  // Another request at this address does not concern its create.
  if (draft.pending.get(address)?.command.kind !== commandName) return false;
  return notePending(draft, address, times);
}

function keepSent(draft: StateDraft, id: string, one: SentCommand): true {
  draft.sent ??= new Map();
  draft.sent.set(id, one);
  return true;
}

function endSent(draft: StateDraft, id: string): boolean {
  const wasOpen = draft.sent?.delete(id) === true;
  if (draft.sent?.size === 0) delete draft.sent;
  return wasOpen;
}

function notePending(
  { pending }: StateDraft,
  address: ResourceAddress,
  news: Partial<PendingCreate>,
): boolean {
  const one = pending.get(address);
  if (!one) return false;
  pending.set(address, { ...one, ...news });
  return true;
}

function noteSighted(
  draft: StateDraft,
  { address, ids, isAnswered }: ResourceSightedRecord,
): boolean {
  const before = draft.pending.get(address)?.sightedIds ?? [];
  const news = ids.filter((id) => !before.includes(id));
  const [answeredId] = isAnswered ? ids : [];
  return (
    news.length > 0 &&
    notePending(draft, address, {
      sightedIds: [...before, ...news],
      ...(answeredId !== undefined && { answeredId }),
    })
  );
}

/** After the regular end of a run, none of its requests is under way any more. */
function noteEnd({ pending }: StateDraft, serviceAt: number | undefined): boolean {
  if (serviceAt === undefined) return false;
  for (const [address, one] of pending) pending.set(address, { ...one, lastServiceAt: serviceAt });
  return pending.size > 0;
}

function keepDoubles(draft: StateDraft, doubles: readonly PossibleDuplicateCreate[]): boolean {
  if (doubles.length > 0) draft.possibleDoubles = doubles;
  else delete draft.possibleDoubles;
  return true;
}

/**
 * A resource that is useless without its first answer (a token) may have been made more than once: only `abandoned` ends the
 * search for it.
 */
function endPending({ pending }: StateDraft, address: ResourceAddress): boolean {
  const one = pending.get(address);
  return one !== undefined && !isCreateUselessWithoutAnswer(one) && pending.delete(address);
}

function dropResource(draft: StateDraft, address: ResourceAddress): boolean {
  const wasPending = endPending(draft, address);
  const id = draft.resources.get(address)?.id;
  if (id !== undefined) endSent(draft, id);
  return draft.resources.delete(address) || wasPending;
}

function keepResource(draft: StateDraft, resource: ManagedResource): boolean {
  const create = draft.pending.get(resource.address);
  const wasPending = endPending(draft, resource.address);
  // From here on the resource is known by its id, perhaps not finished.
  if (create && wasPending) {
    keepSent(draft, resource.id, makeSentCreateCommand(create));
    supersedeDouble(draft, (double) => isDoubleOf(double, create));
  }
  const previous = draft.resources.get(resource.address);
  draft.resources.set(resource.address, resource);
  return wasPending || !isDeepStrictEqual(previous, resource);
}

function keepOutputs(draft: StateDraft, outputs: RememberedOutputs): boolean {
  const isNews = !hasSameOutputs(draft.outputs ?? emptyStateOutputs, outputs);
  if (outputs.size > 0) draft.outputs = outputs;
  else delete draft.outputs;
  return isNews;
}

function keepSafeguards(draft: StateDraft, safeguards: Safeguards): boolean {
  const isNews = !isDeepStrictEqual(draft.safeguards ?? {}, safeguards);
  if (Object.keys(safeguards).length > 0) draft.safeguards = safeguards;
  else delete draft.safeguards;
  return isNews;
}

// Creates that may have made two resources, as the state lists them.

/** Tells whether a possible double belongs to an address, or to the one create that is named. */
function isDoubleOf(
  double: PossibleDuplicateCreate,
  { address, command }: { readonly address: ResourceAddress; readonly command?: ResolvedCommand },
): boolean {
  const isOther = command !== undefined && !isDeepStrictEqual(double.command, command);
  return double.address === address && !isOther;
}

/** Adds a possible double. An address that was replaced meanwhile has several; one create that was sent again is one. */
function watchDouble(
  doubles: readonly PossibleDuplicateCreate[],
  double: PossibleDuplicateCreate,
): readonly PossibleDuplicateCreate[] {
  const before = doubles.find((one) => isDoubleOf(one, double));
  const others = doubles.filter((one) => one !== before);
  return [...others, before ? mergeDoubles(before, double) : double];
}

/** Joins two records of one create: the results of all its requests are watched. */
function mergeDoubles(
  before: PossibleDuplicateCreate,
  double: PossibleDuplicateCreate,
): PossibleDuplicateCreate {
  const { address, command, at, watchedServiceAt } = double;
  const isTimed = before.serviceAt !== undefined && double.serviceAt !== undefined;
  return {
    address,
    command,
    knownIds: before.knownIds,
    at,
    ...(before.isAllKnown && { isAllKnown: true }),
    ...(isTimed && { serviceAt: Math.min(before.serviceAt, double.serviceAt) }),
    ...(watchedServiceAt !== undefined && { watchedServiceAt }),
    ...(before.isSentOnce && double.isSentOnce && { isSentOnce: true }),
    ...(before.isSuperseded && { isSuperseded: true }),
  };
}

/**
 * Marks a watched create as superseded: its resource is known by its id, or another create goes out at its address. Either
 * resource may be gone before the watch is over.
 */
function supersedeDouble(
  draft: { possibleDoubles?: readonly PossibleDuplicateCreate[] },
  isOver: (double: PossibleDuplicateCreate) => boolean,
): void {
  if (!draft.possibleDoubles) return;
  draft.possibleDoubles = draft.possibleDoubles.map((double) =>
    isOver(double) ? { ...double, isSuperseded: true } : double,
  );
}
