// The cookie of a session. Over TLS its name keeps other hosts and paths from setting it; a browser takes such a name over
// TLS alone.
const secureName = '__Host-hostwright';
const plainName = 'hostwright';
const attributes = 'Path=/; HttpOnly; SameSite=Lax';

/** Behind these names: the cookie of a sign-in by a provider, until its end. */
const flowSuffix = '-sign-in';

/** The secret in the cookies of a request. */
export function readCookie(header: string | null): string | undefined {
  return find(header, '');
}

/** What a sign-in by a provider needs to know. */
export function readFlowCookie(header: string | null): string | undefined {
  return find(header, flowSuffix);
}

function find(header: string | null, suffix: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  const read = (name: string) => pairs.find(([key]) => key === `${name}${suffix}`)?.[1];
  return read(secureName) ?? read(plainName);
}

/** What sets the cookie of a sign-in for some time. `Lax` sends it along when the provider sends the browser back. */
export function setFlowCookie(flow: string, isSecure: boolean, seconds: number): string {
  const name = `${isSecure ? secureName : plainName}${flowSuffix}`;
  return `${name}=${flow}; ${attributes}; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
}

/** What removes it. */
export function removeFlowCookie(isSecure: boolean): string {
  return setFlowCookie('', isSecure, 0);
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
