import { SignInLinks } from './access/sign-in-links.ts';
import { serverActor } from './audit/audit-entry.ts';
import { AuditLog } from './audit/audit-log.ts';
import { openServerDatabase } from './store/database.ts';
import { migrate } from './store/migrations/migrate.ts';

/** Makes a link that signs an administrator in once. @throws DiagnosticError, BackendError where the database cannot be had */
export async function issueSignInLink(databaseUrl: string, origin: string): Promise<string> {
  const database = await openServerDatabase(databaseUrl);
  try {
    await migrate(database);
    return await new AuditLog(database).record(
      serverActor,
      () => new SignInLinks(database).issue(origin),
      () => ({ act: 'sign-in-link.make', target: 'sessions' }),
    );
  } finally {
    await database.close();
  }
}
