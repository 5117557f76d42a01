import type { DependencyGraph, GraphEdge, GraphNode } from '../../model/plan/graph.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { isProject, kindPlaces } from '../../model/kind-places.ts';
import { findNodeAction } from './graph-labels.ts';
import { splitResourceName } from '../view/resource-name.ts';

/** Size of the largest graph that still makes a readable picture. */
export interface GraphSizeLimit {
  readonly nodes: number;
  readonly edges: number;
}

/**
 * Extent of a picture: everything; only the resources that change; instances of one resource as one node; resources of
 * one kind in a project as one node; or nothing, where even that is too much.
 */
export type GraphDetailLevel = 'everything' | 'changes' | 'instances' | 'kinds' | 'nothing';

/** Graph that was reduced to a size limit, with the level of detail that is left. */
export interface FittedGraph {
  readonly graph: DependencyGraph;
  readonly extent: GraphDetailLevel;
}

/** Reduces a graph to a size limit: leaves out and merges as few nodes as possible. */
export function fitGraph(graph: DependencyGraph, room: GraphSizeLimit): FittedGraph {
  return shrinkGraph(
    graph,
    ({ nodes, edges }) => nodes.length <= room.nodes && edges.length <= room.edges,
  );
}

/** Reduces a graph step by step as `fitGraph` does, until the function `fits` accepts it. */
export function shrinkGraph(
  graph: DependencyGraph,
  fits: (graph: DependencyGraph) => boolean,
): FittedGraph {
  if (fits(graph)) return { graph, extent: 'everything' };
  const changed = pickChangedGraph(graph);
  if (fits(changed)) return { graph: changed, extent: 'changes' };
  const byInstances = mergeNodes(changed, (node) => splitResourceName(node.address).base);
  if (fits(byInstances)) return { graph: byInstances, extent: 'instances' };
  const byKinds = mergeNodes(changed, ({ kind, project }) =>
    isProject(kind) ? project : `${project}.${kindPlaces[kind].collection}`,
  );
  if (fits(byKinds)) return { graph: byKinds, extent: 'kinds' };
  return { graph: { nodes: [], edges: [] }, extent: 'nothing' };
}

/** Picks the nodes that a plan changes, with the edges between them; all nodes where there is no plan. */
export function pickChangedGraph({ nodes, edges }: DependencyGraph): DependencyGraph {
  const kept = nodes.filter((node) => findNodeAction(node) !== 'no-op');
  const known = new Set(kept.map(({ address }) => address));
  return { nodes: kept, edges: edges.filter(({ from, to }) => known.has(from) && known.has(to)) };
}

/** Merges nodes of the graph with one name and one action into one. */
function mergeNodes(
  { nodes, edges }: DependencyGraph,
  nameOf: (node: GraphNode) => ResourceAddress,
): DependencyGraph {
  const actionsOf = new Map<ResourceAddress, Set<string>>();
  for (const node of nodes) {
    const name = nameOf(node);
    const actions = actionsOf.get(name) ?? new Set();
    actionsOf.set(name, actions.add(findNodeAction(node) ?? ''));
  }
  const groups = new Map<ResourceAddress, { first: GraphNode; count: number }>();
  const groupOf = new Map<ResourceAddress, ResourceAddress>();
  for (const node of nodes) {
    const name = nameOf(node);
    const isShared = (actionsOf.get(name)?.size ?? 0) > 1;
    const key = isShared ? `${name} (${findNodeAction(node) ?? ''})` : name;
    groupOf.set(node.address, key);
    const group = groups.get(key);
    if (group) group.count += 1;
    else groups.set(key, { first: node, count: 1 });
  }
  return {
    nodes: [...groups].map(([address, { first, count }]) =>
      count === 1 ? first : { ...first, address, members: count },
    ),
    edges: mergeEdges(edges, (address) => {
      const key = groupOf.get(address) ?? address;
      const group = groups.get(key);
      return group?.count === 1 ? group.first.address : key;
    }),
  };
}

function mergeEdges(
  edges: readonly GraphEdge[],
  rename: (address: ResourceAddress) => ResourceAddress,
): GraphEdge[] {
  const merged = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const from = rename(edge.from);
    const to = rename(edge.to);
    if (from !== to) merged.set(JSON.stringify([from, to]), { from, to });
  }
  return [...merged.values()];
}
