import type { SandboxAnswer, SandboxRequest } from '../contract/answer.ts';
import { parseJsonBytes, readBodyBytes } from './body.ts';

/** Wraps a sandbox in a function like `fetch`. `abandoned` replaces the request's own signal. */
export function answerFetchRequests(
  answer: (request: SandboxRequest) => Promise<SandboxAnswer>,
): (request: Request, abandoned?: AbortSignal) => Promise<Response> {
  return async (request, abandoned) => {
    const { method, url, headers } = request;
    const answered = await answer({
      method,
      url: new URL(url),
      authorization: headers.get('authorization') ?? undefined,
      readBody: async () =>
        parseJsonBytes(await readBodyBytes(request), headers.get('content-type')),
      abandoned: () => abandoned ?? request.signal,
    });
    return toWebResponse(answered);
  };
}

/** Converts an answer to a web `Response`. */
export function toWebResponse({ status, headers, text }: SandboxAnswer): Response {
  return new Response(text, { status, headers });
}
