// Who asks: a machine by the token in a header, or a person by the cookie of a session.
import { administratorMemberId, type MemberSummary } from '../people/members.ts';
import { roles, type Role } from '../people/roles.ts';
import type { ServerStore } from '../store/store.ts';
import { isAdminRequest } from './admin-token.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { BrowserSession } from '../store/sessions.ts';

/** Sender of a request whom the server has recognised: a person, an API token or the administrator. */
export interface SignedInCaller {
  /** Id of the caller: `administrator`, or the id of a member. */
  readonly id: string;
  readonly kind: 'administrator' | MemberSummary['kind'];
  /** Name of the caller for people. */
  readonly person: string;
  /** Roles that the caller has in all workspaces. */
  readonly roles: readonly Role[];
  /** Set where a page of the server asks on behalf of this person. */
  readonly isBrowser: boolean;
}

/** Conditions on how a request may show its sender: over TLS or not, with a password or not. */
export interface AuthenticationConditions {
  /** True for a request that came over TLS, see `isServerReachedByTls`. */
  readonly isSecure: boolean;
  /**
   * Set where the token may come as a password, the only way that Terraform's http backend has. Elsewhere a browser would send a
   * remembered password along.
   */
  readonly takesPassword: boolean;
}

/**
 * Finds the sender of a request; undefined where it is unknown. A cookie is good for reading only, since a page of another site
 * can make a browser send it: changes come through forms, which `web/` checks.
 */
export async function authenticateRequest(
  { sessions, settings, members }: Pick<ServerStore, 'sessions' | 'settings' | 'members'>,
  request: Request,
  { isSecure, takesPassword }: AuthenticationConditions,
): Promise<SignedInCaller | undefined> {
  const { headers, method } = request;
  const given = headers.get('authorization') ?? undefined;
  const header = takesPassword ? readPassword(given) : given;
  if (await isAdminRequest(settings, header)) return describeAdministrator(false);
  const [, token] = /^Bearer +(hwt_\S+)$/i.exec(header ?? '') ?? [];
  const member = token === undefined ? undefined : await members.findByToken(token);
  if (member) {
    const { id, kind, name: person, roles: own } = member;
    return { id, kind, person, roles: own, isBrowser: false };
  }
  if (method !== 'GET') return undefined;
  const secret = readSessionCookie(headers.get('cookie'), isSecure);
  const session = secret === undefined ? undefined : await sessions.find(secret);
  return session && describeSignedInCaller(session);
}

/** A password as the token that it is, whoever the user is said to be. */
function readPassword(header: string | undefined): string | undefined {
  const [, encoded] = /^Basic +([\w+/=]+)$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return header;
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return `Bearer ${password}`;
}

/** Describes the member whom a browser session belongs to. */
export function describeSignedInCaller({
  memberId,
  person,
  roles: own,
}: BrowserSession): SignedInCaller {
  return memberId === undefined
    ? describeAdministrator(true)
    : { id: memberId, kind: 'person', person, roles: own, isBrowser: true };
}

function describeAdministrator(isBrowser: boolean): SignedInCaller {
  return {
    id: administratorMemberId,
    kind: 'administrator',
    person: administratorMemberId,
    roles,
    isBrowser,
  };
}

/** Id of the member who may view only some workspaces, by which lists are filtered; undefined for a caller who may view all. */
export function findRestrictedViewer({ id, roles: own }: SignedInCaller): string | undefined {
  return own.length > 0 ? undefined : id;
}
