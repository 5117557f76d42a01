// The traits of kinds: properties that some kinds have and others lack, each a type with a paragraph on its consequences.
// Other code asks for a trait by its name, and need not know the kind.
import type { NameLengthCapField, QuotaFieldPath } from '../api/contract/codec.ts';
import type { WireTokenScope } from '../api/contract/types.ts';
import type { ResourceAddress } from '../model/address.ts';
import type { Sale } from '../model/account/account.ts';
import type { Command, ResourceRef, ResolvedCommand } from '../model/account/command.ts';
import type { Catalog, LiveRecordOfKind, QuotaName } from '../model/account/live.ts';
import type { ReportedOrUntoldField } from '../model/account/told.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { KindName } from '../model/kind-places.ts';
import type { ChangeReason } from '../model/plan/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { SourceRange } from '../model/source.ts';
import type { Attributes, ReportedAttributes } from '../model/value.ts';
import type { ResourceRetirement } from '../model/state/state.ts';
import type { KindExport } from './export/kind-export.ts';
import type { KindCheck } from './kind-check.ts';

/** The traits of a kind by their names; one that the kind lacks is absent. `K` fixes the type of the live record. */
export interface KindTraits<K extends KindName = KindName> {
  /** Every account has exactly one resource of the kind: it is neither made nor destroyed, and only changes in place. */
  readonly permanent?: true;
  /** The attribute by which people name a resource, and by which `data` finds it: `data` reads no kind without one. */
  readonly calledBy?: string;
  /** The kind's list is believed: a resource that it does not show is gone, and is not looked up by its id. */
  readonly believedList?: true;
  readonly credential?: CredentialTrait<K>;
  readonly lock?: ServiceLockTrait<K>;
  /** Power of a resource: true while it runs, false while it is stopped; undefined where the service does not report that. */
  isRunning?(live: LiveRecordOfKind<K>): boolean | undefined;
  /** Tells whether the configuration wants the resource to be stopped. */
  isMeantToStop?(attributes: Attributes): boolean;
  /**
   * The attributes that a reviewer checks before a resource is destroyed, in the words of the configuration. A kind lacks
   * them where nothing about its resources can change unnoticed: the service itself refuses to delete one in use.
   */
  signs?(live: LiveRecordOfKind<K>, catalog: Catalog): ReportedAttributes;
  readonly sale?: SaleTrait<K>;
  /**
   * The price of a resource: the field that names the tariff with the price, or `untold` where it is sold under a tariff that
   * the configuration does not name. A kind without a price costs nothing.
   */
  readonly price?: { readonly field: string } | 'untold';
  readonly builtFrom?: BuiltFromTrait<K>;
  /** The ids of entries from the service's lists that a resource has, by the field that names the entry. */
  entryIds?(live: LiveRecordOfKind<K>): Readonly<Record<string, ReportedOrUntoldField<string>>>;
  readonly losses?: DestroyLossTrait;
  /**
   * The attributes that are unreported where the service lacks a member of the contract's records, by `RECORD.MEMBER`: those
   * whose names do not follow from that member's.
   */
  readonly attributesOf?: Readonly<Record<string, readonly string[]>>;
  /** The id of the resource's container below its project; a kind without it lies directly in a project, or in none. */
  parentId?(live: LiveRecordOfKind<K>): string;
  /** The id of the resource that answers behind this one: while that is out of service, so is this. */
  leadsTo?(live: LiveRecordOfKind<K>): ReportedOrUntoldField<string>;
  readonly retire?: RetirementTrait<K>;
  /** Commands that bring back the data that a rebuild has lost, from a backup, with the power that it has in `attributes`. */
  restore?(
    place: { readonly project: ResourceRef; readonly self: ResourceRef },
    backup: string,
    attributes: Attributes,
  ): readonly Command[];
  /** Commands that make a backup, unless the newest one is at most so old, in milliseconds. */
  backUp?(
    place: { readonly project: ResourceRef; readonly self: ResourceRef },
    maxAgeMs: number,
  ): readonly Command[];
  readonly heldBy?: HolderTrait<K>;
  /** The live resources that a resource holds, each kind with the field whose change releases them first. */
  readonly holds?: readonly HeldResourcesTrait<K>[];
  readonly brings?: CompanionResourceTrait<K>;
  readonly inUse?: InUseTrait;
  readonly marks?: DistinguishingFieldsTrait<K>;
  /**
   * Attributes of which a resource keeps at least one whatever people change: a live resource that shares none of them is
   * another one. One of them never changes in place. A kind without them reports too little.
   */
  readonly identifiedBy?: readonly string[];
  readonly checks?: KindChecksTrait;
  readonly reservedKeys?: ReservedKeys;
  /** Field names of other tools that the kind does not have, in small letters without `_`; each with the hint that helps. */
  readonly foreignKeys?: Readonly<Record<string, string>>;
  /** Claims of fields that two resources of a configuration cannot have in common, beside the name. */
  claimsOnce?(resource: DesiredResource): readonly ExclusiveClaim[];
  /** The quotas in which the kind is counted; `quota` of the kind has the use of each by one resource. */
  readonly quotas?: Readonly<Partial<Record<QuotaName, KindQuota>>>;
  /** Export of the kind to a configuration; a kind without it is not exported. */
  readonly export?: KindExport<K>;
}

/**
 * A credential opens something for whoever has its secret, which the account never shows. So expressions cannot read it; a
 * replacement exists, and is in use, before the old one is revoked; and neither its use nor its expiry is a change.
 */
export interface CredentialTrait<K extends KindName = KindName> {
  /** The reason why the credential has to be replaced now, though nothing differs; `now` in milliseconds since the Unix epoch. */
  findEnd(before: Attributes, desired: Attributes, now: number): ChangeReason | undefined;
  /** The record without members that mere use changes between two readings. */
  withoutUse(live: LiveRecordOfKind<K>): LiveRecordOfKind<K>;
}

/** An operation on a resource, in the service's own words; null where the service does not report it. */
export interface ShownResourceOperation {
  readonly operation: string | null;
  readonly status: string | null;
}

/** The service locks a resource while it works on it, even where the status does not show that. */
export interface ServiceLockTrait<K extends KindName = KindName> {
  /** Code of the note that the resource is busy. */
  readonly lockCode: string;
  workOf(live: LiveRecordOfKind<K>): ShownResourceOperation;
}

/**
 * The resource is sold: its sale has attributes that its record lacks. Sales are read where the configuration gives the
 * field, and for an export.
 */
export interface SaleTrait<K extends KindName = KindName> {
  readonly field: string;
  /** Adds attributes of the resource's sale to the live resource. */
  withSale(live: LiveRecordOfKind<K>, sale: Pick<Sale, 'renewal'>): LiveRecordOfKind<K>;
  /** Adds the attributes of the sale from when the account was read: a read of the resource alone lacks them. */
  recall(live: LiveRecordOfKind<K>, planned: LiveRecordOfKind<K>): LiveRecordOfKind<K>;
}

/**
 * The resource is built from others, and shows the old ones until it is rebuilt: ids in its record may be of resources that
 * are gone since.
 */
export interface BuiltFromTrait<K extends KindName = KindName> {
  /** Name of the field that names the resources it is built from. */
  readonly field: string;
  idsOf(live: LiveRecordOfKind<K>): ReportedOrUntoldField<readonly string[]>;
  /**
   * The fields whose change rebuilds the resource unless the configuration says which; other changes wait for the next
   * rebuild.
   */
  readonly rebuildOn: readonly string[];
}

/** The number of backups that are lost with a disk: `none` where they stay, null where they are not counted. */
export type LostBackupCount = number | null | 'none';

/** Trait of kinds whose deletion loses data or an address for good. */
export interface DestroyLossTrait {
  /** Sentences about what the change loses for good. */
  list(
    effect: 'rebuild' | 'destroy',
    before: Attributes,
    backups: LostBackupCount,
  ): readonly string[];
  /** Set where backups belong to the resource, and are deleted with it. */
  readonly hasBackups: boolean;
}

/** Trait of kinds that can be kept, stopped and renamed, instead of being deleted. */
export interface RetirementTrait<K extends KindName = KindName> {
  /** Commands that take it out of service and give it the name for the time being, in their order. */
  write(
    live: LiveRecordOfKind<K>,
    name: string,
    context: { readonly project: ResourceRef; readonly self: ResourceRef },
  ): readonly Command[];
  /** Ids of resources that are bound to it and that no request can detach. */
  listFast(live: LiveRecordOfKind<K>): readonly string[];
  /** Attributes of a resource that comes back from its retirement, where nobody configures them. */
  wanted(retired: ResourceRetirement): Attributes;
}

/** A resource of another kind has this one for itself, by the id in the live record: the VM of a public IP. */
export interface HolderTrait<K extends KindName = KindName> {
  readonly kind: KindName;
  /** Code of the finding where another resource already holds this one. */
  readonly code: string;
  idOf(live: LiveRecordOfKind<K>): ReportedOrUntoldField<string | null>;
}

/** Trait of kinds that hold live resources of another kind. */
export interface HeldResourcesTrait<K extends KindName = KindName> {
  /** Name of the field whose change releases the held resources first. */
  readonly field: string;
  readonly kind: KindName;
  idsOf(live: LiveRecordOfKind<K>): readonly string[];
}

/** A resource that is created and deleted with this one, where the create asks for it, as the public IP of a VM. */
export interface CompanionResourceTrait<K extends KindName = KindName> {
  readonly kind: KindName;
  /** Configured attributes that make the service create the second resource. */
  readonly asked: Attributes;
  /** Text that stands in the place of the second resource's key. */
  readonly key: string;
  isAskedBy(command: ResolvedCommand): boolean;
  /** The id of the resource that came along; undefined as long as it has none. */
  idOf(live: LiveRecordOfKind<K>): string | undefined;
}

/** The resource cannot be deleted while others lie in it or hold it. These are the words of a plan that would. */
export interface InUseTrait {
  readonly code: string;
  /** Verb of the sentence about the use: `still holds`, `is still attached to`. */
  readonly verb: string;
  /** The words before the list of the resources that are in the way. */
  readonly lead: string;
  /** The hint where some of these are managed; a general one unless given. */
  readonly hintForManaged?: string;
  /** Set where the service refuses the delete, too, while another resource refers to this one. */
  readonly isByReferences?: true;
}

/** The kind has no name: some of its fields distinguish a resource from others in its place. */
export interface DistinguishingFieldsTrait<K extends KindName = KindName> {
  /** The fields that distinguish it, the narrowest last. With an empty list, the resources within it and its holder do. */
  readonly fields: readonly string[];
  /** Words for the fields in messages; absent where a kind needs none. */
  readonly words?: {
    /** Noun for a value that only one resource in its place can have: `port`. */
    readonly takes: string;
    /** Describes a live resource by its values: `port tcp 443`. */
    describe(live: LiveRecordOfKind<K>): string;
    /** The finding where another live resource has the values; `address`: the one that is to have them. */
    describeTaken(
      live: LiveRecordOfKind<K>,
      address: ResourceAddress,
    ): Omit<Finding, 'severity' | 'address'>;
  };
}

/** Checks of faults that only this kind of resource can have. */
export interface KindChecksTrait {
  /** Faults of the fields of a block beyond its shape, before any plan. */
  fields?(fields: EvaluatedFields): readonly FieldFault[];
  /** Checks the resources of this kind in a plan. */
  readonly plan?: KindCheck;
  /** Finds resources that the service has no capacity for. */
  readonly room?: KindCheck;
}

/** A part of the service that an access token may open by itself. */
export type TokenScopePart = Exclude<WireTokenScope, 'full' | 'read'>;

/** Words for a quota in tables and sentences. */
export interface QuotaWords {
  /** Label of the quota in a table, with the unit. */
  readonly label: string;
  /** Name of the quota in a sentence. */
  readonly name: string;
  /** Unit behind a number, with a blank before it; empty for a count. */
  readonly unit: string;
}

/** A quota that limits the resources of one kind. */
export interface KindQuota extends QuotaWords {
  readonly at: QuotaFieldPath;
}

/** The service's limit on the length of a name or another text. */
export interface LengthCap extends NameLengthCapField {
  /** Label of the length limit in a table: `VM name`. */
  readonly label: string;
}

/** Keys of a collection that have a special meaning, so that no resource can have them. */
export interface ReservedKeys {
  readonly keys: readonly string[];
  /** Meaning of the reserved keys, as a sentence. */
  readonly why: string;
  /** The message about a reference that uses such a key as if it named a resource, by key. */
  readonly misused: ReadonlyMap<string, { readonly detail: string; readonly hint: string }>;
}

/** A claim to something that only one resource can have: a port, a public IP, a file. */
export interface ExclusiveClaim {
  readonly id: string;
  /** Set where the id is a path, of which several spellings are the same. */
  readonly isPath?: true;
  /** Name of the attribute whose value only one resource may have. */
  readonly attribute: string;
  /** The resource that must be configured for the claim to count: a missing one is reported as missing. */
  readonly of?: { readonly kind: KindName; readonly key: string };
  readonly code: string;
  readonly summary: string;
  /** Sentence that follows the places of both claims in the error. */
  readonly why?: string;
  readonly hint: string;
  /** Hint for two claims by instances of one block. */
  readonly hintForInstances?: string;
}

/** The fields of a block as the configuration gives them, its own and those from defaults. */
export interface EvaluatedFields {
  has(name: string): boolean;
  /** The text of a field, its expressions evaluated; undefined where it has none, or one that is not known yet. */
  textOf(name: string): string | undefined;
  /** The place of a field; that of the block where it is not given. */
  sourceOf(name: string): SourceRange;
}

/** A fault in the value of a field, worded for the user. */
export interface FieldFault {
  readonly field: string;
  readonly code: string;
  readonly summary: string;
  readonly detail: string;
  readonly hint: string;
}
