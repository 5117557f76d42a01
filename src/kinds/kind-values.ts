// Shapes of what a kind hands to configuration, plan, checks and render.
import type { QuotaField } from '../api/contract/codec.ts';
import type { WireNameLengthLimits, WireTokenScope } from '../api/contract/types.ts';
import type { Sale } from '../model/account/account.ts';
import type { ResolvedCommand } from '../model/account/command.ts';
import type { LiveOf } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';
import type { SourceRange } from '../model/source.ts';
import type { Attributes } from '../model/value.ts';

/** A resource that comes with the create of another one, where that asks for it, and goes with it. */
export interface Brought<K extends KindName = KindName> {
  readonly kind: KindName;
  /** What a configuration says that asks for it. */
  readonly asked: Attributes;
  /** What stands in the place of its key. */
  readonly key: string;
  isAskedBy(command: ResolvedCommand): boolean;
  /** Its id; undefined as long as it has none. */
  idOf(live: LiveOf<K>): string | undefined;
}

/** Live resources that one of another kind holds. */
export interface Hold<K extends KindName = KindName> {
  /** Where the field changes, it lets go of them first. */
  readonly field: string;
  readonly kind: KindName;
  idsOf(live: LiveOf<K>): readonly string[];
}

/** The words of the finding that something cannot be deleted. */
export interface InUse {
  readonly code: string;
  /** `still holds`, `is still attached to`. */
  readonly verb: string;
  /** What stands before the list of those that are in the way. */
  readonly lead: string;
  /** What helps where some of them are managed; unless given, what helps always. */
  readonly hintForManaged?: string;
}

/** What only the sale of a resource tells: sales are read where the configuration gives the field, and for an export. */
export interface OfSale<K extends KindName = KindName> {
  readonly field: string;
  /** The resource with what its sale tells. */
  withSale(live: LiveOf<K>, sale: Pick<Sale, 'renewal'>): LiveOf<K>;
}

/** What of the service an access token may open by itself. */
export type PartScope = Exclude<WireTokenScope, 'full' | 'read'>;

/** How a quota is called. */
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

/** How long the service lets a name or the like be. */
export interface LengthCap {
  /** The field of its answer. */
  readonly at: keyof WireNameLengthLimits;
  /** In a table: `VM name`. */
  readonly label: string;
}

/** Keys with a meaning of their own where one is named. */
export interface ReservedKeys {
  readonly keys: readonly string[];
  /** What they mean; a sentence. */
  readonly why: string;
  /** What is said of a reference by one of them, which looks like a key and is none. */
  readonly misused: ReadonlyMap<string, { readonly detail: string; readonly hint: string }>;
}

/** Something of which there can be one only: a port, the use of a public IP, a file. */
export interface OnceClaim {
  readonly id: string;
  /** True: the id is a path, and several spellings mean one. */
  readonly isPath?: true;
  /** The attribute that claims it. */
  readonly attribute: string;
  /** What must be configured for the claim to count: what is missing is reported as that. */
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
  /** Where a field stands; the block where it is not given. */
  sourceOf(name: string): SourceRange;
}

/** What is wrong with a field, in words for a person. */
export interface FieldFault {
  readonly field: string;
  readonly code: string;
  readonly summary: string;
  readonly detail: string;
  readonly hint: string;
}
