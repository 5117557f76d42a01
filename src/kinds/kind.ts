// A kind: everything Hostwright knows of one sort of resource, as values and pure functions. One file a kind beside
// this one; a new kind is one more. Nothing here sends, waits, reads a clock or looks inside another kind.
import type { Codec } from '../api/contract/codec.ts';
import type { Address } from '../model/address.ts';
import type { Command, CommandName, Ref, ResolvedCommand } from '../model/account/command.ts';
import type { Catalog, LiveOf, NameLengths, QuotaName } from '../model/account/live.ts';
import type { Told } from '../model/account/told.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { ChangeReason, FieldEffect } from '../model/plan/plan.ts';
import type { KindName } from '../model/kind-places.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { Attributes, ToldAttributes, Value } from '../model/value.ts';
import type { CommandTable } from './command-facts.ts';
import type { ConfigurationPart } from './configuration-part.ts';
import type { KindExport } from './export/kind-export.ts';
import type { KindCheck } from './kind-check.ts';
import type {
  Brought,
  FieldFault,
  Hold,
  InUse,
  KindQuota,
  LengthCap,
  OfSale,
  OnceClaim,
  PartScope,
  ReservedKeys,
  WrittenFields,
} from './kind-values.ts';
import type { Names } from './names.ts';
import type { RecordedResource } from './recorded-resource.ts';

/** What a deferred field takes: a text, a name, texts that differ, a port, a public key, or one of a few words. */
export type DeferredType = 'text' | 'name' | 'texts' | 'port' | 'publicKey' | readonly string[];

/** A field that the configuration may give. */
export interface Field {
  /** What a change of its value asks for. */
  readonly effect: FieldEffect;
  /** A list whose order means nothing. */
  readonly isSet?: boolean;
  /** What the field falls back to when it leaves a configuration that gave it; without one it is left as it is. */
  readonly fallback?: null | readonly [];
  /** Attributes that follow from this one: as `derive` gives them, else assigned anew by the service. */
  readonly settles?: readonly string[];
  /** True: it names other resources of the configuration, by their keys. */
  readonly isReference?: true;
  /** True: a change that sets it and shows something else has failed; of other fields, what shows is recorded. */
  readonly isEssential?: true;
  /** True: it names a file or a command of this machine, which no saved plan may have another of. */
  readonly isLocal?: true;
  /** What its value must be when it is worked out on apply; a field without this must be known when a plan is made. */
  readonly deferrable?: DeferredType;
  /** What the service calls the cap of its length. */
  readonly cap?: keyof NameLengths;
  /** The type of its value; a set is a list of texts, everything else one text, unless given. */
  readonly type?: 'map' | 'number';
  /** Its value where the configuration says nothing, and nothing of the field `unless` either. */
  readonly initial?: { readonly value: Value; readonly unless?: string };
  /** The list of what the service offers for it: its value is an id or a name from there. */
  readonly offered?: keyof Catalog;
}

/** A mention of another resource in a configured field. */
export interface Reference {
  readonly attribute: string;
  /** Position in a list. */
  readonly index?: number;
  readonly address: Address;
}

/** A resource as references, claims and quotas are read from: desired, or live in the configuration's terms. */
export type Described = Pick<DesiredResource, 'address' | 'kind' | 'project' | 'attributes'>;

/** What a kind needs to write commands for one resource. */
export interface CommandContext {
  readonly project: Ref;
  /** The resource itself: its live id, or the id that its create will give. */
  readonly self: Ref;
  /** A port forward's public IP; the project for the other kinds. */
  readonly parent: Ref;
  /** The resource that a local key of this project, or an outside id, stands for. */
  refTo(kind: KindName, local: string): Ref;
  readonly catalog: Catalog;
}

/** What an in-place change has to bring about. */
export interface Difference {
  /** Names of the fields that differ. */
  readonly fields: ReadonlySet<string>;
  readonly before: Attributes;
  readonly after: Attributes;
  /** True: it is built anew, and loses what it holds. */
  readonly isRebuild: boolean;
  readonly deleteBackups: boolean;
  /** True: a rebuild is preceded by a backup. */
  readonly backupFirst: boolean;
}

/** How many backups go with a disk: `none` where they stay, null where they are not counted. */
export type LostBackups = number | null | 'none';

/** An operation on a resource, in the service's own words; null where it does not say. */
export interface Work {
  readonly operation: string | null;
  readonly status: string | null;
}

/** One sort of resource. `K` fixes which live record it reads. */
export interface Kind<K extends KindName = KindName> {
  readonly name: K;
  /** As it is called in a sentence: `public IP`; several of them take an s. */
  readonly label: string;
  /** What stands before it; `a` unless given. */
  readonly article?: 'an' | 'the';
  /** True: it is there once in every account, and can be neither made nor destroyed. Absent for all others. */
  readonly isPermanent?: true;
  /** True: one that its list does not show beside others is gone, and is not asked for by its id. */
  readonly isListBelieved?: true;
  /** True: a replacement always stands before what it replaces goes. */
  readonly isCreatedFirst?: true;
  /** True: expressions cannot read it. */
  readonly isUnreadable?: true;
  /** The attribute that people call it by, and that `data` finds it by; absent for kinds that `data` does not read. */
  readonly calledBy?: string;
  /** What of the configuration's schema is its own. */
  readonly configuration: ConfigurationPart;
  // At the service: how it is read, what each command about it does, how it shows.
  readonly wire: Codec<K>;
  /** The part of the service that an access token must open to change it. */
  readonly scope: PartScope;
  /** The parts beside it that some of its fields need. */
  otherScopes?(attributes: Attributes): readonly PartScope[];
  readonly commands: CommandTable<K>;
  /** It without what may differ between two readings; all but when it was created, unless given. */
  withoutPassing?(live: LiveOf<K>): LiveOf<K>;
  /** What the service is doing with it, for a kind whose status does not tell. */
  workOf?(live: LiveOf<K>): Work;
  /** Adds what a read of it alone does not tell, as it was when the account was read. */
  recall?(live: LiveOf<K>, planned: LiveOf<K>): LiveOf<K>;
  /** True while it runs, false while it is stopped; undefined where that is not told or means nothing. */
  isRunning?(live: LiveOf<K>): boolean | undefined;
  /**
   * What a reviewer goes by before it is destroyed, by the words of the configuration. Absent for a kind of which nothing
   * can change but what the service itself refuses a delete for.
   */
  traits?(live: LiveOf<K>, catalog: Catalog): ToldAttributes;

  /** The fields of the configuration, by name. */
  readonly fields: Readonly<Record<string, Field>>;
  /** The fields whose change rebuilds it unless the configuration says which; others wait for the next rebuild. */
  readonly rebuildOn?: readonly string[];
  /**
   * What is paid for it: the field that names the tariff which has the price, or `untold` where it is sold under none that
   * the configuration names. Absent for a kind that costs nothing.
   */
  readonly price?: { readonly field: string } | 'untold';
  /**
   * The fields that must be given, in its own block or by defaults: the schema cannot tell, for it sees one block at a
   * time. Absent for a kind that needs none, or that has no defaults.
   */
  readonly required?: readonly string[];
  /** What the service assigns: known after apply. */
  readonly computed: readonly string[];
  /** The resources of the same project that the configured fields name. */
  references(resource: Described): readonly Reference[];
  /** What only one resource can hold at a time, each a text unique in the account: a name in a project, a port. */
  claims(resource: Described): readonly string[];
  /** What one such resource takes of each quota. */
  quota(attributes: Attributes, catalog: Catalog): Readonly<Partial<Record<QuotaName, number>>>;
  /** Attributes that follow from configured ones, some through the catalog: a VM's cores. Null stands for none. */
  derive(attributes: Attributes, catalog: Catalog): Attributes;
  /**
   * The attributes that a member of the contract's records leaves untold where the service lacks it, by `RECORD.MEMBER`: those
   * that do not follow from its name.
   */
  readonly attributesOf?: Readonly<Record<string, readonly string[]>>;
  /** The live record in the configuration's terms, with what the service assigned. `desired` settles spellings. */
  read(live: LiveOf<K>, names: Names, desired: Attributes | undefined): ToldAttributes;
  /** The fields of a live record, by what the state recorded of it: what is not known is undefined, or absent. */
  fromRecord(recorded: RecordedResource): Partial<LiveOf<K>>;
  /** The ids of what it has from the lists that the service offers, by field; absent for a kind that has nothing from there. */
  entryIds?(live: LiveOf<K>): Readonly<Record<string, Told<string>>>;
  /** The field that names what it was built from; the ids in a live record may be of what is gone since. */
  readonly builtFrom?: { readonly field: string; idsOf(live: LiveOf<K>): Told<readonly string[]> };
  /** Why it has to be replaced at this time, though nothing differs; `now` in milliseconds since the Unix epoch. */
  findEnd?(before: Attributes, desired: Attributes, now: number): ChangeReason | undefined;
  /** Commands that make it as described; the first is the create. */
  create(after: Attributes, context: CommandContext): readonly Command[];
  /** Commands that change it in place, rebuilds too, in the order in which they must run. */
  update(difference: Difference, context: CommandContext): readonly Command[];
  /** Commands that remove it. */
  destroy(context: Pick<CommandContext, 'project' | 'self' | 'parent'>): readonly Command[];
  /** True: backups belong to it, and go with it. */
  readonly hasBackups?: true;
  /** What nobody gets back once it is gone, a sentence each; absent for kinds that hold no such thing. */
  losses?(
    effect: 'rebuild' | 'destroy',
    before: Attributes,
    backups: LostBackups,
  ): readonly string[];

  // What configuration, plan, checks and render have to know of the kind.

  /** The id of what it stands below in its project; absent for a kind that lies directly in one, or in none. */
  parentId?(live: LiveOf<K>): string;
  /** The one of another kind that has it for itself, by the id in its live record: the VM of a public IP. */
  readonly heldBy?: {
    readonly kind: KindName;
    /** The code of the finding that another one has it. */
    readonly code: string;
    idOf(live: LiveOf<K>): Told<string | null>;
  };
  /** What is wrong with the fields of a block beyond its shape, before any plan. */
  checkFields?(fields: WrittenFields): readonly FieldFault[];
  /** Keys that it cannot have. */
  readonly reservedKeys?: ReservedKeys;
  /** Fields of other tools that it does not have, in small letters without `_`; each with the hint that helps. */
  readonly foreignKeys?: Readonly<Record<string, string>>;
  /** What its fields claim of which two of a configuration cannot have the same, beside its name. */
  claimsOnce?(resource: DesiredResource): readonly OnceClaim[];
  /** What its sale tells; absent for a kind of which nothing is asked that its record does not tell. */
  readonly ofSale?: OfSale<K>;
  /** What may come with it. */
  readonly brings?: Brought<K>;
  /**
   * The fields that tell it from others in its place, where it has no name, the narrowest last. None: what lies in it and
   * what holds it do.
   */
  readonly toldBy?: readonly string[];
  /**
   * Attributes of which a resource keeps at least one whatever people change of it: what shares none is another one. One of them
   * never changes in place. Absent for a kind that tells too little.
   */
  readonly identifiedBy?: readonly string[];
  /** How a live one is distinguished from others where it has no name: `port tcp 443`. */
  describeMarks?(live: LiveOf<K>): string;
  /** What is wrong where another live one has its marks; `address`: of the one that is to have them. */
  describeTaken?(live: LiveOf<K>, address: Address): Omit<Finding, 'severity' | 'address'>;
  /** What only one in its place can have, in a word, where that is not a name: `port`. */
  readonly takes?: string;
  /** The live resources that it holds, by the field that names them: the service deletes none of them before. */
  readonly holds?: readonly Hold<K>[];
  /** How a plan is called wrong that deletes it while others lie in it or hold it; absent where the service permits it. */
  readonly inUse?: InUse;
  /** The code of the note that it is busy; absent for kinds that the service does not lock meanwhile. */
  readonly lockCode?: string;
  /** What is wrong with the resources of this kind in a plan. */
  readonly check?: KindCheck;
  /** What the service has no room for. */
  readonly checkRoom?: KindCheck;
  /** The quotas that are of this kind. */
  readonly quotas?: Readonly<Partial<Record<QuotaName, KindQuota>>>;
  /** The caps of lengths that are of this kind: what `cap` of its fields names. */
  readonly lengthCaps?: Readonly<Partial<Record<keyof NameLengths, LengthCap>>>;
  /** True: the service refuses to delete it while another resource refers to it. */
  readonly isBlockedByReferences?: true;
  /** Its commands that release what it refers to, and so may run before everything else. */
  readonly releasing?: readonly CommandName[];
  /** The fields that a create gave and that fall back when they leave the configuration. */
  givenBy?(command: ResolvedCommand): readonly string[];
  /** How it is written as a configuration; absent for kinds that are not exported. */
  readonly export?: KindExport<K>;
}
