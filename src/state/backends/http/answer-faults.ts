// Errors of a state server that did not do what it was asked. The server's own words are shown, but shortened and cleaned: a
// server may echo a password, and an error page may hold anything.
import { HttpFailure, type HttpAnswer } from '../../../model/http.ts';
import { BackendError, type BackendFault } from '../backend-error.ts';
import { cleanServerText } from '../clean-text.ts';
import { omitAddressSecrets } from './endpoint.ts';

/** Error for an unexpected answer of the HTTP state server. */
export class StateServerAnswerError extends BackendError {
  readonly status: number;

  constructor(fault: BackendFault, status: number, message: string) {
    super(fault, message);
    this.status = status;
  }
}

/** Description of a request to the HTTP state server, for messages: `read the state at https://… (GET)`. */
export interface StateServerRequest {
  readonly what: string;
  /** Secrets that must not be shown, should the server repeat them. */
  readonly secrets: readonly string[];
}

/** Creates the error for an answer that neither confirms the request nor reports another holder of the lock. */
export function createStateServerAnswerError(
  answer: HttpAnswer,
  { what, secrets }: StateServerRequest,
): StateServerAnswerError {
  const { status } = answer;
  const fault = faultOf(status);
  const words = cleanServerText(answer.text, secrets);
  const said = words === '' ? '' : ` (${words})`;
  const target = status >= 300 && status < 400 ? answer.headers.get('location') : null;
  const advice = target === null ? advices[fault] : explainRedirect(target);
  const message = `Could not ${what}: the server answered ${status}${said}.${advice}`;
  return new StateServerAnswerError(fault, status, message);
}

/** Creates the error for a request without an answer, or with half of one. */
export function createStateServerNetworkError(
  cause: unknown,
  { what, secrets }: StateServerRequest,
): BackendError {
  const words = cleanServerText(describeCause(cause), secrets);
  const isFinal =
    cause instanceof HttpFailure && ['oversized', 'malformed'].includes(cause.fault.kind);
  const message = `Could not ${what}: ${words === '' ? 'no answer' : words}.`;
  return new BackendError(isFinal ? 'broken' : 'unreachable', message, { cause });
}

function faultOf(status: number): BackendFault {
  if (status === 401 || status === 403 || status === 407) return 'denied';
  if (status === 413 || status === 507) return 'full';
  // Not implemented now means not implemented in a second: no reason to try again.
  if (status === 501 || status === 505) return 'broken';
  return status >= 500 || [408, 425, 429].includes(status) ? 'unreachable' : 'broken';
}

const advices: Readonly<Record<BackendFault, string>> = {
  unreachable: '',
  denied: '',
  full: ' The state is larger than the server allows, or the server has no room left.',
  broken: " The address and the methods must be those of a server of Terraform's http protocol.",
};

function explainRedirect(target: string): string {
  const where = URL.canParse(target)
    ? ` to ${cleanServerText(omitAddressSecrets(new URL(target)))}`
    : '';
  return ` It redirects${where}, and Hostwright follows no redirect: set the final address.`;
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  // The common error for several addresses of a host has no message of its own.
  return 'code' in cause ? String(cause.code) : cause.name;
}
