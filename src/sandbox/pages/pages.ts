// Pages for browsers: a live page of the account at `/`, the API reference at `/docs`. They stand beside the service,
// outside its base address, and are loaded when first asked for. The live page shows the account without a token: whoever
// may connect at all sees it (`serve.ts`). Nothing here changes anything.

import type { Sandbox } from '../sandbox.ts';
import type { SandboxAnswer, SandboxRequest } from '../contract/answer.ts';
import { sandboxDocsPageScript, sandboxDocsPageStyle, renderSandboxDocsPage } from './docs-page.ts';
import { favicon, sandboxLivePageScript, renderSandboxLivePage } from './live-page.ts';
import { sandboxLivePageStyle } from './page-style.ts';
import { renderSandboxAccountView } from './render-account.ts';

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

/** Content security policy: nothing from outside; styles inline, since the live page sets the widths of its bars so. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sources of the pages: the account as it is now, and the contract. */
export type SandboxPageSources = Pick<Sandbox, 'view' | 'contract'>;

type Page = (sandbox: SandboxPageSources, url: URL) => Content;

const fixed =
  (type: Content['type'], text: string): Page =>
  () => ({ type, text });

const pages = new Map<string, Page>([
  [
    '/',
    (sandbox, { origin }) => ({
      type: 'html',
      text: renderSandboxLivePage(renderSandboxAccountView(sandbox.view()), {
        baseUrl: `${origin}/v1`,
      }),
    }),
  ],
  [
    '/account.html',
    (sandbox) => ({ type: 'html', text: renderSandboxAccountView(sandbox.view()) }),
  ],
  ['/page.css', fixed('css', sandboxLivePageStyle)],
  ['/page.js', fixed('javascript', sandboxLivePageScript)],
  ['/favicon.svg', fixed('svg', favicon)],
  [
    '/docs',
    ({ contract }, { origin }) => ({
      type: 'html',
      text: renderSandboxDocsPage(contract, `${origin}/v1`),
    }),
  ],
  ['/docs/page.css', fixed('css', sandboxDocsPageStyle)],
  ['/docs/page.js', fixed('javascript', sandboxDocsPageScript)],
  [
    '/docs/openapi.json',
    ({ contract }, { origin }) => ({
      type: 'json',
      text: JSON.stringify({ ...contract, servers: [{ url: `${origin}/v1` }] }),
    }),
  ],
]);

/** Answers a request for one of the sandbox's web pages; undefined where no page has this path. */
export function answerSandboxPageRequest(
  sandbox: SandboxPageSources,
  { method, url }: Pick<SandboxRequest, 'method' | 'url'>,
): SandboxAnswer | undefined {
  const isRead = method === 'GET' || method === 'HEAD';
  const page = pages.get(url.pathname === '/docs/' ? '/docs' : url.pathname);
  if (!isRead || page === undefined) return undefined;
  const { type, text } = page(sandbox, url);
  return {
    status: 200,
    headers: {
      'Content-Type': types[type],
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
    text: method === 'HEAD' ? null : text,
  };
}
