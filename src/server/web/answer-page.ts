import { explainApiRefusal } from './page-api.ts';
import { renderServerPage, type ServerPageParts, type PageViewer } from './parts/layout.ts';

/** Content security policy of all pages: nothing from other origins, and no script or style within a page. */
const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  ...["frame-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

/** Makes the HTTP answer for a page. */
export function answerWithPage(parts: ServerPageParts, status = 200): Response {
  return new Response(renderServerPage(parts), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
    },
  });
}

/**
 * Makes the HTTP answer with a page for a signed-in person. `fault` says why the last form was refused, with the HTTP status
 * `refused`.
 */
export function answerViewerWithPage(
  { formToken, viewer }: { readonly formToken: string; readonly viewer: PageViewer },
  parts: ServerPageParts,
  fault?: string,
  refused = 422,
): Response {
  return answerWithPage({ ...parts, formToken, viewer }, fault === undefined ? 200 : refused);
}

/**
 * Does what a form asks for, then redirects the browser. Where the API refuses it, the page of the form is shown again with the
 * reason.
 */
export async function answerFormPost(
  work: () => Promise<string | Response>,
  refuse: (fault: string) => Promise<Response>,
): Promise<Response> {
  try {
    const done = await work();
    return typeof done === 'string' ? redirectToPage(done) : done;
  } catch (error) {
    return refuse(explainApiRefusal(error));
  }
}

/** Makes the answer that sends the browser to another page of this server. */
export function redirectToPage(path: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { location: path, ...headers } });
}
