// Verifies that the audit log is as it was written: no entry is missing, changed or inserted.
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { readServerKeys } from '../secrets/keyring.ts';
import { openServerDatabase } from '../database/database.ts';
import { firstPreviousHash, hashAuditEntry, type AuditEntry } from './audit-entry.ts';
import { AuditKeyStore, type AuditKey } from './audit-keys.ts';
import { AuditLogStore, readAuditEntries } from './audit-log.ts';

/**
 * Last entry of an audit log that was verified as complete. A copy kept elsewhere shows later whether entries at the end were
 * removed.
 */
export interface AuditLogEnd {
  /** Number of entries in the audit log. */
  readonly count: number;
  /** Hash of the last audit entry, which covers all before it. */
  readonly hash: string;
  /** Number of entries at the beginning without a key: anybody with access to the database could have forged them. */
  readonly unkeyed: number;
}

/**
 * Verifies the hash chain of the audit log, from its first entry to its last.
 * @throws DiagnosticError `server-audit-broken`, `server-audit-unkeyed`, or the error for a wrong key of the server
 */
export async function verifyAuditLog(
  runtime: Pick<Runtime, 'env' | 'execute'>,
  databaseUrl: string,
): Promise<AuditLogEnd> {
  const keyring = await readServerKeys(runtime);
  const database = await openServerDatabase(databaseUrl);
  try {
    return await verifyEntries(
      await new AuditKeyStore(database, keyring).list(),
      new AuditLogStore(database, keyring),
    );
  } finally {
    await database.close();
  }
}

async function verifyEntries(keys: readonly AuditKey[], log: AuditLogStore): Promise<AuditLogEnd> {
  const [first] = keys;
  if (!first) throw explainUnkeyed();
  let end: AuditLogEnd = { count: 0, hash: firstPreviousHash, unkeyed: 0 };
  for await (const entry of readAuditEntries(log, 0)) {
    const key = keys.findLast(({ since }) => since <= entry.seq);
    const fault = findFault(entry, end, key);
    if (fault !== undefined) throw explainBroken(end.count + 1, fault);
    end = { count: entry.seq, hash: entry.hash, unkeyed: end.unkeyed + (key ? 0 : 1) };
  }
  // A key whose first entry is missing shows that entries were removed.
  const missing = keys.find(({ since }) => since > end.count + 1);
  if (missing) throw explainBroken(end.count + 1, 'The entry is missing.');
  return end;
}

function findFault(
  entry: AuditEntry,
  before: AuditLogEnd,
  key: AuditKey | undefined,
): string | undefined {
  if (entry.seq !== before.count + 1) return 'The entry is missing.';
  if (entry.key !== (key?.id ?? ''))
    return entry.key === ''
      ? 'The entry has no key, although those before it are written with one.'
      : 'The entry is written with another key than the server had then.';
  if (hashAuditEntry(entry, key?.key) !== entry.hash)
    return 'The content of the entry does not match its hash.';
  return entry.previous === before.hash
    ? undefined
    : 'The entry does not continue the entry before it.';
}

function explainBroken(seq: number, fault: string): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'server-audit-broken',
      summary: `The audit log is broken at entry ${seq}`,
      detail: `${fault} Somebody has changed the table of the log in the database.`,
      hint: 'Compare the log with an earlier export or a backup of the database, and find out who had access to it.',
    },
  ]);
}

function explainUnkeyed(): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'server-audit-unkeyed',
      summary: 'The audit log has no key',
      detail: 'Whoever can change the database could have written every entry.',
      hint: 'Start this version of the server once: from then on, entries are written with a key. If it has been started, somebody has removed the keys from the database.',
    },
  ]);
}
