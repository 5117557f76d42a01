import { html, joinHtml, emptyHtml, type Html } from '../../model/text/html.ts';
import { graphScript } from './browser/graph-script.ts';
import { listScript } from './browser/list-script.ts';
import { reportStyle } from './style.ts';

/** Base64 of the SHA-256 of a text: the page's policy names its own script and style by it. */
export type HashText = (text: string) => string;

/** Parts around the sections of a report: its title, its facts, its content policy. */
export interface PageFrame {
  readonly title: string;
  /** The title as a heading; absent where the plain title serves. */
  readonly heading?: Html;
  /** Lines below the page's title: time, version and service. */
  readonly facts: readonly string[];
  readonly hashOf: HashText;
}

/**
 * Script of a report. It requests nothing from the network. Its parts are functions of their own, so that they share no
 * names.
 */
export const reportScript = [listScript, graphScript]
  .map((script) => `\n(() => {\n'use strict';${script}})();\n`)
  .join('');

/**
 * A page that is complete in one file: it loads nothing, and its content policy lets nothing in. It can be read without
 * scripts; the script only filters and opens.
 */
export function renderPage(
  { title, heading, facts, hashOf }: PageFrame,
  sections: readonly Html[],
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
function renderContents({ markup }: Html): Html {
  const links = [...markup.matchAll(/<h2 id="([a-z-]+)">([^<]*)<\/h2>/g)].map(
    ([, id, text = '']) => html`<li><a href="#${id}">${{ markup: text }}</a></li>`,
  );
  return links.length < 2 ? emptyHtml : html`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}
