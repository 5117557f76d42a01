import { html, joinHtml, emptyHtml, type SafeHtml } from '../../model/text/html.ts';
import { filterableListScript } from './browser/list-script.ts';
import { reportStyle } from './style.ts';

/** Script of a graph's picture: zooms, fits, pans, and highlights the dependants of the node that is pointed at. */
const graphScript = `
const least = 0.1;
const most = 4;
const only = document.getElementById('only-changes');
for (const picture of document.querySelectorAll('.picture')) {
  const svg = picture.firstElementChild;
  const size = svg.viewBox.baseVal;
  let scale = 1;
  // The scroll position follows the scale, so that the part of the picture below the pointer stays below it.
  const zoom = (wanted, at = { x: picture.clientWidth / 2, y: picture.clientHeight / 2 }) => {
    const next = Math.min(most, Math.max(least, wanted));
    const left = (picture.scrollLeft + at.x) * (next / scale) - at.x;
    const top = (picture.scrollTop + at.y) * (next / scale) - at.y;
    scale = next;
    svg.setAttribute('width', size.width * scale);
    svg.setAttribute('height', size.height * scale);
    picture.scrollLeft = left;
    picture.scrollTop = top;
  };
  const room = () => {
    const style = getComputedStyle(picture);
    return [picture.clientWidth - 2 * parseFloat(style.paddingLeft), parseFloat(style.maxHeight) - 2 * parseFloat(style.paddingTop)];
  };
  const fitWidth = () => zoom(Math.min(4 / 3, room()[0] / size.width), { x: 0, y: 0 });
  const fit = () => {
    const [width, height] = room();
    zoom(Math.min(4 / 3, width / size.width, height / size.height));
  };
  const actions = { in: () => zoom(scale * 1.25), out: () => zoom(scale / 1.25), full: () => zoom(4 / 3), fit };
  const keys = { '+': 'in', '=': 'in', '-': 'out', 0: 'full', f: 'fit' };
  picture.classList.add('live');
  for (const button of document.querySelectorAll('.zoom button'))
    button.addEventListener('click', () => { if (picture.clientWidth > 0) actions[button.value](); });
  picture.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  picture.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = picture.getBoundingClientRect();
    zoom(scale * Math.exp(-event.deltaY / 300), { x: event.clientX - box.left, y: event.clientY - box.top });
  }, { passive: false });
  // A finger scrolls by itself.
  let grip;
  let hasMoved = false;
  picture.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch' || event.button !== 0) return;
    grip = { x: event.clientX + picture.scrollLeft, y: event.clientY + picture.scrollTop };
    hasMoved = false;
  });
  addEventListener('pointermove', (event) => {
    if (!grip) return;
    const left = grip.x - event.clientX;
    const top = grip.y - event.clientY;
    if (Math.abs(left - picture.scrollLeft) + Math.abs(top - picture.scrollTop) > 4) hasMoved = true;
    picture.scrollLeft = left;
    picture.scrollTop = top;
  });
  addEventListener('pointerup', () => { grip = undefined; });
  picture.addEventListener('dragstart', (event) => event.preventDefault());
  picture.addEventListener('click', (event) => { if (hasMoved) event.preventDefault(); });
  const nodes = new Map([...svg.querySelectorAll('.node')].map((node) => [node.dataset.n, node]));
  const edges = [...svg.querySelectorAll('.edge')];
  const needing = new Map();
  for (const edge of edges) {
    const { from, to } = edge.dataset;
    needing.set(to, [...(needing.get(to) ?? []), from]);
  }
  const light = (event) => {
    const node = event.target.closest('.node');
    const lit = new Set();
    const open = node ? [node.dataset.n] : [];
    while (open.length > 0) {
      const one = open.pop();
      if (lit.has(one)) continue;
      lit.add(one);
      open.push(...(needing.get(one) ?? []));
    }
    svg.classList.toggle('lighting', lit.size > 0);
    for (const [name, one] of nodes) one.classList.toggle('lit', lit.has(name));
    for (const edge of edges) edge.classList.toggle('lit', lit.has(edge.dataset.to));
  };
  for (const name of ['pointerover', 'focusin']) picture.addEventListener(name, light);
  for (const name of ['pointerleave', 'focusout']) picture.addEventListener(name, light);
  only?.addEventListener('change', () => { if (picture.clientWidth > 0) fitWidth(); });
  if (picture.clientWidth > 0) fitWidth();
}
for (const tools of document.querySelectorAll('.zoom')) tools.hidden = false;
`;

/**
 * Function that computes the SHA-256 of a text in base64, with which the page's content security policy allows its own
 * script and style.
 */
export type HashForContentSecurityPolicy = (text: string) => string;

/** Parts of a report page around its sections: title, facts, and the hash function for the content security policy. */
export interface ReportPageFrame {
  readonly title: string;
  /** The title as a heading; absent where the plain title serves. */
  readonly heading?: SafeHtml;
  /** Lines below the page's title: time, version and service. */
  readonly facts: readonly string[];
  readonly hashOf: HashForContentSecurityPolicy;
}

/**
 * Script of a report page, which sends no network requests. It is put together from separate functions, so that they
 * share no names.
 */
export const reportScript = [filterableListScript, graphScript]
  .map((script) => `\n(() => {\n'use strict';${script}})();\n`)
  .join('');

/**
 * Renders a web page that is complete in one file: it loads nothing, and its content security policy allows nothing
 * else. It can be read without scripts; the script only filters and opens rows.
 */
export function renderReportPage(
  { title, heading, facts, hashOf }: ReportPageFrame,
  sections: readonly SafeHtml[],
): string {
  const body = joinHtml(
    sections.filter(({ markup }) => markup !== ''),
    '\n',
  );
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hashOf(reportStyle)}'`,
    `script-src 'sha256-${hashOf(reportScript)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ markup: policy }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${{ markup: reportStyle }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><h1>${heading ?? title}</h1><p class="facts">${facts.join(' · ')}</p>${renderContents(body)}</header>
<main id="main" tabindex="-1">
${body}
</main>
<footer><p>Made by Hostwright. This file is self-contained.</p></footer>
<script>${{ markup: reportScript }}</script>
</body>
</html>
`.markup;
}

/** Links to the sections: read from their headings, so that no section is forgotten. */
function renderContents({ markup }: SafeHtml): SafeHtml {
  const links = [...markup.matchAll(/<h2 id="([a-z-]+)">([^<]*)<\/h2>/g)].map(
    ([, id, text = '']) => html`<li><a href="#${id}">${{ markup: text }}</a></li>`,
  );
  return links.length < 2 ? emptyHtml : html`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}
