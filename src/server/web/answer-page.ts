import { renderPage, type PageParts, type Viewer } from './parts/layout.ts';

/** Nothing from elsewhere, and no script or style within a page. */
const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  ...["frame-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

/** A page as an answer. */
export function answerPage(parts: PageParts, status = 200): Response {
  return new Response(renderPage(parts), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
    },
  });
}

/** A page for somebody who has signed in. */
export function answerViewer(
  { formToken, viewer }: { readonly formToken: string; readonly viewer: Viewer },
  parts: PageParts,
  status?: number,
): Response {
  return answerPage({ ...parts, formToken, viewer }, status);
}

/** Sends the browser to another page of this server. */
export function redirect(path: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { location: path, ...headers } });
}
