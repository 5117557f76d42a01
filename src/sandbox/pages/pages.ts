// What a browser is shown: a live page of the account at `/`, the API reference at `/docs`. They stand beside the
// service, outside its base address, and are loaded when first asked for.
//
// The live page shows the account without a token, so it is given only to the machine that the sandbox runs on, and
// only under a loopback name: no other site can have a browser read it by a name of its own. Nothing here changes
// anything. The reference holds no data and is given to everyone who may connect.

import type { Sandbox } from '../sandbox.ts';
import { describeForViewer, docsPage, docsScript, docsStyle, readViewerFile } from './docs-page.ts';
import { favicon, pageScript, renderLivePage } from './live-page.ts';
import { pageStyle } from './page-style.ts';
import { renderAccount } from './render-account.ts';

/** Who asks. */
export interface Visitor {
  /** True when the connection comes from this machine. */
  readonly isLocal: boolean;
}

interface Content {
  readonly type: 'html' | 'css' | 'javascript' | 'json' | 'svg';
  readonly text: string;
}

const types: Readonly<Record<Content['type'], string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  javascript: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
};

/** Nothing from outside; the viewer of the reference sets styles of its own and draws its icons from data. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const localNames = new Set(['localhost', '127.0.0.1', '[::1]']);

type Page = (sandbox: Sandbox, url: URL) => Content | Promise<Content>;

const fixed =
  (type: Content['type'], text: string): Page =>
  () => ({ type, text });

/** Open to everyone. */
const openPages: Readonly<Record<string, Page>> = {
  '/favicon.svg': fixed('svg', favicon),
  '/docs': fixed('html', docsPage),
  '/docs/page.css': fixed('css', docsStyle),
  '/docs/page.js': fixed('javascript', docsScript),
  '/docs/openapi.json': ({ contract }) => ({ type: 'json', text: describeForViewer(contract) }),
  '/docs/swagger-ui.css': async () => ({
    type: 'css',
    text: await readViewerFile('/docs/swagger-ui.css'),
  }),
  '/docs/swagger-ui-bundle.js': async () => ({
    type: 'javascript',
    text: await readViewerFile('/docs/swagger-ui-bundle.js'),
  }),
};

/** For this machine alone. */
const localPages: Readonly<Record<string, Page>> = {
  '/': (sandbox, { origin }) => ({
    type: 'html',
    text: renderLivePage(renderAccount(sandbox.view()), { baseUrl: `${origin}/v1` }),
  }),
  '/account.html': (sandbox) => ({ type: 'html', text: renderAccount(sandbox.view()) }),
  '/page.css': fixed('css', pageStyle),
  '/page.js': fixed('javascript', pageScript),
};

/** A page, or undefined when there is none at this path. */
export async function showPage(
  sandbox: Sandbox,
  request: Request,
  visitor: Visitor,
): Promise<Response | undefined> {
  const url = new URL(request.url);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const path = url.pathname === '/docs/' ? '/docs' : url.pathname;
  const page = openPages[path] ?? localPages[path];
  if (!isRead || page === undefined) return undefined;
  if (path in localPages && !(visitor.isLocal && localNames.has(url.hostname))) {
    return new Response(
      `The live page is shown on the sandbox's own machine alone: open it there as http://127.0.0.1:${url.port}/\n`,
      { status: 403, headers: { 'Content-Type': 'text/plain' } },
    );
  }
  const { type, text } = await page(sandbox, url);
  return new Response(request.method === 'HEAD' ? null : text, {
    headers: {
      'Content-Type': types[type],
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  });
}
