import type { ResourceAddress } from '../address.ts';
import type { KindName } from '../kind-places.ts';
import type { Attributes } from '../value.ts';

/** A live resource as a configuration would describe it. */
export interface ExportedResource {
  readonly kind: KindName;
  readonly address: ResourceAddress;
  /** Address of the resource that contains it; undefined for a project. */
  readonly parent: ResourceAddress | undefined;
  /** Key of the resource within its collection. */
  readonly local: string;
  readonly id: string;
  /** Fields to write: those whose values differ from the defaults; `lifecycle` too. */
  readonly fields: Attributes;
  /** Comments for the YAML about what the fields cannot express, in full sentences. */
  readonly remarks: readonly string[];
  /** Set where the resource is written to another file, and is here for the resources that it holds. */
  readonly isElsewhere?: true;
}

/** A live resource that no configuration can describe as it is. */
export interface UnexportedResource {
  readonly kind: KindName;
  readonly id: string;
  /** Name of the resource for a sentence: `VM "web" (vm-1)`. */
  readonly title: string;
  /** Address of its project, where that is exported; undefined for a project. */
  readonly project: ResourceAddress | undefined;
  /** Reason why the resource was not exported, with a way out, in full sentences. */
  readonly why: string;
}

/** Live projects as a configuration would describe them: parents before what they hold. */
export interface ExportedAccount {
  readonly resources: readonly ExportedResource[];
  readonly leftOut: readonly UnexportedResource[];
}
