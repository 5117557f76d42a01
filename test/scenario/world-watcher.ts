/** Whoever is to close the worlds that are opened; nobody where no test runner is. A file of its own, since every test loads it. */
export const worldWatcher: { onOpen?: (world: { readonly sandbox: { close(): void } }) => void } =
  {};
