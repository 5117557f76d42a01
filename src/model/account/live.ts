// The live account: the records of the service, in our own names. Where a value of the service is an open enumeration (not
// all of its values are published), it is a plain string here.
import type { MissingServiceOperation } from './service-gaps.ts';
import type { Price } from '../cost/price.ts';
import type { KindName } from '../kind-places.ts';
import type { projectKind } from '../kind-table.ts';
import type { Backup } from './vm-work.ts';

/**
 * Id used where the service gives none for the account: as the id of its settings, and as the project of all resources outside of
 * projects.
 */
export const accountPlaceholderId = 'account';

/** Members of every live resource, whatever its kind. */
export interface LiveRecordBase {
  readonly id: string;
  /** Id of the project that holds it; its own id for a project, `accountPlaceholderId` outside of projects. */
  readonly projectId: string;
  /**
   * When the service created it, by the service's own clock, in milliseconds since the Unix epoch; null or absent where
   * it does not say. It never changes, and no plan compares it.
   */
  readonly createdAt?: number | null;
  /** The attributes that the service leaves untold and the state has recorded; absent where there are none. */
  readonly asRecorded?: readonly string[];
  /**
   * Set for a resource with a status that the contract does not define, once no operation record shows open work on it: the
   * service is done with it.
   */
  readonly isAtRest?: true;
  /** Text that the service shows in the place of a catalog id, by the member that holds that id; absent where it shows ids. */
  readonly shownEntries?: Readonly<Record<string, string>>;
}

/** creating, active, updating, deleting, failed; what anything else means, the records of operations tell. */
export type LiveStatus = string;

/** The live record of each kind by its name. Every kind declares its own here, in the `model.ts` of its folder. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the kinds fill it
export interface LiveRecords {}

export type LiveResource = LiveRecords[keyof LiveRecords];

/** The live record of one kind. */
export type LiveRecordOfKind<K extends KindName> = Extract<LiveResource, { kind: K }>;

/** Place in which the resources of a kind are listed: the project, and for port forwards the public IP. */
export interface ResourcePlace {
  readonly projectId: string;
  readonly publicIpId?: string | undefined;
}

const indexes = new WeakMap<readonly LiveResource[], ReadonlyMap<string, LiveResource>>();

/** Indexes resources by id. The index of a list is kept for later calls. */
export function indexById(resources: readonly LiveResource[]): ReadonlyMap<string, LiveResource> {
  let byId = indexes.get(resources);
  if (!byId) indexes.set(resources, (byId = new Map(resources.map((one) => [one.id, one]))));
  return byId;
}

/** The lifecycle status of a resource; undefined for kinds that have none (projects, SSH keys). */
export function getLiveStatus(live: LiveResource): LiveStatus | undefined {
  return 'status' in live ? live.status : undefined;
}

/** The name of a resource; undefined for kinds that have none (public IPs, port forwards). */
export function getLiveName(live: LiveResource): string | undefined {
  return 'name' in live ? live.name : undefined;
}

/** An image, configuration or tariff of the service's catalog. */
export interface CatalogEntry {
  readonly id: string;
  readonly name: string;
}

/** A size of VM. Availability and count are advisory: the service decides at create. */
export interface CatalogConfiguration extends CatalogEntry {
  readonly cpu: number;
  readonly ram: number;
  readonly disk: number;
  readonly availability: string | null;
  readonly maxCount: number | null;
}

export interface CatalogImage extends CatalogEntry {
  /** Operating system of the image; absent where the service does not say. */
  readonly os?: string;
}

/** A tariff, under which the service sells resources. */
export interface CatalogTariff extends CatalogEntry {
  /** Absent where the service tells none, or none that can be read. */
  readonly price?: Price;
}

export interface Catalog {
  readonly configurations: readonly CatalogConfiguration[];
  readonly images: readonly CatalogImage[];
  readonly tariffs: readonly CatalogTariff[];
}

/** A quota of the account. `used` and `remaining` are null where the service gives only the limit. */
export interface Quota {
  readonly limit: number;
  readonly used: number | null;
  readonly remaining: number | null;
}

/** Quotas of the account: four counts of resources, then three totals over all VMs (cores, GB, GB). */
export const quotaNames = [
  'projects',
  'accessTokens',
  'networks',
  'publicIps',
  'vmCpu',
  'vmRam',
  'vmDisk',
] as const;
export type QuotaName = (typeof quotaNames)[number];

/** The caps of the account. A quota that the service does not answer is absent and not checked. */
export interface AccountLimits {
  readonly quotas: Readonly<Partial<Record<QuotaName, Quota>>>;
  readonly maxSshKeysPerProject: number | null;
  /**
   * Limits below zero, by their members in the answer, but for -1, which stands for no limit: nobody knows what they mean, so
   * that they are not checked. Absent where there are none.
   */
  readonly belowZero?: Readonly<Record<string, number>>;
}

/** Longest texts that the service accepts as names; null where it does not say. */
export interface MaximumNameLengths {
  readonly project: number | null;
  readonly network: number | null;
  readonly vm: number | null;
  readonly sshKey: number | null;
  readonly sshPublicKey: number | null;
  readonly accessToken: number | null;
  /** As of `AccountLimits`: lengths below zero, by their members in the answer. */
  readonly belowZero?: Readonly<Record<string, number>>;
}
export type MaximumNameLengthKey = Exclude<keyof MaximumNameLengths, 'belowZero'>;

/** Everything that was read of the account at one moment. */
export interface LiveSnapshot {
  /** Every project of the account, whether its contents were read or not. */
  readonly projects: readonly LiveRecordOfKind<typeof projectKind>[];
  /**
   * Resources of the projects that were read: those of the state and those that the configuration names. Then the resources
   * outside of projects, where the configuration or the state has resources of their kind.
   */
  readonly resources: readonly LiveResource[];
  /** Ids of the projects whose contents were read. */
  readonly readProjectIds: readonly string[];
  readonly catalog: Catalog;
  readonly limits: AccountLimits;
  readonly nameLengths: MaximumNameLengths;
  /** Operations of the contract that the service lacks; none unless given. */
  readonly gaps?: readonly MissingServiceOperation[];
  /** Members of records that the service lacks, as its contract file says: `vm.imageId`; none unless given. */
  readonly lackedMembers?: readonly string[];
  /** The backups of VMs whose disk a plan loses, by the id of the VM; read once the plan is known, for those alone. */
  readonly backups?: ReadonlyMap<string, readonly Backup[]>;
}
