// A kind: everything Hostwright knows of one sort of resource, as values and pure functions. One file a kind beside
// this one; a new kind is one more. Nothing here sends, waits, reads a clock or looks inside another kind.
import type { Codec } from '../api/contract/codec.ts';
import type { Address } from '../model/address.ts';
import type { Command, Ref } from '../model/account/command.ts';
import type { Catalog, LiveOf, QuotaName } from '../model/account/live.ts';
import type { FieldEffect } from '../model/plan/plan.ts';
import type { KindName } from '../model/kind-places.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { Attributes, ToldAttributes, Value } from '../model/value.ts';
import type { CommandTable } from './command-facts.ts';
import type { ConfigurationPart } from './configuration-part.ts';
import type { Names } from './names.ts';
import type { RecordedResource } from './recorded-resource.ts';
import type { LengthCap, PartScope, Traits } from './traits.ts';

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
  /** The cap of its length. */
  readonly cap?: LengthCap;
  /** It must be given, in its own block or by defaults, which the schema cannot tell: it sees one block at a time. */
  readonly isRequired?: true;
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

/** One sort of resource: what every kind has, and its traits. `K` fixes which live record it reads. */
export interface Kind<K extends KindName = KindName> {
  readonly name: K;
  /** The noun for it in a sentence: `public IP`; several of them take an s. */
  readonly label: string;
  /** The word before that; `the` where there is one alone. */
  readonly article: 'a' | 'an' | 'the';
  /** The part of the configuration's schema that is its own. */
  readonly configuration: ConfigurationPart;
  /** The traits that only some kinds have. */
  readonly traits: Traits<K>;

  // At the service: its records, the effect of each command about it, the parts that a token must open.
  readonly wire: Codec<K>;
  readonly commands: CommandTable<K>;
  /** The parts of the service that an access token must open to change one with these attributes, its own first. */
  scopes(attributes: Attributes): readonly PartScope[];

  // Its attributes.
  /** The fields of the configuration, by name. */
  readonly fields: Readonly<Record<string, Field>>;
  /** What the service assigns: known after apply. */
  readonly computed: readonly string[];
  /** Attributes that follow from configured ones, some through the catalog: a VM's cores. Null stands for none. */
  derive(attributes: Attributes, catalog: Catalog): Attributes;
  /** The live record in the configuration's terms, with what the service assigned. `desired` settles spellings. */
  read(live: LiveOf<K>, names: Names, desired: Attributes | undefined): ToldAttributes;
  /** The fields of a live record, by what the state recorded of it: what is not known is undefined, or absent. */
  fromRecord(recorded: RecordedResource): Partial<LiveOf<K>>;

  // What it needs of others.
  /** The resources of the same project that the configured fields name. */
  references(resource: Described): readonly Reference[];
  /** What only one resource can hold at a time, each a text unique in the account: a name in a project, a port. */
  claims(resource: Described): readonly string[];
  /** The part of each quota that one such resource takes. */
  quota(attributes: Attributes, catalog: Catalog): Readonly<Partial<Record<QuotaName, number>>>;

  // The commands of a change.
  /** Commands that make it as described; the first is the create. */
  create(after: Attributes, context: CommandContext): readonly Command[];
  /** Commands that change it in place, rebuilds too, in the order in which they must run. */
  update(difference: Difference, context: CommandContext): readonly Command[];
  /** Commands that remove it. */
  destroy(context: Pick<CommandContext, 'project' | 'self' | 'parent'>): readonly Command[];
}
