// Changes whose fields read what is only known after apply: what is decided of them beforehand, as data.
import type { Address } from '../address.ts';
import type { DesiredResource } from '../resource.ts';
import type { Attributes } from '../value.ts';

/** What is decided of a resource beside its change, whatever its deferred values come to. */
export interface Decided {
  /** As `change.before`, with every reference by address where the id is managed, even when that one is replaced. */
  readonly held: Attributes | null;
  /** False while the service is still busy making or changing it. */
  readonly isSettled: boolean;
  /**
   * The name in between for a rename that must release its name before it can take the new one, and for what stays
   * until its replacement is under the same name.
   */
  readonly asideName?: string;
}

/**
 * A planned change with deferred values: what `resolveChange` needs beside the values themselves and the account. Plain
 * data, which a plan file holds.
 */
export interface DeferredChange extends Decided {
  readonly address: Address;
  /** The fields whose values are only known after apply. */
  readonly fields: readonly string[];
  /** With the expressions of those fields in `deferred`. */
  readonly desired: DesiredResource;
  /** The ids of what stood under the address before, and an earlier run did not get to destroy. */
  readonly deposed?: readonly string[];
  /** What it refers to now and is destroyed before something new takes its place. */
  readonly destroyedFirst: readonly Address[];
  /** What it refers to now and is destroyed at all. */
  readonly going: readonly Address[];
  /** Set aside for what is to be replaced, should it stay and another take its name; absent where it has no name. */
  readonly spareName?: string;
}
