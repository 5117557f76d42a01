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

/** What is repeated no times: a list or a map with nothing in it. */
export interface EmptyGroup {
  readonly address: Address;
  readonly isList: boolean;
}
