import type { Store } from '../store/store.ts';

const setting = 'key-check';

/**
 * Makes sure that the key is the one of this database, writes the audit log with it from now on, and encrypts anew what an
 * older key has encrypted.
 * @returns how many texts those were
 * @throws DiagnosticError `server-key-wrong`
 */
export async function confirmKey({ auditKeys, blobs, settings }: Store): Promise<number> {
  if (!(await requireKnownKey({ blobs, settings })))
    await settings.begin(setting, await blobs.add(Buffer.from(setting)));
  await auditKeys.confirm();
  return blobs.rotate();
}

/**
 * Changes nothing. @returns false where no key was ever used
 * @throws DiagnosticError `server-key-wrong`
 */
export async function requireKnownKey({
  blobs,
  settings,
}: Pick<Store, 'blobs' | 'settings'>): Promise<boolean> {
  const known = await settings.read(setting);
  if (known !== undefined) await blobs.read(known);
  return known !== undefined;
}
