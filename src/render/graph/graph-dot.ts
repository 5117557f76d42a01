import type { DependencyGraph, GraphNode } from '../../model/plan/graph.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import {
  clusterNodesByProject,
  findNodeAction,
  nodeColors,
  formatNodeLabel,
} from './graph-labels.ts';
import { createAnsiStyle } from '../format/style.ts';
import { drawActionSymbol } from '../view/symbols.ts';

const plain = createAnsiStyle(false);

/**
 * Renders a graph in Graphviz's language: a box for each project, an arrow from each resource to the one that it needs,
 * as in Terraform. With a plan each node shows its action by a symbol, by colours and by the class of its SVG element.
 * `isDrawn` puts the last name first, since Graphviz draws the first node at the bottom.
 */
export function renderGraphDot(graph: DependencyGraph, isDrawn = false): string {
  const lines = [
    'digraph hostwright {',
    '  rankdir = "RL";',
    // Names that stay in their order are found sooner than arrows that cross a little less.
    ...(isDrawn ? ['  mclimit = 0.05;'] : []),
    '  graph [fontname = "Courier", fontsize = 11];',
    '  node [shape = box, style = "rounded,filled", fillcolor = "#ffffff", color = "#818b98",' +
      ' fontname = "Courier", fontsize = 10, height = 0.3, margin = "0.12,0.05"];',
    '  edge [color = "#818b98", arrowsize = 0.6];',
  ];
  const inOrder = <T>(items: readonly T[]) => (isDrawn ? items.toReversed() : items);
  for (const [index, { project, nodes }] of inOrder(clusterNodesByProject(graph)).entries()) {
    lines.push(
      `  subgraph cluster_${index} {`,
      `    label = ${quoteLabel(project)};`,
      '    style = "rounded";',
      '    color = "#d1d9e0";',
      ...inOrder(nodes).map((node) => `    ${quoteDot(node.address)} ${describeNode(node)};`),
      '  }',
    );
  }
  for (const { from, to } of inOrder(graph.edges)) {
    lines.push(`  ${quoteDot(from)} -> ${quoteDot(to)};`);
  }
  lines.push('}', '');
  return lines.join('\n');
}

function describeNode(node: GraphNode): string {
  const action = findNodeAction(node);
  const kind = `class = "${[node.kind, ...(action ? [action] : [])].join(' ')}"`;
  const tooltip = `tooltip = ${quoteLabel(node.address)}`;
  if (action === undefined)
    return `[label = ${quoteLabel(formatNodeLabel(node))}, ${kind}, ${tooltip}]`;
  const symbol = drawActionSymbol(action, plain).trim();
  const label = [...(symbol === '' ? [] : [symbol]), formatNodeLabel(node)].join(' ');
  const [fill, border] = nodeColors[action];
  const colors = `fillcolor = "${fill}", color = "${border}"`;
  return `[label = ${quoteLabel(label)}, ${kind}, ${tooltip}, ${colors}]`;
}

/** A name in quotes: within quotes only a quote needs a backslash, and a backslash before it must not undo that. */
function quoteDot(text: string): string {
  return `"${escapeUntrustedText(text).replace(/["\\]/g, String.raw`\$&`)}"`;
}

/** A label: Graphviz reads it once more than a name, for escapes of its own and for HTML entities. */
function quoteLabel(text: string): string {
  return quoteDot(text.replaceAll('&', '&amp;'));
}
