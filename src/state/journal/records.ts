// Records of the journal: one for each event of a resource, as plain data.
import type { ResourceAddress } from '../../model/address.ts';
import {
  commandSubjects,
  type CommandName,
  type ResolvedCommand,
} from '../../model/account/command.ts';
import type {
  UsualCommandDurations,
  UsualReadyDurations,
  ServiceRecordClockLeads,
  ManagedResource,
  PossibleDuplicateCreate,
  RememberedOutput,
} from '../../model/state/state.ts';

import type { Binding } from '../../model/account/binding.ts';
import type { Safeguards } from '../../model/state/safeguards.ts';

/** Record that a run begins to change resources. */
export interface RunBeginRecord {
  readonly kind: 'begin';
  readonly runId: string;
  /** Version of this program. */
  readonly version: string;
  /** Base address of the service that the run changes. */
  readonly service: string;
  /**
   * SHA-256 of each authority that the run trusts besides the well-known ones; absent where they are those of the state, if
   * that is of the same service.
   */
  readonly authorities?: readonly string[];
  /** The service's spelling of the contract; absent where it spells everything as the contract does. */
  readonly contract?: Binding;
  /** Time of the record, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Record that a request is about to be sent, which must be durable before the request goes out. */
export interface RequestIntentRecord {
  readonly kind: 'intent';
  readonly address: ResourceAddress;
  readonly command: ResolvedCommand;
  /** Ids of existing resources of the kind that could be mistaken for the new one; only for a create. */
  readonly knownIds?: readonly string[];
  /** Set for a create where `knownIds` are all resources of that kind and place. */
  readonly isAllKnown?: true;
  /** Names of the fields that the configuration gives; only for a create. */
  readonly configured?: readonly string[];
  /** Protection of the new resource as the state will have it, and likewise `retireMs`; only for a create. */
  readonly isProtected?: boolean;
  readonly retireMs?: number;
  /** The service's time right before the first request; absent where the service did not give it. */
  readonly serviceAt?: number;
  readonly at: number;
}

/** Record that the service accepted a request; the work that it asked for may not be finished. */
export interface RequestAcceptedRecord {
  readonly kind: 'accepted';
  readonly address: ResourceAddress;
  readonly commandName: CommandName;
  /** The id of the resource that the request is about; absent for a create. */
  readonly id?: string;
  readonly at: number;
  /** The service's time in its answer; absent where the service did not give it. */
  readonly serviceAt?: number;
}

/**
 * A command on an existing resource is over, well or not: nothing that shows up from here on is its doing. The end of a
 * change's last command is that of the change itself: `settled`, `removed`.
 */
interface EndedRecord {
  readonly kind: 'ended';
  /** Id of the resource that the command was about. */
  readonly id: string;
  /** The resource as the command has left it; absent where nothing was changed, or where the resource is not ours. */
  readonly resource?: ManagedResource;
}

/** A create is sent again, or given up and left to a later run: the resource of the lost request may still show up. */
interface PossibleDoubleRecord {
  readonly kind: 'possibleDouble';
  readonly double: PossibleDuplicateCreate;
}

/** A possible double is no longer looked for: its time is over, or it was found and dealt with. */
interface DoubleSettledRecord {
  readonly kind: 'doubleSettled';
  readonly address: ResourceAddress;
  /** The create; absent where every create of the address is meant. */
  readonly command?: ResolvedCommand;
}

/** The id of a created resource is known: the resource is managed from here on, perhaps not finished. */
interface BoundRecord {
  readonly kind: 'bound';
  readonly resource: ManagedResource;
}

/** Record that a change is finished, with the resource as last applied. */
interface SettledRecord {
  readonly kind: 'settled';
  readonly resource: ManagedResource;
}

/** Record that a resource is gone or no longer managed. */
interface RemovedRecord {
  readonly kind: 'removed';
  readonly address: ResourceAddress;
}

/**
 * Changes of addresses and ownership that a plan starts from, all in one record: half of a move would leave a resource with
 * two addresses, or with none.
 */
interface RearrangedRecord {
  readonly kind: 'rearranged';
  /** Addresses whose resources are no longer managed. */
  readonly removed: readonly ResourceAddress[];
  /** Resources that are managed from here on, in their present form; one of them may have an address that was removed. */
  readonly resources: readonly ManagedResource[];
}

/**
 * Record that the account shows a resource which may be the result of a pending create, and which nothing identifies
 * for certain.
 */
export interface ResourceSightedRecord {
  readonly kind: 'sighted';
  readonly address: ResourceAddress;
  readonly ids: readonly string[];
  /** Set where the id is known from the answer to the create: a resource that the account shows under it is the result. */
  readonly isAnswered?: true;
}

/** A pending create is over: it did not happen, or all resources that it made are known. */
interface AbandonedRecord {
  readonly kind: 'abandoned';
  readonly address: ResourceAddress;
  /** Reason why the create was given up, for people who read the journal. */
  readonly reason: string;
}

/** Record of all outputs after a run. */
interface OutputsRecord {
  readonly kind: 'outputs';
  /** Outputs by name; sensitive ones without their values. */
  readonly outputs: Readonly<Record<string, RememberedOutput>>;
}

/** All safeguards to remember: those of an apply, and lifted ones until a complete apply has succeeded. */
interface SafeguardsRecord {
  readonly kind: 'safeguards';
  readonly safeguards: Safeguards;
}

/** Record of the durations of all commands that were observed so far. */
export interface CommandDurationsRecord {
  readonly kind: 'timed';
  readonly durations: UsualCommandDurations;
  /** Usual times until readiness, all that are known; absent where none was newly learned. */
  readonly readyTimes?: UsualReadyDurations;
  /** The longest time until an accepted create showed in the account; absent before any was awaited. */
  readonly slowestAppearanceMs?: number;
  /** Offsets of the service's clocks; absent where nothing new was learned of them. */
  readonly clocks?: ServiceRecordClockLeads;
}

/** Record that a run has ended after doing all that it could. */
interface EndRecord {
  readonly kind: 'end';
  readonly runId: string;
  readonly at: number;
  /** The service's time at the end: no request of the run is under way any more. Absent where the service did not give it. */
  readonly serviceAt?: number;
}

/** One line of the journal. Replaying the same records in the same order always gives the same state. */
export type JournalRecord =
  | RunBeginRecord
  | RequestIntentRecord
  | RequestAcceptedRecord
  | EndedRecord
  | PossibleDoubleRecord
  | DoubleSettledRecord
  | BoundRecord
  | SettledRecord
  | RemovedRecord
  | RearrangedRecord
  | ResourceSightedRecord
  | AbandonedRecord
  | OutputsRecord
  | SafeguardsRecord
  | CommandDurationsRecord
  | EndRecord;

/** Every kind of journal record that this version can apply to a state. */
export const journalRecordKinds: Readonly<Record<JournalRecord['kind'], true>> = {
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

/** Tells whether a request makes a resource, so that its intent leaves a pending create behind. */
export function isCreateRequest(command: ResolvedCommand): boolean {
  return commandSubjects[command.kind].effect === 'create';
}
