// Requests from within the process, in plain values: a rehearsal sends thousands of them.
import { oversizedAnswerFailure, type Exchange, type HttpAnswer } from '../../model/http.ts';
import type { SandboxAnswer, AskedRequest } from '../contract/answer.ts';
import { parseJsonText } from './body.ts';

/** Answers at once, whatever a request allows: for a service in which no fault strikes. */
export function answerInProcess(
  answer: (request: AskedRequest) => Promise<SandboxAnswer>,
): Exchange {
  return async (request) => {
    request.signal?.throwIfAborted();
    const answered = await answer({
      method: request.method,
      url: new URL(request.url),
      authorization: request.headers.authorization,
      readBody: () => parseJsonText(request.body ?? ''),
      abandoned: () => request.signal ?? new AbortController().signal,
    });
    return toHttp(answered, request.largestBytes);
  };
}

function toHttp({ status, headers, text }: SandboxAnswer, largestBytes: number): HttpAnswer {
  if (text !== null && text.length > largestBytes) throw oversizedAnswerFailure(largestBytes);
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  return {
    status,
    headers: { get: (name) => byName.get(name.toLowerCase()) ?? null },
    text: text ?? '',
  };
}
