import type { Binding } from '../account/binding.ts';
import { makeDeposedAddress, type ResourceAddress } from '../address.ts';
import { commandSubjects, type CommandName, type ResolvedCommand } from '../account/command.ts';
import { kindPlaces, type KindName } from '../kind-places.ts';
import { duplicateWatchMs, untimedDuplicateWatchMs } from './evidence.ts';
import type { Safeguards } from './safeguards.ts';
import { isEqual, type Attributes, type Value } from '../value.ts';

/** State record of a live resource that Hostwright may change, since it created or adopted the resource. */
export interface ManagedResource {
  readonly address: ResourceAddress;
  readonly kind: KindName;
  readonly id: string;
  /** Id of the project that holds it; its own id for a project, `accountPlaceholderId` outside of projects. */
  readonly projectId: string;
  /** Id of the public IP that a port forward belongs to. */
  readonly publicIpId?: string;
  /** The public IP that the service allocated with a VM (`publicIp: new`); ours to release with it. */
  readonly allocatedPublicIpId?: string;
  /**
   * Ids of replaced resources of this address that are still to be destroyed. Its own id among them: an earlier run could not
   * finish creating it, so it is to be replaced.
   */
  readonly deposed?: readonly string[];
  /** Attributes as the last apply set them, in the configuration's terms, with those that the service assigned. */
  readonly attributes: Attributes;
  /** Live values, once the operation had ended, of attributes that an apply set to something else. */
  readonly shown?: Attributes;
  /** The fields of `shown` that a person has accepted, so that no plan warns of them. */
  readonly accepted?: readonly string[];
  /** The attributes that are made of sensitive values: these stand in no file, so a state that was read lacks them. */
  readonly sensitive?: readonly string[];
  /** Attributes that the service does not return: their values are as they were asked for. */
  readonly untold?: readonly string[];
  /** Ids of its catalog entries (image, size, tariff) by field: a name may come to mean another entry. */
  readonly entryIds?: Readonly<Record<string, string>>;
  /** Text that the service showed in the place of an entry's id, by field: while it shows that, the entry is the recorded one. */
  readonly entryTexts?: Readonly<Record<string, string>>;
  /** The fields that the configuration gave when it was last applied: a field that leaves it falls back. */
  readonly configured: readonly string[];
  /**
   * Parts that it was last built from and keeps until a rebuild, as the SSH keys of a VM. Absent where they are not
   * known.
   */
  readonly builtFrom?: readonly ResourceBuildSource[];
  /** Ids of the resources that its `replaceTriggeredBy` names, by address, from its creation on, or from the first recording. */
  readonly triggerIds?: Readonly<Record<ResourceAddress, string>>;
  /** The backup before a rebuild, from when it was asked for until the rebuild has come about or is wanted no more. */
  readonly rebuildBackup?: BackupBeforeRebuild;
  /** Given from right before a rebuild that can be taken back, until it is ready, or was taken back. */
  readonly wayBack?: RebuildRollback;
  /** The fields of a rebuild that was taken back, as they were asked for: by itself no plan asks for them again. */
  readonly failedTarget?: Attributes;
  /**
   * Set for a VM that was changed under a rollout with probes, or made by a create whose end nobody saw, and was not seen
   * ready since.
   */
  readonly isNotReady?: true;
  /** Set for a protected resource: no plan may lose its data, also when its block has left the configuration. */
  readonly isProtected?: boolean;
  /**
   * Time that the resource is kept instead of being destroyed, also when its block has left the configuration, in
   * milliseconds.
   */
  readonly retireMs?: number;
  /**
   * Set from when it is first taken out of service to be kept. Under an address of its own (see `makeDeposedAddress`) it is
   * retired, or about to be; under that of its block it is on the way: there without an end, back with one.
   */
  readonly retired?: ResourceRetirement;
  /** Id of the resource that a restore has put in this one's place. */
  readonly gaveWayTo?: string;
}

/** A resource that is kept, out of service, instead of being destroyed. */
export interface ResourceRetirement {
  /** Name that the resource has while it is retired. */
  readonly name: string;
  /** Time that the resource is kept, from when it is out of service, in milliseconds. */
  readonly forMs: number;
  /** When it may be destroyed, in milliseconds since the Unix epoch; absent until it is out of service. */
  readonly until?: number;
  /** Set where its sale renewed until the retirement, and is to renew again once the resource is back. */
  readonly isRenewalCancelled?: true;
}

/** The retirement without its end time, which is set only once the resource is out of service. */
export function clearRetirementEnd({
  name,
  forMs,
  isRenewalCancelled,
}: ResourceRetirement): ResourceRetirement {
  return { name, forMs, ...(isRenewalCancelled && { isRenewalCancelled }) };
}

/** A resource that another was built from, as far as it was known: it may be gone by now. */
export interface ResourceBuildSource {
  readonly id: string;
  readonly name?: string;
  readonly fingerprint?: string;
}

/** A backup that was requested before a rebuild: a later try of that rebuild uses it. */
export interface BackupBeforeRebuild {
  /** When it was first asked for; milliseconds since the Unix epoch, by the clock of the run that asked. */
  readonly at: number;
  /** The service's time right before that; absent where it told none. */
  readonly serviceAt?: number;
  /** Id of the backup; absent while no run has seen it in the service's list. */
  readonly id?: string;
}

/** Data from which a failed rebuild can be undone. */
export interface RebuildRollback {
  /** Id of the backup that was made before the rebuild. */
  readonly backup: string;
  /** Values of the rebuilt fields that were asked for before. */
  readonly asked: Attributes;
  /** New values of the rebuilt fields. */
  readonly target: Attributes;
  /** Catalog ids from before the rebuild, as in `ManagedResource`. */
  readonly entryIds?: Readonly<Record<string, string>>;
  /** Texts of the catalog entries from before the rebuild, as in `ManagedResource`. */
  readonly entryTexts?: Readonly<Record<string, string>>;
  /** Resources from which the VM was built before the rebuild, as in `ManagedResource`. */
  readonly builtFrom?: readonly ResourceBuildSource[];
  /** Set once the rebuild has failed, or was not ready in time: the backup is to be restored. */
  readonly hasFailed?: true;
}

/**
 * The state entry of a resource that still exists although its address belongs to its replacement; its protection is
 * over.
 */
export function deposeResource(resource: ManagedResource): ManagedResource {
  const address = makeDeposedAddress(resource.address, resource.id);
  return { ...resource, address, isProtected: false };
}

/** A create whose answer or whose resource was not seen before the run ended. Times of the service are its `Date` header's. */
export interface PendingCreate {
  readonly address: ResourceAddress;
  readonly command: ResolvedCommand;
  /** Ids of resources that existed before the create and could be mistaken for its result. */
  readonly knownIds: readonly string[];
  /**
   * Set where `knownIds` are all ids of that kind and place, since no time of the service tells old resources from new.
   */
  readonly isAllKnown?: true;
  /** When the last intent was written; milliseconds since the Unix epoch, by the clock of the run that wrote it. */
  readonly at: number;
  /** The service's time right before the first request; absent where it told none. */
  readonly serviceAt?: number;
  /** The service's time when the run came to its end: later, no request for it was sent. Absent where it did not. */
  readonly lastServiceAt?: number;
  /** When the service accepted it, by the clock of that run: it has to show up. Absent while no answer said so. */
  readonly acceptedAt?: number;
  /** Time by the service's clock at which the create was accepted. */
  readonly acceptedServiceAt?: number;
  readonly configured: readonly string[];
  /**
   * Protection and retirement by the configuration of the run that sent the create; the resource gets them once it is
   * found.
   */
  readonly isProtected?: boolean;
  readonly retireMs?: number;
  /**
   * Ids of resources that may be its result, seen by a run that could not decide: the create is not sent again while they
   * exist.
   */
  readonly sightedIds?: readonly string[];
  /** The id in the answer to a create without a name, which may be that of its operation; absent where there was none. */
  readonly answeredId?: string;
}

/**
 * A command on a resource of Hostwright whose end the state does not know: whatever of it shows is our own doing. Of a create,
 * from when its resource is known by its id.
 */
export interface SentCommand {
  readonly address: ResourceAddress;
  readonly command: ResolvedCommand;
  /** When it was first sent; milliseconds since the Unix epoch, by the clock of the run that sent it. */
  readonly at: number;
  /** The service's time right before the first request; absent where it told none. */
  readonly serviceAt?: number;
  /** When the service accepted it, by the clock of that run; absent while no answer said so. */
  readonly acceptedAt?: number;
  /** Time by the service's clock at which the command was accepted. */
  readonly acceptedServiceAt?: number;
}

/** Commands that were sent, by the id of the live resource that each is about. */
export type SentCommands = ReadonlyMap<string, SentCommand>;

/**
 * Outcome of a sent command by the account: the service works on it, it came to nothing, or its record says that it
 * ended well.
 */
export type SentCommandOutcome = 'underway' | 'failed' | 'done';

/** A create as it is remembered once its resource is known by its id. */
export function makeSentCreateCommand({
  address,
  command,
  at,
  serviceAt,
  acceptedAt,
  acceptedServiceAt,
}: PendingCreate): SentCommand {
  return {
    address,
    command,
    at,
    ...(serviceAt !== undefined && { serviceAt }),
    ...(acceptedAt !== undefined && { acceptedAt }),
    ...(acceptedServiceAt !== undefined && { acceptedServiceAt }),
  };
}

/**
 * A create whose answer was lost, and that was sent again, or whose result was recognised without an answer: something else
 * that it may have made can still show up.
 */
export interface PossibleDuplicateCreate extends Pick<
  PendingCreate,
  'address' | 'command' | 'knownIds' | 'isAllKnown' | 'serviceAt'
> {
  /** Start of watching for the duplicate, by the clock of that run; milliseconds since the Unix epoch. */
  readonly at: number;
  /** Start of watching by the service's clock; absent where the service gave no time. */
  readonly watchedServiceAt?: number;
  /** Set where one request went out: of two resources one is then somebody else's. */
  readonly isSentOnce?: true;
  /**
   * Set where the resource of one of its requests is known by its id, or another create went out at its address since.
   * A resource that still shows up is left over, and only a person binds it to an address.
   */
  readonly isSuperseded?: true;
}

/** Makes the record of a create that may have been carried out twice, to be watched from now on. */
export function watchCreateForDuplicate(
  {
    address,
    command,
    knownIds,
    isAllKnown,
    serviceAt,
  }: Pick<PossibleDuplicateCreate, 'address' | 'command' | 'knownIds'> & {
    readonly isAllKnown?: boolean | undefined;
    readonly serviceAt?: number | undefined;
  },
  {
    now,
    serviceNow,
    isSentOnce,
  }: Pick<PossibleDuplicateCreate, 'isSentOnce'> & {
    readonly now: number;
    readonly serviceNow: number | undefined;
  },
): PossibleDuplicateCreate {
  return {
    address,
    command,
    knownIds,
    at: now,
    ...(isAllKnown && { isAllKnown }),
    ...(serviceAt !== undefined && { serviceAt }),
    ...(serviceNow !== undefined && { watchedServiceAt: serviceNow }),
    ...(isSentOnce && { isSentOnce }),
  };
}

/**
 * Tells whether a second resource of a create that may have been carried out twice can still show up. Judged by this computer's
 * clock where the service gave no time.
 */
export function isCreateStillWatched(
  { at, watchedServiceAt }: PossibleDuplicateCreate,
  now: number,
  serviceNow: number | undefined,
): boolean {
  return watchedServiceAt !== undefined && serviceNow !== undefined
    ? serviceNow - watchedServiceAt < duplicateWatchMs
    : now - at < untimedDuplicateWatchMs;
}

/** The longest time for which lists of the service may hide a resource whose create had no answer. */
const hidesAtMostMs = 3_600_000;

/**
 * Tells whether the resource of a create is worth nothing without the answer, as an access token: it must be found and destroyed.
 */
export function isCreateUselessWithoutAnswer({ command }: Pick<PendingCreate, 'command'>): boolean {
  return kindPlaces[commandSubjects[command.kind].kind].isShownOnce === true;
}

/**
 * Tells whether a pending create was looked for long enough: a resource that does not show by now was not created. A resource
 * that only a person could clean up is looked for longer.
 */
export function isCreateLookupOver(pending: PendingCreate, now: number): boolean {
  return !isCreateUselessWithoutAnswer(pending) || now - pending.at >= hidesAtMostMs;
}

/** An output with its value after the last apply. */
export interface RememberedOutput {
  readonly sensitive: boolean;
  /** Absent when it is sensitive: such a value is worked out anew when it is asked for. */
  readonly value?: Value;
}

/** Outputs by name. */
export type RememberedOutputs = ReadonlyMap<string, RememberedOutput>;

/** The outputs of a state that has none. */
export const emptyStateOutputs: RememberedOutputs = new Map();

/** Tells whether both states have the same outputs with the same values. */
export function hasSameOutputs(a: RememberedOutputs, b: RememberedOutputs): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, { sensitive, value }]) => {
    const other = b.get(name);
    return other?.sensitive === sensitive && isEqual(other.value, value);
  });
}

/** Usual duration of a command by its kind, the latest counting most; milliseconds. */
export interface UsualCommandDuration {
  readonly meanMs: number;
  /** Mean deviation of the durations from `meanMs`. */
  readonly deviationMs: number;
}

/** Usual durations by command. Hints: they decide when to look and what to start first, and nothing else. */
export type UsualCommandDurations = Readonly<Partial<Record<CommandName, UsualCommandDuration>>>;

/** Usual time from the change of a VM until the probes of its rollout held first, by block. Hints, as durations are. */
export type UsualReadyDurations = Readonly<Record<ResourceAddress, UsualCommandDuration>>;

/**
 * Lead of the times in the records of a service over its `Date` headers, in milliseconds; absent where it is unknown.
 */
export interface ServiceRecordClockLeads {
  readonly resourcesAheadMs?: number | undefined;
  /** Milliseconds that the clock of operation records is ahead, which may differ from that of resources. */
  readonly operationsAheadMs?: number | undefined;
}

/** The state: all that Hostwright remembers between runs. */
export interface State {
  /** Made once, when the state is born: states of two lineages are never mixed. */
  readonly lineage: string;
  /** Number of the state, which grows with every run that changed something. */
  readonly serial: number;
  /** The base address it was last applied to; null before the first apply. */
  readonly service: string | null;
  /** SHA-256 of each authority that it was trusted to besides the known ones, by `service.tls`; absent where there is none. */
  readonly authorities?: readonly string[];
  /** The service's spelling of the contract at the last apply; absent for the contract's own. */
  readonly contract?: Binding;
  readonly resources: ReadonlyMap<ResourceAddress, ManagedResource>;
  readonly pending: ReadonlyMap<ResourceAddress, PendingCreate>;
  /** Commands whose end no run has seen; absent where there are none. */
  readonly sent?: SentCommands;
  /** Creates that may have made two resources, in the order they were sent; absent where there are none. */
  readonly possibleDoubles?: readonly PossibleDuplicateCreate[];
  /** Outputs after the last apply; absent where there are none. */
  readonly outputs?: RememberedOutputs;
  /** The safeguards of the last apply; absent where there were none, and in older states. */
  readonly safeguards?: Safeguards;
  /** Usual durations of commands; absent before any was seen to end. Losing them does no harm. */
  readonly durations?: UsualCommandDurations;
  /** Usual times until the probes of blocks hold; absent before any were seen to hold. Losing them does no harm. */
  readonly readyTimes?: UsualReadyDurations;
  /** The longest that an accepted create took to show in a list, in milliseconds; absent before any was awaited. */
  readonly slowestAppearanceMs?: number;
  /** Learned differences of the service's clocks; absent before any was learned. */
  readonly clocks?: ServiceRecordClockLeads;
}
