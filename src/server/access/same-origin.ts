/** Tells whether a page of another site made a browser send the request, by the header that only browsers add. */
export function isCrossSiteRequest(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}

/**
 * Tells whether a page of this server made the request. A request that does not say which page made it is refused.
 * @param origin address at which people reach the server; taken from the request unless known
 */
export function isSameOrigin(headers: Headers, origin: string | undefined): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const given = headers.get('origin');
  if (given === null) return site === 'same-origin';
  return given === (origin ?? `http://${headers.get('host') ?? ''}`);
}
