import { escapeMarkup } from '../../model/text/html.ts';
import { reportScript } from './script.ts';
import { reportStyle } from './style.ts';

/** Base64 of the SHA-256 of a text: what a page allows itself to run is named by it. */
export type HashText = (text: string) => string;

/** What stands around the sections of a report. */
export interface PageFrame {
  readonly title: string;
  /** The title as a heading, in markup; the title itself unless given. */
  readonly heading?: string;
  /** Below the title: when, by what, for what. */
  readonly facts: readonly string[];
  readonly hashOf: HashText;
}

/**
 * A page that is whole in itself: nothing of it comes from anywhere else, and its policy lets nothing in. It reads
 * without scripts; the script only filters and opens.
 */
export function renderPage(
  { title, heading, facts, hashOf }: PageFrame,
  sections: readonly string[],
): string {
  const body = sections.filter((section) => section !== '').join('\n');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hashOf(reportStyle)}'`,
    `script-src 'sha256-${hashOf(reportScript)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    `<title>${escapeMarkup(title)}</title>`,
    `<style>${reportStyle}</style>`,
    '</head>',
    '<body>',
    '<a class="skip" href="#main">Skip to the content</a>',
    `<header><h1>${heading ?? escapeMarkup(title)}</h1><p class="facts">${facts.map(escapeMarkup).join(' · ')}</p>${renderContents(body)}</header>`,
    `<main id="main" tabindex="-1">`,
    body,
    '</main>',
    '<footer><p>Made by Hostwright. This file is self-contained.</p></footer>',
    `<script>${reportScript}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** Links to the sections: read from their headings, so that none is forgotten. */
function renderContents(body: string): string {
  const links = [...body.matchAll(/<h2 id="([a-z-]+)">([^<]*)<\/h2>/g)].map(
    ([, id = '', text = '']) => `<li><a href="#${id}">${text}</a></li>`,
  );
  return links.length < 2 ? '' : `<nav aria-label="Sections"><ul>${links.join('')}</ul></nav>`;
}
