import type { DependencyGraph } from '../../model/plan/graph.ts';
import type { FittedGraph, GraphExtent } from '../graph/fold-graph.ts';
import { countNoun } from '../view/labels.ts';
import { escapeMarkup } from '../format/escape-markup.ts';

/** A graph as it was drawn. */
export interface Picture extends FittedGraph {
  /** Graphviz's picture of it. */
  readonly svg: string;
}

/** A picture with more than these needs more than a screen. */
export const pictureRoom = { nodes: 150, edges: 400 };

const extents: Readonly<Record<GraphExtent, string>> = {
  everything: 'Every resource; an arrow points to what is needed.',
  changes: 'The graph is large, so only what changes is shown; an arrow points to what is needed.',
  instances:
    'The graph is large: only what changes is shown, and instances of one resource are shown as one. An arrow points to what is needed.',
  kinds:
    'The graph is large: only what changes is shown, and resources of one kind in a project are shown as one. An arrow points to what is needed.',
  nothing:
    'The graph is too large to be shown here. "hostwright graph --format dot" writes all of it.',
};

/** The dependency graph: a picture, and the same as a list for whom pictures say nothing. */
export function renderPicture({ svg, graph, extent }: Picture): string {
  const head = `<section aria-labelledby="graph"><h2 id="graph">Dependencies</h2><p class="key">${escapeMarkup(extents[extent])}</p>`;
  if (extent === 'nothing') return `${head}</section>`;
  if (graph.nodes.length === 0) return '';
  return [
    head,
    `<div class="picture" role="region" aria-label="Dependency graph" tabindex="0">${clean(svg, graph)}</div>`,
    renderList(graph),
    '</section>',
  ].join('');
}

/** Without what belongs to a file of its own, and with a name. */
function clean(svg: string, { nodes, edges }: DependencyGraph): string {
  const label = `${countNoun('resource', nodes.length)} and ${countNoun('arrow', edges.length)}; the list below says the same`;
  return svg
    .slice(svg.indexOf('<svg'))
    .replaceAll(/<!--[^]*?-->\n?/g, '')
    .replace('<svg', `<svg role="img" aria-label="${label}"`);
}

function renderList({ edges }: DependencyGraph): string {
  if (edges.length === 0) return '';
  const items = edges.map(
    ({ from, to }) =>
      `<li><code>${escapeMarkup(from)}</code> needs <code>${escapeMarkup(to)}</code></li>`,
  );
  return `<details class="fold"><summary>The same as a list</summary><ul>${items.join('')}</ul></details>`;
}
