/**
 * Address of a request's sender. Behind the proxy of a public address, the last forwarded address is the one that the proxy
 * saw.
 */
export function readSenderIpAddress(
  headers: Headers,
  socketAddress: string | undefined,
  publicUrl: string | undefined,
): string {
  const forwarded = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();
  const address = publicUrl === undefined ? undefined : forwarded;
  return (address ?? socketAddress ?? '').slice(0, 100);
}
