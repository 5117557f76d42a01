// What the journal is made of: one record for each thing that happened to a resource, as plain data.
import type { Address } from '../../model/address.ts';
import {
  commandSubjects,
  type CommandName,
  type ResolvedCommand,
} from '../../model/account/command.ts';
import type {
  Durations,
  KnownClocks,
  ManagedResource,
  PossibleDouble,
  RememberedOutput,
} from '../../model/state/state.ts';

import type { Binding } from '../../model/account/binding.ts';
import type { Safeguards } from '../../model/state/safeguards.ts';

/** A run starts to change things. */
export interface BeginRecord {
  readonly kind: 'begin';
  readonly runId: string;
  /** The version of Hostwright. */
  readonly version: string;
  /** The base address of the service that the run talks to. */
  readonly service: string;
  /** SHA-256 of each authority that the run trusts besides the known ones; absent: those of the state, if it is the same service. */
  readonly authorities?: readonly string[];
  /** The service's spelling of the contract; absent for the contract's own. */
  readonly contract?: Binding;
  /** Milliseconds since the Unix epoch, as in every record. */
  readonly at: number;
}

/** A request is about to go out. Must be durable before it does. */
export interface IntentRecord {
  readonly kind: 'intent';
  readonly address: Address;
  readonly command: ResolvedCommand;
  /** Creates only: ids of that kind that existed before and could be mistaken for the new one. */
  readonly knownIds?: readonly string[];
  /** Creates only. True: these are all of that kind and place. */
  readonly isAllKnown?: true;
  /** Creates only: the fields that the configuration gives. */
  readonly configured?: readonly string[];
  /** The service's time right before the first request; absent where it told none. */
  readonly serviceAt?: number;
  readonly at: number;
}

/** The service took the request; what it asked for may not be finished. */
export interface AcceptedRecord {
  readonly kind: 'accepted';
  readonly address: Address;
  readonly commandName: CommandName;
  /** The live id that the request is about; absent for a create. */
  readonly id?: string;
  readonly at: number;
  /** The service's time of its answer; absent where it told none. */
  readonly serviceAt?: number;
}

/**
 * A command on what exists is over, well or not: nothing that shows up from here on is its doing. The end of the last
 * command of a change is that of the change itself: `settled`, `removed`.
 */
interface EndedRecord {
  readonly kind: 'ended';
  /** The live id that it was about. */
  readonly id: string;
  /** The resource with what the command has changed; absent where it came to nothing, or where it is not ours. */
  readonly resource?: ManagedResource;
}

/** A create is sent again, or given up and left to a later run: what the lost request made may still show up. */
interface PossibleDoubleRecord {
  readonly kind: 'possibleDouble';
  readonly double: PossibleDouble;
}

/** A possible double is no longer looked for: time is over, or it was found and dealt with. */
interface DoubleSettledRecord {
  readonly kind: 'doubleSettled';
  readonly address: Address;
  /** The create; absent where it is every create of the address. */
  readonly command?: ResolvedCommand;
}

/** The id of a create is known: the resource is managed from here on, perhaps not finished. */
interface BoundRecord {
  readonly kind: 'bound';
  readonly resource: ManagedResource;
}

/** A change is finished: the resource as last applied. */
interface SettledRecord {
  readonly kind: 'settled';
  readonly resource: ManagedResource;
}

/** The resource is gone, or no longer ours. */
interface RemovedRecord {
  readonly kind: 'removed';
  readonly address: Address;
}

/**
 * What a plan starts from, all of it at once: half of a move would leave a resource with two addresses, or with none.
 */
interface RearrangedRecord {
  readonly kind: 'rearranged';
  /** No longer ours under these addresses. */
  readonly removed: readonly Address[];
  /** Ours from here on, as they stand now; one of them may take an address that was removed. */
  readonly resources: readonly ManagedResource[];
}

/** The account shows what may be the result of a pending create, and nothing tells whether it is. */
export interface SightedRecord {
  readonly kind: 'sighted';
  readonly address: Address;
  readonly ids: readonly string[];
}

/** A pending create is over: it did not happen, or all that it made is known. */
interface AbandonedRecord {
  readonly kind: 'abandoned';
  readonly address: Address;
  /** For people who read the journal. */
  readonly reason: string;
}

/** The outputs as they are after a run: all of them. */
interface OutputsRecord {
  readonly kind: 'outputs';
  /** By name; the value of a sensitive one is never among them. */
  readonly outputs: Readonly<Record<string, RememberedOutput>>;
}

/** All safeguards to remember: those of an apply, and lifted ones until a complete apply has succeeded. */
interface SafeguardsRecord {
  readonly kind: 'safeguards';
  readonly safeguards: Safeguards;
}

/** How long commands were seen to take so far, all of them. */
export interface TimedRecord {
  readonly kind: 'timed';
  readonly durations: Durations;
  /** The longest that an accepted create took to show; absent before any was awaited. */
  readonly slowestAppearanceMs?: number;
  /** Absent where nothing new was learned of them. */
  readonly clocks?: KnownClocks;
}

/** A run has done what it could. */
interface EndRecord {
  readonly kind: 'end';
  readonly runId: string;
  readonly at: number;
  /** The service's time by then: nothing of the run is on its way any more. Absent where it told none. */
  readonly serviceAt?: number;
}

/** One line of the journal. Replaying the same records in the same order always gives the same state. */
export type JournalRecord =
  | BeginRecord
  | IntentRecord
  | AcceptedRecord
  | EndedRecord
  | PossibleDoubleRecord
  | DoubleSettledRecord
  | BoundRecord
  | SettledRecord
  | RemovedRecord
  | RearrangedRecord
  | SightedRecord
  | AbandonedRecord
  | OutputsRecord
  | SafeguardsRecord
  | TimedRecord
  | EndRecord;

/** Every kind of record that this version can replay. */
export const recordKinds: Readonly<Record<JournalRecord['kind'], true>> = {
  begin: true,
  intent: true,
  accepted: true,
  ended: true,
  possibleDouble: true,
  doubleSettled: true,
  bound: true,
  settled: true,
  removed: true,
  rearranged: true,
  sighted: true,
  abandoned: true,
  outputs: true,
  safeguards: true,
  timed: true,
  end: true,
};

/** True when the request makes a resource, so that its intent leaves a pending create behind. */
export function isCreate(command: ResolvedCommand): boolean {
  return commandSubjects[command.kind].effect === 'create';
}
