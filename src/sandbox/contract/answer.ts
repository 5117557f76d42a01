import { sandboxServerHeader } from '../../model/http.ts';
import type { ContractRequestDetails, UnencodedSandboxAnswer } from '../service.ts';
import { SandboxDataFileWriteError } from '../store/storage-errors.ts';
import { representProblem } from './problem-representations.ts';
import { RequestRefusal } from './problems.ts';

/**
 * Request to the sandbox as plain values, whatever transport it came by: the web's `Request` takes more time to build
 * than the service takes to answer.
 */
export interface SandboxRequest extends ContractRequestDetails {
  readonly method: string;
  readonly url: URL;
  /** Gives a signal that is aborted when nobody waits for the answer any more. */
  readonly abandoned: () => AbortSignal;
}

/** An answer of the sandbox, before it becomes an HTTP response. */
export interface SandboxAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the answer; null where there is none. */
  readonly text: string | null;
}

/** Encodes the sandbox's answer: writes its body as text and sets the headers. */
export function encodeSandboxAnswer({
  status,
  body,
  text,
  refusal,
}: UnencodedSandboxAnswer): SandboxAnswer {
  const headers = {
    Server: sandboxServerHeader,
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  };
  if (text) {
    return {
      status,
      headers: { ...headers, 'Content-Type': text.contentType },
      text: text.content,
    };
  }
  if (body === undefined) return { status, headers, text: null };
  const type = refusal ? 'application/problem+json' : 'application/json';
  return { status, headers: { ...headers, 'Content-Type': type }, text: JSON.stringify(body) };
}

/** Makes the answer to a request that the service refuses. */
export function answerWithRefusal(refusal: RequestRefusal, path: string): SandboxAnswer {
  return encodeSandboxAnswer({
    status: refusal.status,
    body: representProblem(refusal, path),
    refusal,
  });
}

/** Makes the answer to a request that met a bug (500) or a disk that takes no writes (503). */
export function answerWithInternalError(error: unknown, path: string): SandboxAnswer {
  const storage = SandboxDataFileWriteError.from(error);
  const refusal = storage
    ? new RequestRefusal(503, 'unavailable', storage.message)
    : new RequestRefusal(500, 'internal', 'The sandbox failed; its log says more.');
  return answerWithRefusal(refusal, path);
}
