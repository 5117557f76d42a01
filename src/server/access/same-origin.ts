/** Tells a request that a page of another host made a browser send. No other program says where it is from. */
export function isCrossSiteRequest(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}

/**
 * True for a request that a page of this server made. Every browser says which page asks; whatever says nothing is refused.
 * @param origin where people reach the server; by the request itself unless known
 */
export function isSameOrigin(headers: Headers, origin: string | undefined): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const given = headers.get('origin');
  if (given === null) return site === 'same-origin';
  return given === (origin ?? `http://${headers.get('host') ?? ''}`);
}
