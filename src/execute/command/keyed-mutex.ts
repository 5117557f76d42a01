import type { ResolvedCommand } from '../../model/account/command.ts';

/** Lets those who ask for the same key go one after the other; different keys do not wait for each other. */
export interface KeyedMutex {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** A mutex that grants each key in the order of asking. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(key, work) {
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

/** True for a create whose address could be mistaken for that of another. */
export function bringsAddress(
  command: ResolvedCommand,
): command is Extract<ResolvedCommand, { kind: 'createPublicIp' | 'createVm' }> {
  return (
    command.kind === 'createPublicIp' || (command.kind === 'createVm' && command.publicIp === 'new')
  );
}

/** Creates that could be mistaken for one another wait until the one before is known by its id. */
export function createExclusively<T>(
  mutex: KeyedMutex,
  command: ResolvedCommand,
  work: () => Promise<T>,
): Promise<T> {
  if (!bringsAddress(command)) return work();
  return mutex.run(`addresses of ${command.project}`, work);
}
