// The dependency graph: the resources of a configuration or of a plan and the references between them, for pictures.
import type { ResourceAddress } from '../address.ts';
import type { Change } from './plan.ts';
import type { KindName } from '../kind-places.ts';

/** A resource, or several instances of a block, in a picture of the graph. */
export interface GraphNode {
  readonly address: ResourceAddress;
  readonly kind: KindName;
  /** Address of the resource's project; for a project its own. */
  readonly project: ResourceAddress;
  /** The planned change of the resource; absent where the picture shows a configuration without a plan. */
  readonly change?: Change;
  /** The number of instances that this node stands for; absent for a single resource. */
  readonly members?: number;
}

/** A dependency: the resource `from` needs the resource `to`. */
export interface GraphEdge {
  readonly from: ResourceAddress;
  /** Address of the resource that `from` needs. */
  readonly to: ResourceAddress;
}

/**
 * Resources and their dependencies. Nodes are in address order, edges in the order of both their ends. Edges that follow from
 * others are left out: a VM that needs a network needs its project too.
 */
export interface DependencyGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
