import type { ResourceAddress } from '../address.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { LiveOperation } from './operation.ts';

/** A backup of a VM's disk. */
export interface Backup {
  readonly id: string;
  /** Status of the backup: creating, active, updating, deleting or failed. */
  readonly status: string;
  /** Milliseconds since the Unix epoch; null when the service does not say. */
  readonly createdAt: number | null;
  /** Size of the backup in gigabytes; null when the service does not say. */
  readonly size: number | null;
  /** Id of the image that the VM was built from; null for a backup older than this field. */
  readonly sourceImageId: string | null;
}

/** A backup with its age and the name of its image, as the configuration would spell it; null where it has none. */
export type ListedBackup = Backup & {
  readonly sourceImage: string | null;
  /** Time since it was made, in milliseconds; null where the service does not say. */
  readonly ageMs: number | null;
};

/** The most backups of a VM: for one more, the service deletes the oldest first (specification, section 8). */
export const maxBackupsPerVm = 7;

/** Backups by age, the newest first; those without a time are taken for the oldest. */
export function sortBackupsNewestFirst<B extends Backup>(backups: readonly B[]): B[] {
  return [...backups].sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
}

/** Backup that the service deletes to make room for one more; undefined while there is room. */
export function findDisplacedBackup(backups: readonly Backup[]): Backup | undefined {
  return backups.length < maxBackupsPerVm ? undefined : sortBackupsNewestFirst(backups).at(-1);
}

/** Newest finished backup; undefined where there is none. */
export function findNewestBackup<B extends Backup>(backups: readonly B[]): B | undefined {
  return sortBackupsNewestFirst(backups).find(({ status }) => status === 'active');
}

/**
 * Newest finished backup, where it is no older than `maxAgeMs`. A backup without a time of creation counts as new, since nothing
 * is known of its age: otherwise each apply would make another one and so push out the oldest.
 */
export function findFreshBackup<B extends Backup>(
  backups: readonly B[],
  maxAgeMs: number,
  now: number,
): B | undefined {
  const finished = sortBackupsNewestFirst(backups).filter(({ status }) => status === 'active');
  return (
    finished.find(({ createdAt }) => createdAt === null) ??
    finished.find(({ createdAt }) => now - (createdAt ?? 0) <= maxAgeMs)
  );
}

/** A backup in a sentence: `bkp-1 of 2026-11-21T12:00:05.000Z`. */
function nameBackup({ id, createdAt }: Backup): string {
  return createdAt === null ? id : `${id} of ${new Date(createdAt).toISOString()}`;
}

/** A sentence on the backup that the service deletes to make room for a new one. */
export function describeDisplacedBackup(displaced: Backup): string {
  return `Its oldest backup (${nameBackup(displaced)}) is deleted for the new one: the service keeps ${maxBackupsPerVm}.`;
}

/** A sentence on the data that a rebuild loses when it uses the backup of an earlier attempt. */
export function describeReusedBackup(backup: Backup): string {
  return `The backup of the earlier attempt (${nameBackup(backup)}) is used again: what was written since is in no backup.`;
}

/** Values of one metric of a VM over time. */
export interface MetricSeries {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly { readonly at: number | null; readonly value: number }[];
}

/** An operation record with the addresses of its project and its resource. */
export interface OperationWithAddresses extends LiveOperation {
  /** Address of the project that the operation's resource lies in. */
  readonly project: ResourceAddress;
  /** Address of the resource; null for one that is not in the state, as it is deleted or unmanaged. */
  readonly address: ResourceAddress | null;
}

/** Operations on a VM that a person starts by a command of the CLI. */
export type VmOperationVerb = 'start' | 'stop' | 'reboot' | 'backup' | 'restore';

/**
 * Outcome of an operation on a VM that a person started. `accepted`: the service took it, and nobody waited. `unchanged`: it was
 * so already, nothing was sent. `unknown`: it was sent, and the account did not show its end. `declined`: the question was not
 * answered with yes. `skipped`: one before it in its block was not done.
 */
export type VmOperationOutcome =
  'done' | 'accepted' | 'unchanged' | 'failed' | 'unknown' | 'declined' | 'skipped';

/** A finished operation on a VM. */
export interface EndedVmOperation {
  readonly verb: VmOperationVerb;
  readonly address: ResourceAddress;
  readonly id: string;
  readonly outcome: VmOperationOutcome;
  /** The service's operation record, as last seen; null when none was. */
  readonly operation: Omit<LiveOperation, 'resourceType'> | null;
  /** The backup that was made or restored; null for everything else. */
  readonly backup: Backup | null;
  /** The error of a failed operation; undefined for a success. */
  readonly fault: Diagnostic | undefined;
  readonly elapsedMs: number;
}

/** The operations on VMs that one command has asked for. */
export interface EndedVmOperations {
  /** Operations on the VMs, sorted by address. */
  readonly vms: readonly EndedVmOperation[];
  /** Set where the command named several VMs, by an address with `[*]`, however many there are. */
  readonly isSeveral: boolean;
}

/** Progress of an operation on a VM, reported while it runs. */
export interface VmOperationProgress {
  readonly verb: VmOperationVerb;
  readonly address: ResourceAddress;
  /** `waiting`: something else holds the VM; `running`: the request is accepted. */
  readonly phase: 'waiting' | 'running';
  /** Status of the operation in the service's own words. */
  readonly status: string;
}
