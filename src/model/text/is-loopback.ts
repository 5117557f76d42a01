/** True for an address of this machine itself: what is sent there, nobody can read on the way. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
