// The traits of kinds: what some kinds have and others lack, each a type with the paragraph that says what follows from it.
// Whoever wants to know asks for a trait by its name, and need not know which kind it is.
import type { CapField, QuotaField } from '../api/contract/codec.ts';
import type { WireTokenScope } from '../api/contract/types.ts';
import type { Address } from '../model/address.ts';
import type { Sale } from '../model/account/account.ts';
import type { Command, Ref, ResolvedCommand } from '../model/account/command.ts';
import type { Catalog, LiveOf, QuotaName } from '../model/account/live.ts';
import type { Told } from '../model/account/told.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { KindName } from '../model/kind-places.ts';
import type { ChangeReason } from '../model/plan/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { SourceRange } from '../model/source.ts';
import type { Attributes, ToldAttributes } from '../model/value.ts';
import type { Retirement } from '../model/state/state.ts';
import type { KindExport } from './export/kind-export.ts';
import type { KindCheck } from './kind-check.ts';

/** The traits of a kind by their names; absent are those that it lacks. `K` fixes which live record they read. */
export interface Traits<K extends KindName = KindName> {
  /** It is there once in every account: it can be neither made nor destroyed, and only changes in place. */
  readonly permanent?: true;
  /** The attribute that people call it by, and that `data` finds it by: `data` reads no kind without one. */
  readonly calledBy?: string;
  /** Its list is believed: one that is not shown beside others is gone, and is not asked for by its id. */
  readonly believedList?: true;
  readonly credential?: Credential<K>;
  readonly lock?: Lock<K>;
  /** True while it runs, false while it is stopped; undefined where that is not told. */
  isRunning?(live: LiveOf<K>): boolean | undefined;
  /** True where the configuration wants it stopped. */
  isMeantToStop?(attributes: Attributes): boolean;
  /**
   * The signs that a reviewer goes by before it is destroyed, in the words of the configuration. A kind lacks them of
   * which nothing can change but what the service itself refuses a delete for.
   */
  signs?(live: LiveOf<K>, catalog: Catalog): ToldAttributes;
  readonly sale?: OfSale<K>;
  /**
   * The price of it: the field that names the tariff which has the price, or `untold` where it is sold under none that the
   * configuration names. A kind without a price costs nothing.
   */
  readonly price?: { readonly field: string } | 'untold';
  readonly builtFrom?: BuiltFrom<K>;
  /** The ids of what it has from the lists that the service offers, by the field that names the entry. */
  entryIds?(live: LiveOf<K>): Readonly<Record<string, Told<string>>>;
  readonly losses?: Losses;
  /**
   * The attributes that a member of the contract's records leaves untold where the service lacks it, by `RECORD.MEMBER`: those
   * that do not follow from its name.
   */
  readonly attributesOf?: Readonly<Record<string, readonly string[]>>;
  /** The id of what it lies in below its project; a kind without it lies directly in a project, or in none. */
  parentId?(live: LiveOf<K>): string;
  /** The id of what answers behind it: while that is out of service, nobody does. */
  leadsTo?(live: LiveOf<K>): Told<string>;
  readonly retire?: Retire<K>;
  readonly heldBy?: HeldBy<K>;
  /** The live resources that it holds, by the field that names them: the service deletes none of them before. */
  readonly holds?: readonly Hold<K>[];
  readonly brings?: Brought<K>;
  readonly inUse?: InUse;
  readonly marks?: Marks<K>;
  /**
   * Attributes of which a resource keeps at least one whatever people change of it: what shares none is another one. One of them
   * never changes in place. A kind without tells too little.
   */
  readonly identifiedBy?: readonly string[];
  readonly checks?: Checks;
  readonly reservedKeys?: ReservedKeys;
  /** Fields of other tools that it does not have, in small letters without `_`; each with the hint that helps. */
  readonly foreignKeys?: Readonly<Record<string, string>>;
  /** Claims of its fields that two of a configuration cannot have the same, beside its name. */
  claimsOnce?(resource: DesiredResource): readonly OnceClaim[];
  /** The quotas that are counted of it; what one resource takes of each says `quota` of the kind. */
  readonly quotas?: Readonly<Partial<Record<QuotaName, KindQuota>>>;
  /** The way it is written as a configuration; a kind without is not exported. */
  readonly export?: KindExport<K>;
}

/**
 * It opens something for whoever has its secret, which the account never shows. So expressions cannot read it; a replacement
 * stands, and is in use, before what it replaces goes; and being used or running out is no change of what it is.
 */
export interface Credential<K extends KindName = KindName> {
  /** Why it has to be replaced at this time, though nothing differs; `now` in milliseconds since the Unix epoch. */
  findEnd(before: Attributes, desired: Attributes, now: number): ChangeReason | undefined;
  /** It without what its use alone changes between two readings. */
  withoutUse(live: LiveOf<K>): LiveOf<K>;
}

/** An operation on a resource, in the service's own words; null where it does not say. */
export interface Work {
  readonly operation: string | null;
  readonly status: string | null;
}

/** The service locks it while it works on it, also where its status does not tell. */
export interface Lock<K extends KindName = KindName> {
  /** The code of the note that it is busy. */
  readonly lockCode: string;
  workOf(live: LiveOf<K>): Work;
}

/** It is sold: its sale tells what its record does not. Sales are read where the configuration gives the field, and for an export. */
export interface OfSale<K extends KindName = KindName> {
  readonly field: string;
  /** The resource with what its sale tells. */
  withSale(live: LiveOf<K>, sale: Pick<Sale, 'renewal'>): LiveOf<K>;
  /** Adds what its sale told when the account was read: a read of the resource alone does not tell it. */
  recall(live: LiveOf<K>, planned: LiveOf<K>): LiveOf<K>;
}

/** It is built from other resources, which shows until it is built anew: their ids in its record may be of what is gone since. */
export interface BuiltFrom<K extends KindName = KindName> {
  /** The field that names them. */
  readonly field: string;
  idsOf(live: LiveOf<K>): Told<readonly string[]>;
  /** The fields whose change rebuilds it unless the configuration says which; others wait for the next rebuild. */
  readonly rebuildOn: readonly string[];
}

/** The number of backups that go with a disk: `none` where they stay, null where they are not counted. */
export type LostBackups = number | null | 'none';

/** Something goes with it that nobody gets back. */
export interface Losses {
  /** The losses, a sentence each. */
  list(effect: 'rebuild' | 'destroy', before: Attributes, backups: LostBackups): readonly string[];
  /** Backups belong to it, and go with it. */
  readonly hasBackups: boolean;
}

/** It can be kept, out of service, instead of being destroyed. */
export interface Retire<K extends KindName = KindName> {
  /** Commands that take it out of service and give it the name for the time being, in their order. */
  write(
    live: LiveOf<K>,
    name: string,
    context: { readonly project: Ref; readonly self: Ref },
  ): readonly Command[];
  /** The ids of what it holds, and what no request takes off it. */
  listFast(live: LiveOf<K>): readonly string[];
  /** The attributes that it returns with, where nobody configures them. */
  wanted(retired: Retirement): Attributes;
}

/** One of another kind has it for itself, by the id in its live record: the VM of a public IP. */
export interface HeldBy<K extends KindName = KindName> {
  readonly kind: KindName;
  /** The code of the finding that another one has it. */
  readonly code: string;
  idOf(live: LiveOf<K>): Told<string | null>;
}

/** Live resources that one of another kind holds. */
export interface Hold<K extends KindName = KindName> {
  /** A change of the field releases them first. */
  readonly field: string;
  readonly kind: KindName;
  idsOf(live: LiveOf<K>): readonly string[];
}

/** A resource comes with its create, where that asks for one, and goes with it. */
export interface Brought<K extends KindName = KindName> {
  readonly kind: KindName;
  /** The words of a configuration that ask for it. */
  readonly asked: Attributes;
  /** The text in the place of its key. */
  readonly key: string;
  isAskedBy(command: ResolvedCommand): boolean;
  /** Its id; undefined as long as it has none. */
  idOf(live: LiveOf<K>): string | undefined;
}

/** It cannot be deleted while others lie in it or hold it. These are the words of a plan that would. */
export interface InUse {
  readonly code: string;
  /** `still holds`, `is still attached to`. */
  readonly verb: string;
  /** The words before the list of those that are in the way. */
  readonly lead: string;
  /** The hint where some of them are managed; the general one unless given. */
  readonly hintForManaged?: string;
  /** The service refuses, too, while another resource refers to it. */
  readonly isByReferences?: true;
}

/** It has no name: some of its fields mark it among others in its place. */
export interface Marks<K extends KindName = KindName> {
  /** These fields, the narrowest last. None: what lies in it and what holds it do. */
  readonly fields: readonly string[];
  /** The words for them; absent where there are none. */
  readonly words?: {
    /** The words for what only one in its place can have: `port`. */
    readonly takes: string;
    /** Those of a live one: `port tcp 443`. */
    describe(live: LiveOf<K>): string;
    /** The fault where another live one has them; `address`: of the one that is to have them. */
    describeTaken(live: LiveOf<K>, address: Address): Omit<Finding, 'severity' | 'address'>;
  };
}

/** Something can be wrong with it alone. */
export interface Checks {
  /** Faults of the fields of a block beyond its shape, before any plan. */
  fields?(fields: WrittenFields): readonly FieldFault[];
  /** Faults of the resources of this kind in a plan. */
  readonly plan?: KindCheck;
  /** Resources that the service has no room for. */
  readonly room?: KindCheck;
}

/** A part of the service that an access token may open by itself. */
export type PartScope = Exclude<WireTokenScope, 'full' | 'read'>;

/** The words for a quota. */
export interface QuotaWords {
  /** In a table, with its unit. */
  readonly label: string;
  /** In a sentence. */
  readonly name: string;
  /** Behind a number, with a blank before it; empty for a count. */
  readonly unit: string;
}

/** A quota that is of a kind. */
export interface KindQuota extends QuotaWords {
  readonly at: QuotaField;
}

/** A cap of the service on the length of a name or the like. */
export interface LengthCap extends CapField {
  /** In a table: `VM name`. */
  readonly label: string;
}

/** Keys with a meaning of their own where one is named. */
export interface ReservedKeys {
  readonly keys: readonly string[];
  /** Their meaning; a sentence. */
  readonly why: string;
  /** The message about a reference by one of them, which looks like a key and is none. */
  readonly misused: ReadonlyMap<string, { readonly detail: string; readonly hint: string }>;
}

/** Something of which there can be one only: a port, the use of a public IP, a file. */
export interface OnceClaim {
  readonly id: string;
  /** The id is a path, and several spellings mean one. */
  readonly isPath?: true;
  /** The attribute that claims it. */
  readonly attribute: string;
  /** Fields that must be configured for the claim to count: one that is missing is reported as that. */
  readonly of?: { readonly kind: KindName; readonly key: string };
  readonly code: string;
  readonly summary: string;
  /** Behind the places of the two; a sentence. */
  readonly why?: string;
  readonly hint: string;
  /** In its place where both are instances of one block. */
  readonly hintForInstances?: string;
}

/** The fields of a block as the configuration gives them, its own and those from defaults. */
export interface WrittenFields {
  has(name: string): boolean;
  /** The text of a field, its expressions worked out; undefined where it has none, or none that is known by now. */
  textOf(name: string): string | undefined;
  /** The place of a field; that of the block where it is not given. */
  sourceOf(name: string): SourceRange;
}

/** A fault of a field, in words for a person. */
export interface FieldFault {
  readonly field: string;
  readonly code: string;
  readonly summary: string;
  readonly detail: string;
  readonly hint: string;
}
