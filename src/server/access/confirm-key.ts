import type { ServerStore } from '../store/store.ts';

const setting = 'key-check';

/**
 * Checks that the server's encryption key fits this database, or records it at the first start. Then signs the audit log with it,
 * and encrypts again what an older key has encrypted.
 * @returns the number of texts that were encrypted again
 * @throws DiagnosticError `server-key-wrong`
 */
export async function adoptServerKey({ auditKeys, blobs, settings }: ServerStore): Promise<number> {
  if (!(await requireKnownServerKey({ blobs, settings })))
    await settings.begin(setting, await blobs.add(Buffer.from(setting)));
  await auditKeys.confirm();
  return blobs.rotate();
}

/**
 * Checks that the server's encryption key fits this database, without a change.
 * @returns false where the database has no key yet
 * @throws DiagnosticError `server-key-wrong`
 */
export async function requireKnownServerKey({
  blobs,
  settings,
}: Pick<ServerStore, 'blobs' | 'settings'>): Promise<boolean> {
  const known = await settings.read(setting);
  if (known !== undefined) await blobs.read(known);
  return known !== undefined;
}
