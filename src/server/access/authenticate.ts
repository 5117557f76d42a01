// Who asks: a machine by the token in a header, or a person by the cookie of a session.
import type { Store } from '../store/store.ts';
import { isAdmin } from './admin-token.ts';
import { readCookie } from './session-cookie.ts';

/** Somebody whom the server knows. */
export interface Caller {
  readonly person: string;
  /** True: a page asks for this person. */
  readonly isBrowser: boolean;
}

/** The only person there is until there are roles. */
export const administrator = 'administrator';

/**
 * Who sent a request; undefined where nobody knows. A cookie is sent by a browser whoever made it ask, so that it is good
 * for reading, from pages of this server alone: what changes something comes through a form, which `web/` checks.
 */
export async function authenticate(
  { sessions, settings }: Pick<Store, 'sessions' | 'settings'>,
  request: Request,
): Promise<Caller | undefined> {
  const { headers, method } = request;
  if (await isAdmin(settings, headers.get('authorization') ?? undefined)) {
    return { person: administrator, isBrowser: false };
  }
  const site = headers.get('sec-fetch-site');
  if (method !== 'GET' || (site !== null && site !== 'same-origin' && site !== 'none'))
    return undefined;
  const secret = readCookie(headers.get('cookie'));
  const session = secret === undefined ? undefined : await sessions.find(secret);
  return session && { person: session.person, isBrowser: true };
}
