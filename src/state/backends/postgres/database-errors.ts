// What PostgreSQL, and the way there, say when a statement fails.
import { BackendError, type BackendFault } from '../backend-error.ts';

/** By the first characters of a SQLSTATE, or a code of the system; the longest that fits counts. */
const faults: Readonly<Record<string, BackendFault>> = {
  // Connections, and servers that begin, end, are too busy, or have become a standby.
  ...{ '08': 'unreachable', '57P': 'unreachable', '53300': 'unreachable', '25006': 'unreachable' },
  // Transactions that met: the next attempt finds its way.
  '40': 'unreachable',
  // Two who made the tables at once.
  ...{ '23505': 'unreachable', '42P06': 'unreachable', '42P07': 'unreachable' },
  ...{ '53': 'full', '58030': 'full' },
  ...{ '28': 'denied', '42501': 'denied' },
};

const systemFaults: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'],
]);

/** The error of a statement as one that people can act on. */
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

/** True for what PostgreSQL says, or the way there. */
export function isDatabaseError(error: unknown): boolean {
  if (error instanceof BackendError) return true;
  const { code = '', message = '' } = describe(error);
  // The library gives each error of PostgreSQL its severity.
  const isSaid = error instanceof Error && 'severity' in error;
  return isSaid || systemFaults.has(code) || (code === '' && ofClient.test(message));
}

/** What the client says of its own connection, without a code. */
const ofClient =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|Query read timeout|timeout exceeded when trying to connect)/;

/** True where the tables are not there. */
export function isMissing(error: unknown): boolean {
  const { code } = describe(error instanceof BackendError ? error.cause : error);
  return code === '42P01' || code === '3F000';
}

function describe(error: unknown): { readonly code?: string; readonly message?: string } {
  if (!(error instanceof Error)) return {};
  // Several addresses of one name were tried.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
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
  // The client's own, which have no code.
  return /timeout|terminated|not queryable|ended/i.test(message) ? 'unreachable' : 'broken';
}
