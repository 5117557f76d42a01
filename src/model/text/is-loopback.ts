/** Tells whether a URL leads to this machine itself: requests to it cannot be read on a network. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
