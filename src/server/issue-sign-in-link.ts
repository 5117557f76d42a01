import type { Runtime } from '../model/runtime.ts';
import { adoptServerKey } from './access/confirm-key.ts';
import { readServerKeys } from './secrets/keyring.ts';
import { serverActor } from './audit/audit-entry.ts';
import { openServerDatabase } from './database/database.ts';
import { migrateServerTables } from './database/migrations/migrate.ts';
import { assembleServerStore } from './store/store.ts';

/**
 * Creates a link that signs an administrator in once. It needs the key of the server, to sign the entry of the audit log.
 * @throws DiagnosticError, BackendError where the database cannot be reached
 */
export async function issueSignInLink(
  runtime: Pick<Runtime, 'env' | 'execute'>,
  databaseUrl: string,
  origin: string,
): Promise<string> {
  const keyring = await readServerKeys(runtime);
  const database = await openServerDatabase(databaseUrl);
  try {
    await migrateServerTables(database);
    const store = assembleServerStore(database, keyring);
    await adoptServerKey(store);
    return await store.audit.record(
      serverActor,
      () => store.signInLinks.issue(origin),
      () => ({ act: 'sign-in-link.make', target: 'sessions' }),
    );
  } finally {
    await database.close();
  }
}
