// The first administrator: a token that is printed once, when the server meets its database for the first time. The database
// has its hash alone.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Settings } from '../store/settings.ts';

const setting = 'administrator-token';

/** Makes the token of the first administrator. @returns it, once and never again; undefined where there is one */
export async function issueAdminToken(settings: Settings): Promise<string | undefined> {
  const token = `hws_${randomBytes(32).toString('base64url')}`;
  return (await settings.begin(setting, hash(token).toString('hex'))) ? token : undefined;
}

/** True for a request with `Authorization: Bearer TOKEN`. */
export async function isAdmin(settings: Settings, header: string | undefined): Promise<boolean> {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
  const known = await settings.read(setting);
  if (token === undefined || known === undefined) return false;
  return timingSafeEqual(hash(token), Buffer.from(known, 'hex'));
}

/** A token is random and long, so that one round of a hash is enough. */
function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
