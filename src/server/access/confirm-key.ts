import type { ServerStore } from '../store/store.ts';

const setting = 'key-check';

/**
 * Makes sure that the key is the one of this database, writes the audit log with it from now on, and encrypts anew what an
 * older key has encrypted.
 * @returns how many texts those were
 * @throws DiagnosticError `server-key-wrong`
 */
export async function confirmServerKey({
  auditKeys,
  blobs,
  settings,
}: ServerStore): Promise<number> {
  if (!(await requireKnownServerKey({ blobs, settings })))
    await settings.begin(setting, await blobs.add(Buffer.from(setting)));
  await auditKeys.confirm();
  return blobs.rotate();
}

/**
 * Changes nothing. @returns false where no key was ever used
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
