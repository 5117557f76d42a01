// Errors of PostgreSQL, and of the connection to it, as errors of the backend.
import { BackendError, type BackendFault } from '../backend-error.ts';

/** Kinds of failure by the first characters of a SQLSTATE or by a code of the system; the longest match counts. */
const faults: Readonly<Record<string, BackendFault>> = {
  // Failed connections, and servers that start, stop, are too busy, or have become a standby.
  '08': 'unreachable',
  '57P': 'unreachable',
  '53300': 'unreachable',
  '25006': 'unreachable',
  // Conflicts of transactions are temporary: the next attempt succeeds.
  '40': 'unreachable',
  // Two runs created the tables at the same time, so the next attempt succeeds.
  '23505': 'unreachable',
  '42P06': 'unreachable',
  '42P07': 'unreachable',
  '53': 'full',
  '58030': 'full',
  '28': 'denied',
  '42501': 'denied',
};

const systemFaults: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'],
]);

/** Creates the error for a failed SQL statement, in words that people can act on. */
export function explainDatabaseError(error: unknown, place: string): BackendError {
  const { code = '', message = String(error) } = describe(error);
  const fault = classify(code, message);
  return new BackendError(fault, `${place} ${words[fault]}: ${message}`, { cause: error });
}

const words: Readonly<Record<BackendFault, string>> = {
  unreachable: 'cannot be reached',
  denied: 'refused',
  full: 'has no room left',
  broken: 'failed',
};

/** Tells whether an error comes from PostgreSQL or from the connection to it. */
export function isDatabaseError(error: unknown): boolean {
  if (error instanceof BackendError) return true;
  const { code = '', message = '' } = describe(error);
  // The client library gives a `severity` only to errors that come from PostgreSQL.
  const isSaid = error instanceof Error && 'severity' in error;
  return isSaid || systemFaults.has(code) || (code === '' && ofClient.test(message));
}

/** Messages of the client library about its own connection, which have no code. */
const ofClient =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|Query read timeout|timeout exceeded when trying to connect)/;

/** Tells whether a statement failed because the tables do not exist. */
export function isMissingTableError(error: unknown): boolean {
  const { code } = describe(error instanceof BackendError ? error.cause : error);
  return code === '42P01' || code === '3F000';
}

function describe(error: unknown): { readonly code?: string; readonly message?: string } {
  if (!(error instanceof Error)) return {};
  // Several addresses of one host name were tried.
  const tried: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const [first] = tried;
  if (first !== undefined) return describe(first);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { message: error.message, ...(code !== undefined && { code }) };
}

function classify(code: string, message: string): BackendFault {
  if (systemFaults.has(code)) return 'unreachable';
  for (let length = code.length; length > 0; length -= 1) {
    const fault = faults[code.slice(0, length)];
    if (fault) return fault;
  }
  // Errors of the client library itself have no code, so their message is searched.
  return /timeout|terminated|not queryable|ended/i.test(message) ? 'unreachable' : 'broken';
}
