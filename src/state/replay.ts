// Journal records onto a state. Pure: the store does the reading and the writing.
import { isDeepStrictEqual } from 'node:util';
import type { Address } from '../model/address.ts';
import {
  hasSameOutputs,
  isShownOnce,
  noOutputs,
  type Durations,
  type ManagedResource,
  type PendingCreate,
  type RememberedOutputs,
  type State,
} from '../model/state.ts';
import { isCreate, type IntentRecord, type JournalRecord } from './records.ts';

/** A state in the making: the same shape as `State`, changed in place by `applyRecord`. */
export interface StateDraft {
  readonly lineage: string;
  serial: number;
  service: string | null;
  readonly resources: Map<Address, ManagedResource>;
  readonly pending: Map<Address, PendingCreate>;
  outputs?: RememberedOutputs;
  durations?: Durations;
}

/** The state before the first run. */
export function createEmptyState(lineage: string): State {
  return { lineage, serial: 0, service: null, resources: new Map(), pending: new Map() };
}

/** A private copy that may be changed in place; resources themselves are shared, they never change. */
export function copyState(state: State): StateDraft {
  return { ...state, resources: new Map(state.resources), pending: new Map(state.pending) };
}

/** The state after the records, in time linear in both. Leaves `state` as it is. */
export function replay(state: State, records: Iterable<JournalRecord>): State {
  const draft = copyState(state);
  for (const record of records) applyRecord(draft, record);
  return draft;
}

/** Applies one record in constant time. True when the state differs for it. */
export function applyRecord(draft: StateDraft, record: JournalRecord): boolean {
  switch (record.kind) {
    case 'begin': {
      const isNews = draft.service !== record.service;
      draft.service = record.service;
      return isNews;
    }
    case 'intent':
      if (!isCreate(record.command)) return false;
      draft.pending.set(record.address, toPendingCreate(record));
      return true;
    case 'bound':
    case 'settled':
      return keepResource(draft, record.resource);
    case 'removed':
      return dropResource(draft, record.address);
    case 'rearranged': {
      const dropped = record.removed.map((address) => dropResource(draft, address));
      const kept = record.resources.map((resource) => keepResource(draft, resource));
      return [...dropped, ...kept].includes(true);
    }
    case 'abandoned':
      return draft.pending.delete(record.address);
    case 'outputs':
      return keepOutputs(draft, new Map(Object.entries(record.outputs)));
    case 'timed':
      draft.durations = record.durations;
      return true;
    case 'accepted':
    case 'end':
      return false;
  }
}

function toPendingCreate(record: IntentRecord): PendingCreate {
  const { address, command, at, knownIds = [], configured = [] } = record;
  return { address, command, knownIds, at, configured };
}

/** What is worth nothing without its answer may have been made more than once: only `abandoned` ends the search. */
function endPending({ pending }: StateDraft, address: Address): boolean {
  const one = pending.get(address);
  return one !== undefined && !isShownOnce(one) && pending.delete(address);
}

function dropResource(draft: StateDraft, address: Address): boolean {
  const wasPending = endPending(draft, address);
  return draft.resources.delete(address) || wasPending;
}

function keepResource(draft: StateDraft, resource: ManagedResource): boolean {
  const wasPending = endPending(draft, resource.address);
  const previous = draft.resources.get(resource.address);
  draft.resources.set(resource.address, resource);
  return wasPending || !isDeepStrictEqual(previous, resource);
}

function keepOutputs(draft: StateDraft, outputs: RememberedOutputs): boolean {
  const isNews = !hasSameOutputs(draft.outputs ?? noOutputs, outputs);
  if (outputs.size > 0) draft.outputs = outputs;
  else delete draft.outputs;
  return isNews;
}
