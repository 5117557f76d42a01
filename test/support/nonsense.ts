// Small worlds for tests are checked as they are built: a test about a world that cannot exist proves nothing.

/** A world that a test made up and that cannot exist. */
export class NonsenseError extends Error {
  constructor(message: string) {
    super(`a nonsense world: ${message}`);
    this.name = 'NonsenseError';
  }
}

/** @throws NonsenseError unless it holds */
export function expectSense(holds: boolean, otherwise: string): void {
  if (!holds) throw new NonsenseError(otherwise);
}

/** Adds to a set. @throws NonsenseError when it is in there already */
export function claim(taken: Set<string>, what: string): void {
  expectSense(!taken.has(what), `${what} is taken twice`);
  taken.add(what);
}

/** @throws NonsenseError for a key that nobody knows: a typo in a hand-written file */
export function refuseUnknownKeys(value: object, known: readonly string[], where: string): void {
  for (const key of Object.keys(value)) {
    expectSense(known.includes(key), `${where} has the unknown key "${key}"`);
  }
}
