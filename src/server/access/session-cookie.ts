// The cookie of a session. Over TLS its name keeps other hosts and paths from setting it; a browser takes such a name over
// TLS alone.
const secureName = '__Host-hostwright';
const plainName = 'hostwright';
const attributes = 'Path=/; HttpOnly; SameSite=Lax';

/** The secret in the cookies of a request. */
export function readCookie(header: string | null): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  const find = (name: string) => pairs.find(([key]) => key === name)?.[1];
  return find(secureName) ?? find(plainName);
}

/** What sets the cookie. */
export function setCookie(secret: string, isSecure: boolean): string {
  return isSecure
    ? `${secureName}=${secret}; ${attributes}; Secure`
    : `${plainName}=${secret}; ${attributes}`;
}

/** What removes it. */
export function removeCookie(isSecure: boolean): string {
  return `${setCookie('', isSecure)}; Max-Age=0`;
}
