// The first administrator: a token that is printed once, when the server meets its database for the first time. The database
// has its hash alone.
import { timingSafeEqual } from 'node:crypto';
import type { ServerSettingStore } from '../store/settings.ts';
import { hashSecret, makeSecret } from '../secrets/random-secret.ts';

const setting = 'administrator-token';

/** Creates the token of the first administrator. @returns the token, this once; undefined where one was created before */
export async function createFirstAdminToken(
  settings: ServerSettingStore,
): Promise<string | undefined> {
  const token = makeSecret('hws_');
  return (await settings.begin(setting, hashSecret(token).toString('hex'))) ? token : undefined;
}

/** Tells whether a request carries the administrator's token as `Authorization: Bearer TOKEN`. */
export async function isAdminRequest(
  settings: ServerSettingStore,
  header: string | undefined,
): Promise<boolean> {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
  return token !== undefined && isAdminToken(settings, token);
}

/** Tells whether a token is the administrator's. */
export async function isAdminToken(settings: ServerSettingStore, token: string): Promise<boolean> {
  const known = await settings.read(setting);
  return known !== undefined && timingSafeEqual(hashSecret(token), Buffer.from(known, 'hex'));
}
