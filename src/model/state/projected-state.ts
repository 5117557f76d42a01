import type { ResourceAddress } from '../address.ts';
import type { KnownResource } from '../deferred.ts';

/** Attributes of a resource that expressions may read, and those of them that are secret. */
export interface ExpressionVisibleResource extends KnownResource {
  /** Names of sensitive attributes, whose values are never shown. */
  readonly sensitive: readonly string[];
}

/** A configured resource as it is, or as it will be once a plan is applied. */
export interface ProjectedResource extends ExpressionVisibleResource {
  readonly address: ResourceAddress;
  /** Set for a resource that does not exist and that this run does not create: every attribute is unknown. */
  readonly isMissing?: boolean;
}

/** A block without a resource, since it is repeated no times or not enabled, and the value that an expression reads of it. */
export interface EmptyBlockValue {
  readonly address: ResourceAddress;
  readonly reads: 'list' | 'map' | 'null';
}
