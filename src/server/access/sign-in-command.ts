/**
 * The command that prints another link to sign in, for whoever looks at the page: with the address of this very server.
 * Another page may have led people here by a name of its own, which must not get into a command: without a public address,
 * only the port of this machine is taken from the request.
 */
export function nameSignInCommand(publicUrl: string | undefined, headers: Headers): string {
  const command = 'hostwright server --sign-in-link';
  if (publicUrl !== undefined) return `${command} --public-url ${publicUrl}`;
  const host = headers.get('host') ?? '';
  const [, port] = /^(?:127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(host) ?? [];
  return port === undefined ? `${command} --public-url URL` : `${command} --port ${port}`;
}
