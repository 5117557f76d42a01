import type { Binding } from '../account/binding.ts';
import { deposedAddress, type Address } from '../address.ts';
import { commandSubjects, type CommandName, type ResolvedCommand } from '../account/command.ts';
import { kindPlaces, type KindName } from '../kind-places.ts';
import { doubleWatchMs, untimedWatchMs } from './evidence.ts';
import type { Safeguards } from './safeguards.ts';
import { isEqual, type Attributes, type Value } from '../value.ts';

/** A live resource that we may change: we made it or adopted it. */
export interface ManagedResource {
  readonly address: Address;
  readonly kind: KindName;
  readonly id: string;
  /** The id of the project that holds it; its own id for a project, `accountId` for what belongs to none. */
  readonly projectId: string;
  /** A port forward's public IP. */
  readonly publicIpId?: string;
  /** The public IP that the service allocated with a VM (`publicIp: new`); ours to release with it. */
  readonly allocatedPublicIpId?: string;
  /**
   * Ids of what stood under this address before and is still to be destroyed. Its own id among them: it is to be
   * replaced, since an earlier run could not finish making it.
   */
  readonly deposed?: readonly string[];
  /** As it was asked for by the last apply, in the configuration's terms, with what the service assigned. */
  readonly attributes: Attributes;
  /** What the account showed of those that an apply set, once the operation had ended, where that is something else. */
  readonly shown?: Attributes;
  /** The fields of `shown` that a person has accepted, so that no plan warns of them. */
  readonly accepted?: readonly string[];
  /** The attributes that are made of sensitive values: these stand in no file, so a state that was read lacks them. */
  readonly sensitive?: readonly string[];
  /** Those in `attributes` that the service did not tell: they are as they were asked for. */
  readonly untold?: readonly string[];
  /** The ids of what it has from the lists that the service offers, by field: names may come to mean others. */
  readonly entryIds?: Readonly<Record<string, string>>;
  /** The fields that the configuration gave when it was last applied: a field that leaves it falls back. */
  readonly configured: readonly string[];
  /** What it was last built from and keeps until it is rebuilt: the SSH keys of a VM. Absent where it is not known. */
  readonly builtFrom?: readonly BuiltPart[];
  /** The ids of what its `replaceTriggeredBy` names, by address, from when it was made, or the first of them was recorded. */
  readonly triggerIds?: Readonly<Record<Address, string>>;
  /** The backup before a rebuild, from when it was asked for until the rebuild has come about or is wanted no more. */
  readonly rebuildBackup?: RebuildBackup;
  /** True: nothing may lose its data, also when its block has left the configuration. */
  readonly isProtected?: boolean;
  /** How long it is kept instead of being destroyed, also when its block has left the configuration; milliseconds. */
  readonly retireMs?: number;
  /**
   * Set from when it is first taken out of service to be kept. Under an address of its own (see `deposedAddress`) it is
   * retired, or about to be; under that of its block it is on the way: there without an end, back with one.
   */
  readonly retired?: Retirement;
  /** The id of what a restore has brought back in its place. */
  readonly gaveWayTo?: string;
}

/** A resource that is kept, out of service, instead of being destroyed. */
export interface Retirement {
  /** Its name meanwhile. */
  readonly name: string;
  /** How long it is kept, from when it is out of service; milliseconds. */
  readonly forMs: number;
  /** When it is destroyed; milliseconds since the Unix epoch. Absent while it is not yet out of service. */
  readonly until?: number;
  /** True: its sale renewed until then, and renews again once it is back. */
  readonly isRenewalCancelled?: true;
}

/** The same retirement before it has an end. */
export function restartRetirement({ name, forMs, isRenewalCancelled }: Retirement): Retirement {
  return { name, forMs, ...(isRenewalCancelled && { isRenewalCancelled }) };
}

/** A resource that another was built from, as far as it was known: it may be gone by now. */
export interface BuiltPart {
  readonly id: string;
  readonly name?: string;
  readonly fingerprint?: string;
}

/** A backup that was asked for before a rebuild: whoever tries that rebuild again uses it. */
export interface RebuildBackup {
  /** When it was first asked for; milliseconds since the Unix epoch, by the clock of the run that asked. */
  readonly at: number;
  /** The service's time right before that; absent where it told none. */
  readonly serviceAt?: number;
  /** Absent while no run has seen it in the list. */
  readonly id?: string;
}

/** What still stands although its address belongs to its replacement; that it was protected is over. */
export function deposeResource(resource: ManagedResource): ManagedResource {
  const address = deposedAddress(resource.address, resource.id);
  return { ...resource, address, isProtected: false };
}

/** A create whose answer or whose resource was not seen before the run ended. Times of the service are its `Date` header's. */
export interface PendingCreate {
  readonly address: Address;
  readonly command: ResolvedCommand;
  /** Ids of that kind that existed before and could be mistaken for it. */
  readonly knownIds: readonly string[];
  /** True: these are all of that kind and place, since no time of the service tells what is new. */
  readonly isAllKnown?: true;
  /** When the last intent was written; milliseconds since the Unix epoch, by the clock of the run that wrote it. */
  readonly at: number;
  /** The service's time right before the first request; absent where it told none. */
  readonly serviceAt?: number;
  /** The service's time when the run came to its end: later, no request for it was sent. Absent where it did not. */
  readonly lastServiceAt?: number;
  /** When the service accepted it, by the clock of that run: it has to show up. Absent while no answer said so. */
  readonly acceptedAt?: number;
  /** The same in the service's time. */
  readonly acceptedServiceAt?: number;
  readonly configured: readonly string[];
  /** Ids of what may be its result and was shown to a run that could not tell: it is not sent again while they may exist. */
  readonly sightedIds?: readonly string[];
}

/**
 * A command on a resource of Hostwright whose end the state does not know: whatever of it shows is our own doing. Of a create,
 * from when its resource is known by its id.
 */
export interface SentCommand {
  readonly address: Address;
  readonly command: ResolvedCommand;
  /** When it was first sent; milliseconds since the Unix epoch, by the clock of the run that sent it. */
  readonly at: number;
  /** The service's time right before the first request; absent where it told none. */
  readonly serviceAt?: number;
  /** When the service accepted it, by the clock of that run; absent while no answer said so. */
  readonly acceptedAt?: number;
  /** The same in the service's time. */
  readonly acceptedServiceAt?: number;
}

/** What was sent, by the id of the live resource that it is about. */
export type SentCommands = ReadonlyMap<string, SentCommand>;

/** Outcome of one, as far as the account says so: the service works on it, it came to nothing, or its record says that it ended well. */
export type SentOutcome = 'underway' | 'failed' | 'done';

/** A create as it is remembered once its resource is known by its id. */
export function sentCreate({
  address,
  command,
  at,
  serviceAt,
  acceptedAt,
  acceptedServiceAt,
}: PendingCreate): SentCommand {
  return {
    ...{ address, command, at },
    ...(serviceAt !== undefined && { serviceAt }),
    ...(acceptedAt !== undefined && { acceptedAt }),
    ...(acceptedServiceAt !== undefined && { acceptedServiceAt }),
  };
}

/**
 * A create whose answer was lost, and that was sent again, or whose result was recognised without an answer: something else
 * that it may have made can still show up.
 */
export interface PossibleDouble extends Pick<
  PendingCreate,
  'address' | 'command' | 'knownIds' | 'isAllKnown' | 'serviceAt'
> {
  /** From when on it is watched, by the clock of that run; milliseconds since the Unix epoch. */
  readonly at: number;
  /** The same in the service's time; absent where it told none. */
  readonly watchedServiceAt?: number;
  /** True: one request went out, so that of two resources one is somebody else's. */
  readonly isSentOnce?: true;
  /**
   * True: what one of its requests made was known by its id, or another create went out at its address since. What still
   * shows is left over, and is bound by a person alone.
   */
  readonly isSuperseded?: true;
}

/** A create that is watched from now on. */
export function watchCreate(
  {
    address,
    command,
    knownIds,
    isAllKnown,
    serviceAt,
  }: Pick<PossibleDouble, 'address' | 'command' | 'knownIds'> & {
    readonly isAllKnown?: boolean | undefined;
    readonly serviceAt?: number | undefined;
  },
  {
    now,
    serviceNow,
    isSentOnce,
  }: Pick<PossibleDouble, 'isSentOnce'> & {
    readonly now: number;
    readonly serviceNow: number | undefined;
  },
): PossibleDouble {
  return {
    ...{ address, command, knownIds, at: now },
    ...(isAllKnown && { isAllKnown }),
    ...(serviceAt !== undefined && { serviceAt }),
    ...(serviceNow !== undefined && { watchedServiceAt: serviceNow }),
    ...(isSentOnce && { isSentOnce }),
  };
}

/** True while a second resource of such a create may still show up. Without a time of the service, by our clock. */
export function isWatched(
  { at, watchedServiceAt }: PossibleDouble,
  now: number,
  serviceNow: number | undefined,
): boolean {
  return watchedServiceAt !== undefined && serviceNow !== undefined
    ? serviceNow - watchedServiceAt < doubleWatchMs
    : now - at < untimedWatchMs;
}

/** For how long what a lost answer has made may be hidden from the lists of the service. */
const hidesAtMostMs = 3_600_000;

/** True for what is worth nothing without the answer to its create: once made, it must be found and destroyed. */
export function isShownOnce({ command }: Pick<PendingCreate, 'command'>): boolean {
  return kindPlaces[commandSubjects[command.kind].kind].isShownOnce === true;
}

/** True when what does not show by now was not made. Where a person would be left with it, that takes longer. */
export function isOver(pending: PendingCreate, now: number): boolean {
  return !isShownOnce(pending) || now - pending.at >= hidesAtMostMs;
}

/** An output as it was after the last apply. */
export interface RememberedOutput {
  readonly sensitive: boolean;
  /** Absent when it is sensitive: such a value is worked out anew when it is asked for. */
  readonly value?: Value;
}

/** Outputs by name. */
export type RememberedOutputs = ReadonlyMap<string, RememberedOutput>;

/** What a state without outputs has. */
export const noOutputs: RememberedOutputs = new Map();

/** True when both have the same outputs with the same values. */
export function hasSameOutputs(a: RememberedOutputs, b: RememberedOutputs): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, { sensitive, value }]) => {
    const other = b.get(name);
    return other?.sensitive === sensitive && isEqual(other.value, value);
  });
}

/** How long a kind of command was seen to take, the latest counting most; milliseconds. */
export interface Duration {
  readonly meanMs: number;
  /** How far from the mean it mostly ends. */
  readonly deviationMs: number;
}

/** Durations by command. Hints: they decide when to look and what to start first, and nothing else. */
export type Durations = Readonly<Partial<Record<CommandName, Duration>>>;

/** How far the times in the records of a service are ahead of its `Date` headers, in milliseconds; absent where it is unknown. */
export interface KnownClocks {
  readonly resourcesAheadMs?: number | undefined;
  /** Operation records may be stamped by either clock. */
  readonly operationsAheadMs?: number | undefined;
}

/** What Hostwright remembers between runs. */
export interface State {
  /** Made once, when the state is born: states of two lineages are never mixed. */
  readonly lineage: string;
  /** Grows with every run that changed something. */
  readonly serial: number;
  /** The base address it was last applied to; null before the first apply. */
  readonly service: string | null;
  /** SHA-256 of each authority that it was trusted to besides the known ones, by `service.tls`; absent where there is none. */
  readonly authorities?: readonly string[];
  /** The service's spelling of the contract at the last apply; absent for the contract's own. */
  readonly contract?: Binding;
  readonly resources: ReadonlyMap<Address, ManagedResource>;
  readonly pending: ReadonlyMap<Address, PendingCreate>;
  /** Absent where every end is known. */
  readonly sent?: SentCommands;
  /** Creates that may have made two resources, in the order they were sent; absent where there are none. */
  readonly possibleDoubles?: readonly PossibleDouble[];
  /** Absent where there are none. */
  readonly outputs?: RememberedOutputs;
  /** The safeguards of the last apply; absent where there were none, and in older states. */
  readonly safeguards?: Safeguards;
  /** Absent before anything was seen to end; losing it does no harm. */
  readonly durations?: Durations;
  /** The longest that an accepted create took to show in a list, in milliseconds; absent before any was awaited. */
  readonly slowestAppearanceMs?: number;
  /** Absent before anything was certainly made at a known time. */
  readonly clocks?: KnownClocks;
}
