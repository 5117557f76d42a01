// A kind: everything that Hostwright knows about one sort of resource, as values and pure functions. Each kind has a folder
// beside this file; a new kind is one more. Nothing here sends, waits, reads a clock or looks inside another kind.
import type { ResourceKindCodec } from '../api/contract/codec.ts';
import type { ResourceAddress } from '../model/address.ts';
import type { Command, ResourceRef } from '../model/account/command.ts';
import type { Catalog, LiveRecordOfKind, QuotaName } from '../model/account/live.ts';
import type { FieldEffect } from '../model/plan/plan.ts';
import type { KindName } from '../model/kind-places.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { Attributes, ReportedAttributes, Value } from '../model/value.ts';
import type { CommandTable } from './command-facts.ts';
import type { KindConfigurationSchema } from './configuration-part.ts';
import type { LiveIdTranslator } from './names.ts';
import type { RecordedResource } from './recorded-resource.ts';
import type { LengthCap, TokenScopePart, KindTraits } from './traits.ts';

/**
 * Type of a value that a deferred field takes: a text, a name, texts that differ, a port, a public key, or one of a few
 * words.
 */
export type DeferredFieldType =
  'text' | 'name' | 'texts' | 'port' | 'publicKey' | readonly string[];

/** A field that the configuration of a resource may have. */
export interface KindField {
  /** Effect of changing the field: an update, a rebuild or a replacement. */
  readonly effect: FieldEffect;
  /** Set for a list in which the order has no meaning. */
  readonly isSet?: boolean;
  /** Value after the field has left a configuration that gave it; without a fallback the resource keeps its value. */
  readonly fallback?: null | readonly [];
  /** Attributes that follow from this field: computed by `derive`, or assigned anew by the service. */
  readonly settles?: readonly string[];
  /** Set for a field that names other resources of the configuration, by their keys. */
  readonly isReference?: true;
  /** Set where a change has failed if the account then shows another value; of other fields, the shown value is recorded. */
  readonly isEssential?: true;
  /** Set for a file or a command of this machine: an apply never takes it from a saved plan. */
  readonly isLocal?: true;
  /** Type of the value when it is worked out on apply; a field without this must be known when a plan is made. */
  readonly deferrable?: DeferredFieldType;
  /** The service's limit on the length of the value. */
  readonly cap?: LengthCap;
  /**
   * Set for a field that must be given, in its own block or by defaults: the schema cannot check that, since it sees one
   * block at a time.
   */
  readonly isRequired?: true;
  /** The type of the value; unless given, a set is a list of texts, and any other field one text. */
  readonly type?: 'map' | 'number';
  /** The value where the configuration gives neither this field nor the field `unless`. */
  readonly initial?: { readonly value: Value; readonly unless?: string };
  /** The catalog's list for the field: its value is an id or a name from there. */
  readonly offered?: keyof Catalog;
}

/** A reference to another resource in a configured field. */
export interface Reference {
  readonly attribute: string;
  /** Index of the reference in a list; absent for a field with a single one. */
  readonly index?: number;
  readonly address: ResourceAddress;
}

/** A resource in the configuration's terms, desired or live: its references, claims and quotas can be read. */
export type DescribedResource = Pick<
  DesiredResource,
  'address' | 'kind' | 'project' | 'attributes'
>;

/** Context in which a kind writes the commands for one resource. */
export interface CommandContext {
  readonly project: ResourceRef;
  /** The resource itself: its live id, or the id that its create will return. */
  readonly self: ResourceRef;
  /** A port forward's public IP; the project for the other kinds. */
  readonly parent: ResourceRef;
  /** The resource that a local key of this project, or an outside id, stands for. */
  refTo(kind: KindName, local: string): ResourceRef;
  readonly catalog: Catalog;
}

/** Fields that an in-place change sets, with its way. */
export interface InPlaceDifference {
  /** Names of the fields that differ. */
  readonly fields: ReadonlySet<string>;
  readonly before: Attributes;
  readonly after: Attributes;
  /** Tells whether the change is a rebuild, by which the resource loses its data. */
  readonly isRebuild: boolean;
  readonly deleteBackups: boolean;
  /** Tells whether a backup is made before a rebuild. */
  readonly backupFirst: boolean;
}

/** One sort of resource: the members that every kind has, and its traits. `K` fixes the type of its live record. */
export interface ResourceKind<K extends KindName = KindName> {
  readonly name: K;
  /** Noun for a resource of the kind in a sentence: `public IP`; its plural takes an s. */
  readonly label: string;
  /** The article before that noun; `the` for a kind of which there is one. */
  readonly article: 'a' | 'an' | 'the';
  /** Schema of the kind's block in the configuration. */
  readonly configuration: KindConfigurationSchema;
  /** Optional behaviour that only some kinds have. */
  readonly traits: KindTraits<K>;

  // Members about the service: the kind's records, the facts about its commands, the scopes of a token.
  readonly wire: ResourceKindCodec<K>;
  readonly commands: CommandTable<K>;
  /**
   * The parts of the service that an access token must open to change a resource with these attributes, the kind's own part
   * first.
   */
  scopes(attributes: Attributes): readonly TokenScopePart[];

  // Members about attributes.
  /** Fields that the configuration may give, by name. */
  readonly fields: Readonly<Record<string, KindField>>;
  /** Attributes that the service assigns, so that they are known only after an apply. */
  readonly computed: readonly string[];
  /** Attributes that follow from configured ones, some through the catalog: a VM's cores. Null stands for none. */
  derive(attributes: Attributes, catalog: Catalog): Attributes;
  /** The live record in the configuration's terms, with the attributes that the service assigned. `desired` settles spellings. */
  read(
    live: LiveRecordOfKind<K>,
    names: LiveIdTranslator,
    desired: Attributes | undefined,
  ): ReportedAttributes;
  /** The fields of a live record, from the state's record: an unknown one is undefined, or absent. */
  fromRecord(recorded: RecordedResource): Partial<LiveRecordOfKind<K>>;

  // Members about other resources.
  /** The resources of the same project that the configured fields name. */
  references(resource: DescribedResource): readonly Reference[];
  /**
   * Things that only one resource can hold at a time, each as a text that is unique in the account: a name in a project, a
   * port.
   */
  claims(resource: DescribedResource): readonly string[];
  /** Amount of each quota that a resource with these attributes uses. */
  quota(attributes: Attributes, catalog: Catalog): Readonly<Partial<Record<QuotaName, number>>>;

  // Members about the commands of a change.
  /** Commands that create the resource as described; the create itself comes first. */
  create(after: Attributes, context: CommandContext): readonly Command[];
  /** Commands that change the resource in place, or rebuild it, in the order in which they must run. */
  update(difference: InPlaceDifference, context: CommandContext): readonly Command[];
  /** Lists commands that delete the resource. */
  destroy(context: Pick<CommandContext, 'project' | 'self' | 'parent'>): readonly Command[];
}
