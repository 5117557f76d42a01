import type { ResourceAddress } from '../../model/address.ts';
import type { DependencyGraph, GraphNode } from '../../model/plan/graph.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import type { FittedGraph, GraphDetailLevel } from '../graph/fold-graph.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { html, emptyHtml, type SafeHtml } from '../../model/text/html.ts';
import type { ChangeAnchors } from './changes.ts';

/** Graph with its picture as SVG, drawn by Graphviz. */
export interface DrawnGraph {
  readonly graph: DependencyGraph;
  readonly svg: string;
}

/** Pictures of the dependency graph in a report. */
export interface GraphPicture extends FittedGraph, DrawnGraph {
  /** Picture of the resources that change; given where those are fewer than all. */
  readonly changed?: DrawnGraph;
}

/** Largest graph, in nodes and edges, whose picture is fitted to one screen. */
export const graphPictureSizeLimit = { nodes: 150, edges: 400 };

const extents: Readonly<Record<GraphDetailLevel, string>> = {
  everything: 'Every resource; an arrow points to what is needed.',
  changes: 'The graph is large, so only what changes is shown; an arrow points to what is needed.',
  instances:
    'The graph is large: only what changes is shown, and instances of one resource are shown as one. An arrow points to what is needed.',
  kinds:
    'The graph is large: only what changes is shown, and resources of one kind in a project are shown as one. An arrow points to what is needed.',
  nothing:
    'The graph is too large to be shown here. "hostwright graph --format dot" writes all of it.',
};

const tools = html`<p class="zoom" hidden><button type="button" value="in" aria-label="Zoom in">+</button><button type="button" value="out" aria-label="Zoom out">−</button><button type="button" value="fit">Fit</button><button type="button" value="full">100 %</button> <span class="keys">Drag to move. Zoom: <kbd>Ctrl</kbd> and the wheel, or the keys <kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd>, and <kbd>f</kbd> to fit.</span></p>`;

const onlySwitch = html`<input type="checkbox" id="only-changes"><label class="same-switch" for="only-changes">Only what changes</label>`;

/**
 * The dependency graph: a picture with links to the changes, and the same as a list for readers who do not see
 * pictures.
 */
export function renderGraphPicture(picture: GraphPicture, anchors: ChangeAnchors): SafeHtml {
  const { graph, extent, changed } = picture;
  const head = html`<section aria-labelledby="graph"><h2 id="graph">Dependencies</h2><p class="key">${extents[extent]}</p>`;
  if (extent === 'nothing') return html`${head}</section>`;
  if (graph.nodes.length === 0) return emptyHtml;
  const whole = renderDrawn(picture, anchors, 'Dependency graph', 'whole');
  const part = changed && renderDrawn(changed, anchors, 'Dependency graph of what changes', 'part');
  return html`${head}${changed && onlySwitch}${tools}${whole}${part}${renderList(graph, anchors)}</section>`;
}

function renderDrawn(
  { svg, graph }: DrawnGraph,
  anchors: ChangeAnchors,
  name: string,
  part: 'whole' | 'part',
): SafeHtml {
  return html`<div class="picture ${part}" role="region" aria-label="${name}" tabindex="0">${{ markup: clean(svg, graph, anchors) }}</div>`;
}

/**
 * The SVG of Graphviz, without the parts that only a file of its own needs, with a label, and with links from the
 * resources to their changes.
 */
function clean(svg: string, { nodes, edges }: DependencyGraph, anchors: ChangeAnchors): string {
  const label = `${formatCountWithNoun('resource', nodes.length)} and ${formatCountWithNoun('arrow', edges.length)}; the list below says the same`;
  const numbers = new Map(nodes.map(({ address }, index) => [escapeUntrustedText(address), index]));
  const ends = new Map(
    edges.map(({ from, to }) => [
      `${escapeUntrustedText(from)}->${escapeUntrustedText(to)}`,
      { from, to },
    ]),
  );
  const numberOf = (address: ResourceAddress | undefined) =>
    numbers.get(escapeUntrustedText(address ?? '')) ?? -1;
  return (
    svg
      .slice(svg.indexOf('<svg'))
      .replaceAll(/<!--[^]*?-->\n?/g, '')
      // The ids are dropped: two pictures in one page would have the same ones.
      .replaceAll(/ id="[^"]*"/g, '')
      .replace('<svg', `<svg role="group" aria-label="${label}"`)
      .replaceAll(
        /<g class="node ([^"]*)">\n<title>([^<]*)<\/title>\n<g><a [^>]*>/g,
        (_, classes: string, title: string) => {
          const index = numbers.get(readTitle(title)) ?? -1;
          const node = nodes[index];
          return `<g class="node ${classes}" data-n="${index}"><title>${title}</title><g><a${linkTo(node, anchors)}>`;
        },
      )
      .replaceAll(/<g class="edge">\n<title>([^<]*)<\/title>/g, (_, title: string) => {
        const edge = ends.get(readTitle(title));
        return `<g class="edge" data-from="${numberOf(edge?.from)}" data-to="${numberOf(edge?.to)}"><title>${title}</title>`;
      })
  );
}

function linkTo(node: GraphNode | undefined, anchors: ChangeAnchors): string {
  const anchor = node && anchors.get(node.change?.address ?? node.address);
  return anchor === undefined ? '' : ` href="#${anchor}"`;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Reads the text of a title from the XML that Graphviz wrote. */
function readTitle(title: string): string {
  return title.replaceAll(/&(?:#(\d+)|(\w+));/g, (all: string, number?: string, name?: string) =>
    number === undefined ? (entities[name ?? ''] ?? all) : String.fromCodePoint(Number(number)),
  );
}

function renderList({ nodes, edges }: DependencyGraph, anchors: ChangeAnchors): SafeHtml {
  if (edges.length === 0) return emptyHtml;
  const changes = new Map(nodes.map((node) => [node.address, linkTo(node, anchors)]));
  const show = (address: ResourceAddress) => {
    const link = changes.get(address) ?? '';
    const code = html`<code>${address}</code>`;
    return link === '' ? code : html`<a${{ markup: link }}>${code}</a>`;
  };
  const items = edges.map(({ from, to }) => html`<li>${show(from)} needs ${show(to)}</li>`);
  return html`<details class="fold"><summary>The same as a list</summary><ul>${items}</ul></details>`;
}
