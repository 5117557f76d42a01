import type { Address } from '../address.ts';
import type { KnownResource } from '../deferred.ts';

/** What expressions may read of a resource, and what of that is to be kept secret. */
export interface Readable extends KnownResource {
  /** Names of attributes whose values are never shown. */
  readonly sensitive: readonly string[];
}

/** A configured resource as it stands, or as it will stand once a plan is applied. */
export interface ProjectedResource extends Readable {
  readonly address: Address;
  /** True when it does not stand and this run does not bring it about: all of it is unknown. */
  readonly isMissing?: boolean;
}

/** A block without a resource, since it is repeated no times or not enabled, and what an expression reads of it. */
export interface EmptyGroup {
  readonly address: Address;
  readonly reads: 'list' | 'map' | 'null';
}
