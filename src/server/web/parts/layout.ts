// The frame of all pages: who is there, where one can go, and the content.
import { findAssetPath } from './assets.ts';
import { renderForm } from './elements.ts';
import { html, type SafeHtml } from '../../../model/text/html.ts';

/** Title, content and scripts of a page. */
export interface ServerPageParts {
  /** Title in the browser's tab, before the program's name. */
  readonly title: string;
  readonly content: SafeHtml;
  /** Path of the navigation's entry that the page belongs to. */
  readonly place?: string;
  /** Names of scripts in `assets.ts` that the page runs. */
  readonly scripts?: readonly string[];
  /** Token that the forms of the page send along; undefined where nobody has signed in. */
  readonly formToken?: string;
  readonly viewer?: PageViewer;
}

/** Person who looks at a page. */
export interface PageViewer {
  readonly name: string;
  /** True to show pages for administrators in the navigation. */
  readonly isAdmin: boolean;
}

const places = [
  ['/', 'Workspaces', false],
  ['/accounts', 'Accounts', false],
  ['/connections', 'Git hosts', true],
  ['/messages', 'Messages', true],
  ['/variables', 'Variables', true],
  ['/policies', 'Policies', true],
  ['/people', 'People', true],
  ['/audit', 'Audit', true],
  ['/settings', 'Settings', true],
] as const;

/** Renders a whole page: head, navigation and content. */
export function renderServerPage(parts: ServerPageParts): string {
  const { title, content, place, scripts = [], formToken, viewer } = parts;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>${title} · Hostwright</title>
        <link rel="icon" href="${findAssetPath('favicon.svg')}">
        <link rel="stylesheet" href="${findAssetPath('pages.css')}">
        ${scripts.map((script) => html`<script src="${findAssetPath(script)}" defer></script>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${formToken === undefined ? renderBare() : renderBar(place, formToken, viewer)}
        <main id="main" tabindex="-1">${content}</main>
      </body>
    </html> `;
  return page.markup;
}

const brand = html`<span class="sign" aria-hidden="true">H</span> Hostwright`;

function renderBare(): SafeHtml {
  return html`<header class="bar"><div><p class="brand">${brand}</p></div></header>`;
}

function renderBar(
  place: string | undefined,
  formToken: string,
  viewer: PageViewer | undefined,
): SafeHtml {
  const shown = places.filter(([, , isForAdmin]) => !isForAdmin || viewer?.isAdmin === true);
  const links = shown.map(
    ([path, label]) =>
      html`<li><a href="${path}"${path === place && html` aria-current="page"`}>${label}</a></li>`,
  );
  const leave = html`<button class="quiet" title="Signed in as ${viewer?.name}">Sign out</button>`;
  return html`<header class="bar">
    <div>
      <a class="brand" href="/">${brand}</a>
      <nav aria-label="Pages"><ul>${links}</ul></nav>
      ${renderForm('/sign-out', formToken, leave)}
    </div>
  </header>`;
}
