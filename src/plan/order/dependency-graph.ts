import type { DescribedResource } from '../../kinds/kind.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import {
  removeInstanceKey,
  compareResourceAddresses,
  isAtOrBelowAddress,
  parseResourceAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { DependencyGraph, GraphEdge, GraphNode } from '../../model/plan/graph.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';
import type { DesiredGraph, DesiredResource, ModuleInstanceOrder } from '../../model/resource.ts';
import { keepIgnoredFields } from '../values/keep-ignored.ts';

/** A resource, and the attributes from which its references are read. */
interface Entry {
  readonly node: GraphNode;
  readonly described: DescribedResource & Pick<DesiredResource, 'lifecycle' | 'mentions'>;
}

/** Builds the graph of dependencies between the configured resources. */
export function graphConfigurationDependencies({
  resources,
  instanceOrders,
}: DesiredGraph): DependencyGraph {
  return connect(
    resources.map((described) => {
      const { address, kind, project } = described;
      return { node: { address, kind, project }, described };
    }),
    instanceOrders,
  );
}

/**
 * Dependencies with the actions of a plan: a deleted resource refers as it does now, and so do ignored fields of one that
 * stays.
 */
export function graphPlanDependencies(
  { changes }: Pick<Plan, 'changes'>,
  desired: DesiredGraph,
): DependencyGraph {
  const wanted = new Map(desired.resources.map((resource) => [resource.address, resource]));
  return connect(
    changes.map((change) => {
      const { address, kind, project } = change;
      return { node: { address, kind, project, change }, described: describe(change, wanted) };
    }),
    desired.instanceOrders,
  );
}

function describe(
  { address, kind, project, action, before, after }: Change,
  wanted: ReadonlyMap<ResourceAddress, DesiredResource>,
): Entry['described'] {
  const resource = after === null ? undefined : wanted.get(address);
  if (!resource) return { address, kind, project, attributes: after ?? before ?? {} };
  return before && action !== 'replace' ? keepIgnoredFields(resource, before) : resource;
}

function connect(
  entries: readonly Entry[],
  instanceOrders: readonly ModuleInstanceOrder[] = [],
): DependencyGraph {
  const sorted = [...entries].sort((a, b) =>
    compareResourceAddresses(a.node.address, b.node.address),
  );
  const known = new Map<ResourceAddress, ResourceAddress[]>();
  for (const { node } of sorted) {
    for (const name of new Set([node.address, removeInstanceKey(node.address)]))
      addToGroup(known, name, node.address);
  }
  const needs = new Map(
    sorted.map(({ node, described }) => [
      node.address,
      listNeeds(described)
        .flatMap((one) => known.get(one) ?? [])
        .filter((one) => one !== node.address),
    ]),
  );
  for (const { instances } of instanceOrders) addInstanceNeeds(needs, instances);
  return { nodes: sorted.map(({ node }) => node), edges: reduceEdges(needs) };
}

/** Tasks that need nothing of their own instance wait for all of the instance before it. */
function addInstanceNeeds(
  needs: Map<ResourceAddress, ResourceAddress[]>,
  instances: readonly ResourceAddress[],
): void {
  let before: readonly ResourceAddress[] = [];
  for (const instance of instances) {
    const own = [...needs.keys()].filter((one) => isAtOrBelowAddress(one, instance));
    for (const one of own) {
      const direct = needs.get(one) ?? [];
      if (!direct.some((other) => isAtOrBelowAddress(other, instance))) direct.push(...before);
    }
    if (own.length > 0) before = own;
  }
}

function listNeeds(described: Entry['described']): ResourceAddress[] {
  const { address, kind, project, lifecycle, mentions = [] } = described;
  const parent = parseResourceAddress(address)?.parent;
  const needs = [
    project,
    ...(parent === undefined ? [] : [parent]),
    ...kindRegistry[kind].references(described).map((reference) => reference.address),
    ...(lifecycle?.replaceTriggeredBy ?? []),
    ...mentions,
  ];
  return [...new Set(needs)].sort(compareResourceAddresses);
}

/** Leaves out edges that follow from other edges. */
function reduceEdges(needs: ReadonlyMap<ResourceAddress, readonly ResourceAddress[]>): GraphEdge[] {
  const reached = new Map<ResourceAddress, Set<ResourceAddress>>();
  const reach = (address: ResourceAddress): Set<ResourceAddress> => {
    const known = reached.get(address);
    if (known) return known;
    const all = new Set<ResourceAddress>();
    // Set before it is complete, so that resources that trigger one another in a circle end the walk.
    reached.set(address, all);
    for (const one of needs.get(address) ?? []) {
      all.add(one);
      for (const further of reach(one)) all.add(further);
    }
    return all;
  };
  return [...needs].flatMap(([from, direct]) =>
    direct
      .filter(
        (to) =>
          // In a circle every edge follows from others: nothing is left out there.
          reach(from).has(from) || !direct.some((other) => other !== to && reach(other).has(to)),
      )
      .map((to) => ({ from, to })),
  );
}
