import { compareResourceAddresses, type ResourceAddress } from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import type { DependencyGraph, GraphNode } from '../../model/plan/graph.ts';
import { findShownAction, type ShownAction } from '../view/symbols.ts';

/** The resources of one project in the graph, drawn in one box. */
export interface GraphCluster {
  readonly project: ResourceAddress;
  readonly nodes: readonly GraphNode[];
}

/** Groups nodes of the graph by project, both sorted by address. */
export function clusterNodesByProject({ nodes }: DependencyGraph): GraphCluster[] {
  return [...groupBy(nodes, ({ project }) => project)]
    .map(([project, members]) => ({ project, nodes: members }))
    .sort((a, b) => compareResourceAddresses(a.project, b.project));
}

/** Action of the plan on a node's resource; undefined where there is no plan. */
export function findNodeAction({ change }: GraphNode): ShownAction | undefined {
  return change && findShownAction(change);
}

/**
 * Formats the label of a node in the box of its project: its address without the project's, and the number of merged
 * resources, if it represents several.
 */
export function formatNodeLabel({ address, project, members }: GraphNode): string {
  const name = address.startsWith(`${project}.`) ? address.slice(project.length + 1) : address;
  return members === undefined ? name : `${name} ×${members}`;
}

/** Fill and border colours of a node by its action, on white paper; black text is legible on each. */
export const nodeColors: Readonly<Record<ShownAction, readonly [fill: string, border: string]>> = {
  create: ['#dafbe1', '#1a7f37'],
  update: ['#fff8c5', '#9a6700'],
  rebuild: ['#ffe2cc', '#bc4c00'],
  replace: ['#ffe2cc', '#bc4c00'],
  'create-first': ['#ffe2cc', '#bc4c00'],
  delete: ['#ffebe9', '#cf222e'],
  expire: ['#ffebe9', '#cf222e'],
  due: ['#ddf4ff', '#0969da'],
  forget: ['#f6f8fa', '#59636e'],
  import: ['#ddf4ff', '#0969da'],
  move: ['#ddf4ff', '#0969da'],
  drift: ['#fff8c5', '#9a6700'],
  gone: ['#ffebe9', '#cf222e'],
  'no-op': ['#ffffff', '#818b98'],
};
