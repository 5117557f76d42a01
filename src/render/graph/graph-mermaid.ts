import type { DependencyGraph, GraphNode } from '../../model/plan/graph.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { shrinkGraph, type FittedGraph } from './fold-graph.ts';
import {
  clusterNodesByProject,
  findNodeAction,
  nodeColors,
  formatNodeLabel,
} from './graph-labels.ts';
import type { ShownAction } from '../view/symbols.ts';

/** Limits of Mermaid, unless the page that it draws for sets `maxTextSize` and `maxEdges` otherwise. */
const mermaidRoom = { characters: 50_000, edges: 500 };

/** Simplifies the graph until it is small enough for Mermaid. */
export function fitMermaidGraph(graph: DependencyGraph): FittedGraph {
  return shrinkGraph(
    graph,
    (part) =>
      part.edges.length <= mermaidRoom.edges &&
      renderGraphMermaid(part).length <= mermaidRoom.characters,
  );
}

/**
 * Renders a graph in Mermaid's language: a box for each project, an arrow from each resource to the one that it needs.
 * With a plan each node names its action in words, since Mermaid reads a label that begins with a sign as a list.
 */
export function renderGraphMermaid(graph: DependencyGraph): string {
  const ids = new Map(graph.nodes.map(({ address }, index) => [address, `n${index}`]));
  const id = (address: string) => ids.get(address) ?? '';
  const lines = ['flowchart RL'];
  for (const [index, { project, nodes }] of clusterNodesByProject(graph).entries()) {
    lines.push(
      `  subgraph p${index}["${quoteMermaid(project)}"]`,
      '    direction RL',
      ...nodes.map((node) => `    ${id(node.address)}${describeNode(node)}`),
      '  end',
    );
  }
  for (const { from, to } of graph.edges) lines.push(`  ${id(from)} --> ${id(to)}`);
  const used = new Set(graph.nodes.flatMap((node) => findNodeAction(node) ?? []));
  for (const action of [...used].sort()) {
    const [fill, border] = nodeColors[action];
    lines.push(`  classDef ${className(action)} fill:${fill},stroke:${border},color:#1f2328`);
  }
  return `${lines.join('\n')}\n`;
}

function describeNode(node: GraphNode): string {
  const action = findNodeAction(node);
  const words = action === undefined || action === 'no-op' ? '' : ` (${action})`;
  const style = action === undefined ? '' : `:::${className(action)}`;
  return `["${quoteMermaid(formatNodeLabel(node) + words)}"]${style}`;
}

/** Names of classes are single words for Mermaid: `create-first` would be two. */
function className(action: ShownAction): string {
  return `action_${action.replaceAll('-', '_')}`;
}

/** Characters that a Mermaid label must escape: all but letters, digits and marks that mean nothing there. */
const special = /[^\p{L}\p{M}\p{N} .,()[\]/-]/gu;

/**
 * A label for Mermaid, which has no backslash: a character that could end the label, or be read as markup, as a
 * directive (`%%{`), as a formula (`$$`) or as an icon (`fa:`), is written as its number.
 */
function quoteMermaid(text: string): string {
  return escapeUntrustedText(text).replace(special, (one) => `#${one.codePointAt(0) ?? 0};`);
}
