// Decisions on changes whose fields read values that are known after apply, as data.
import type { ResourceAddress } from '../address.ts';
import type { DesiredResource } from '../resource.ts';
import type { Attributes } from '../value.ts';

/** Decisions of the planner on a resource that hold whatever its deferred values come to. */
export interface DecidedChange {
  /**
   * Live attributes as in `change.before`, but with every reference to a managed resource by its address, even where
   * that resource is replaced.
   */
  readonly held: Attributes | null;
  /** False while the service is still busy making or changing it. */
  readonly isSettled: boolean;
  /**
   * Temporary name of a rename that must release its name before it can take the new one, and of an old resource that stays
   * until its replacement has its name.
   */
  readonly asideName?: string;
}

/**
 * A planned change with deferred values, with all that `resolveDeferredChange` needs beside those values and the account. Plain data,
 * which a plan file holds.
 */
export interface DeferredChange extends DecidedChange {
  readonly address: ResourceAddress;
  /** Names of fields whose values are known only after other changes. */
  readonly fields: readonly string[];
  /** The desired resource, with the expressions of those fields in `deferred`. */
  readonly desired: DesiredResource;
  /** Ids of resources that had this address before, and that an earlier run did not get to destroy. */
  readonly deposed?: readonly string[];
  /** Resources that the live resource refers to and that are destroyed before their replacements are created. */
  readonly destroyedFirst: readonly ResourceAddress[];
  /** Resources that the live resource refers to and that this plan destroys. */
  readonly going: readonly ResourceAddress[];
  /**
   * Spare name for a resource that was to be replaced: it takes this name should its final values let it stay while another
   * resource takes its own. Absent for kinds without names.
   */
  readonly spareName?: string;
}
