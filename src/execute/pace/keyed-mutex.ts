import { findCompanionKind } from '../../kinds/relations/brought.ts';
import { isKindWithoutIdentity } from '../../kinds/relations/marks.ts';
import { commandSubjects, type ResolvedCommand } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { KindName } from '../../model/kind-places.ts';

/** Lets those who ask for the same key go one after the other; different keys do not wait for each other. */
export interface KeyedMutex {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Creates locks by key; each key is granted in the order in which it was asked for. */
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

/** The kind of what a create makes, or brings along, that only its time tells from others; undefined where nothing is so. */
export function findLookalikeCreateKind(command: ResolvedCommand): KindName | undefined {
  const made = [commandSubjects[command.kind].kind, findCompanionKind(command)];
  return made.find((kind) => kind !== undefined && isKindWithoutIdentity(kind));
}

/** Creates that could be mistaken for one another wait until the one before is known by its id. */
export function runLookalikeCreatesInTurn<T>(
  mutex: KeyedMutex,
  command: ResolvedCommand,
  work: () => Promise<T>,
): Promise<T> {
  const kind = findLookalikeCreateKind(command);
  if (!kind) return work();
  return mutex.run(`${kind} ${placeOfCommand(command).projectId}`, work);
}
