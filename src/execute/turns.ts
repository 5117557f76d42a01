/** Lets those who ask for the same key go one after the other; different keys do not wait for each other. */
export interface Turns {
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Turns in the order of asking. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, work) {
      const before = last.get(key);
      const mine = (async () => {
        await before?.catch(() => undefined);
        return work();
      })();
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
