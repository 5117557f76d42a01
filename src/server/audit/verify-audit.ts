// Whether the audit log is as it was written: no entry is missing, was changed, or was put in between.
import { DiagnosticError } from '../../model/errors.ts';
import { openServerDatabase } from '../store/database.ts';
import { firstPrevious, hashEntry, type AuditEntry } from './audit-entry.ts';
import { AuditLog, readAudit } from './audit-log.ts';

/** The end of a log that is whole. Kept elsewhere, it shows later whether entries are missing at the end. */
export interface AuditEnd {
  /** How many entries there are. */
  readonly count: number;
  /** The hash of the last one. */
  readonly hash: string;
}

/** Verifies the log of a database, from its first entry to its last. @throws DiagnosticError `server-audit-broken` */
export async function verifyAudit(databaseUrl: string): Promise<AuditEnd> {
  const database = await openServerDatabase(databaseUrl);
  try {
    let end: AuditEnd = { count: 0, hash: firstPrevious };
    for await (const entry of readAudit(new AuditLog(database), 0)) {
      const fault = findFault(entry, end);
      if (fault !== undefined) throw explainBroken(end.count + 1, fault);
      end = { count: entry.seq, hash: entry.hash };
    }
    return end;
  } finally {
    await database.close();
  }
}

function findFault(entry: AuditEntry, before: AuditEnd): string | undefined {
  if (entry.seq !== before.count + 1) return 'The entry is missing.';
  if (hashEntry(entry) !== entry.hash) return 'The content of the entry does not match its hash.';
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
