// The cookie of a session. Over TLS its name keeps other hosts and paths from setting it, and a browser takes such a name over
// TLS alone: there no other name is read.
import { parse, serialize } from 'hono/utils/cookie';

const names = { secure: '__Host-hostwright', plain: 'hostwright' };
/** Behind these names: the cookie of a sign-in by a provider, until its end. */
const flowSuffix = '-sign-in';

/** Tells by the server's public URL whether browsers reach it over TLS. */
export function isServerReachedByTls(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') ?? false;
}

/** Reads the secret of the browser session from the cookies of a request. `isSecure`: see `isServerReachedByTls`. */
export function readSessionCookie(header: string | null, isSecure: boolean): string | undefined {
  return read(header, nameOf(isSecure));
}

/** Reads the state of an unfinished sign-in at the OpenID provider from the cookies of a request. */
export function readSignInFlowCookie(header: string | null, isSecure: boolean): string | undefined {
  return read(header, `${nameOf(isSecure)}${flowSuffix}`);
}

/**
 * Makes the header that sets the cookie of a sign-in under way, valid for `seconds`. `Lax` lets the browser send it when the
 * provider sends the browser back.
 */
export function setSignInFlowCookie(flow: string, isSecure: boolean, seconds: number): string {
  return write(`${nameOf(isSecure)}${flowSuffix}`, flow, isSecure, seconds);
}

/** Makes the header that removes the cookie of a sign-in under way. */
export function removeSignInFlowCookie(isSecure: boolean): string {
  return setSignInFlowCookie('', isSecure, 0);
}

/** Makes the header that sets the session cookie. */
export function setSessionCookie(secret: string, isSecure: boolean): string {
  return write(nameOf(isSecure), secret, isSecure);
}

/** Makes the header that removes the session cookie. */
export function removeSessionCookie(isSecure: boolean): string {
  return write(nameOf(isSecure), '', isSecure, 0);
}

function nameOf(isSecure: boolean): string {
  return isSecure ? names.secure : names.plain;
}

function read(header: string | null, name: string): string | undefined {
  return header === null ? undefined : parse(header, name)[name];
}

function write(name: string, value: string, secure: boolean, maxAge?: number): string {
  return serialize(name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    ...(maxAge !== undefined && { maxAge }),
  });
}
