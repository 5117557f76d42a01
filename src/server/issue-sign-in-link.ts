import { SignInLinks } from './access/sign-in-links.ts';
import { openServerDatabase } from './store/database.ts';
import { migrate } from './store/migrate.ts';

/** Makes a link that signs an administrator in once. @throws DiagnosticError, BackendError where the database cannot be had */
export async function issueSignInLink(databaseUrl: string, origin: string): Promise<string> {
  const database = await openServerDatabase(databaseUrl);
  try {
    await migrate(database);
    return await new SignInLinks(database).issue(origin);
  } finally {
    await database.close();
  }
}
