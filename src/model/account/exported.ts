import type { Address } from '../address.ts';
import type { KindName } from '../kind-places.ts';
import type { Attributes } from '../value.ts';

/** A live resource as a configuration would describe it. */
export interface ExportedResource {
  readonly kind: KindName;
  readonly address: Address;
  /** The address one level up; undefined for a project. */
  readonly parent: Address | undefined;
  /** Its key within its collection. */
  readonly local: string;
  readonly id: string;
  /** What has to be written: fields whose values are not what they would be anyway; `lifecycle` too. */
  readonly fields: Attributes;
  /** What the fields do not tell of it; full sentences. */
  readonly remarks: readonly string[];
  /** True: it is written out in another file, and stands here for what it holds. */
  readonly isElsewhere?: true;
}

/** A live resource that no configuration can describe as it is. */
export interface LeftOut {
  readonly kind: KindName;
  readonly id: string;
  /** As it is called in a sentence: `VM "web" (vm-1)`. */
  readonly title: string;
  /** The project that it stands in, where that is described; undefined for a project. */
  readonly project: Address | undefined;
  /** Why, and what would help; full sentences. */
  readonly why: string;
}

/** Live projects as a configuration would describe them: parents before what they hold. */
export interface Exported {
  readonly resources: readonly ExportedResource[];
  readonly leftOut: readonly LeftOut[];
}
