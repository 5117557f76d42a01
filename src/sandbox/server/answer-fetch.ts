import type { SandboxAnswer, AskedRequest } from '../contract/answer.ts';
import { parseJsonBytes, readBytes } from './body.ts';

/** Answers as `fetch` does. `abandoned` takes the place of the request's own signal. */
export function answerFetch(
  answer: (request: AskedRequest) => Promise<SandboxAnswer>,
): (request: Request, abandoned?: AbortSignal) => Promise<Response> {
  return async (request, abandoned) => {
    const { method, url, headers } = request;
    const answered = await answer({
      method,
      url: new URL(url),
      authorization: headers.get('authorization') ?? undefined,
      readBody: async () => parseJsonBytes(await readBytes(request), headers.get('content-type')),
      abandoned: () => abandoned ?? request.signal,
    });
    return toResponse(answered);
  };
}

/** Converts an answer to a web `Response`. */
export function toResponse({ status, headers, text }: SandboxAnswer): Response {
  return new Response(text, { status, headers });
}
