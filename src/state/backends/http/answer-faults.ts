// What it means when a state server does not do what it was asked. Its own words are shown, but bounded and cleaned: a
// server may echo a password, and an error page may hold anything.
import { HttpFailure, type HttpAnswer } from '../../../model/http.ts';
import { BackendError, type BackendFault } from '../backend-error.ts';
import { cleanText } from '../clean-text.ts';
import { showAddress } from './endpoint.ts';

/** The server answered, and not with what was asked for. */
export class AnswerError extends BackendError {
  readonly status: number;

  constructor(fault: BackendFault, status: number, message: string) {
    super(fault, message);
    this.status = status;
  }
}

/** What was asked, in words: `read the state at https://… (GET)`. */
export interface Attempt {
  readonly what: string;
  /** What may not be shown, should the server repeat it. */
  readonly secrets: readonly string[];
}

/** The error of an answer that says neither yes nor that somebody else has the lock. */
export function createAnswerError(answer: HttpAnswer, { what, secrets }: Attempt): AnswerError {
  const { status } = answer;
  const fault = faultOf(status);
  const words = cleanText(answer.text, secrets);
  const said = words === '' ? '' : ` (${words})`;
  const target = status >= 300 && status < 400 ? answer.headers.get('location') : null;
  const advice = target === null ? advices[fault] : explainRedirect(target);
  const message = `Could not ${what}: the server answered ${status}${said}.${advice}`;
  return new AnswerError(fault, status, message);
}

/** The error of a request that got no answer, or half of one. */
export function createNetworkError(cause: unknown, { what, secrets }: Attempt): BackendError {
  const words = cleanText(describeCause(cause), secrets);
  const isFinal =
    cause instanceof HttpFailure && ['oversized', 'malformed'].includes(cause.fault.kind);
  const message = `Could not ${what}: ${words === '' ? 'no answer' : words}.`;
  return new BackendError(isFinal ? 'broken' : 'unreachable', message, { cause });
}

function faultOf(status: number): BackendFault {
  if (status === 401 || status === 403 || status === 407) return 'denied';
  if (status === 413 || status === 507) return 'full';
  // What it does not know now, it will not know in a second.
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
  const where = URL.canParse(target) ? ` to ${cleanText(showAddress(new URL(target)))}` : '';
  return ` It redirects${where}, and Hostwright follows no redirect: set the final address.`;
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  // Of several addresses that were tried, none has a message of its own.
  return 'code' in cause ? String(cause.code) : cause.name;
}
