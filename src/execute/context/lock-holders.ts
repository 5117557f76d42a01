import type { Address } from '../../model/address.ts';

/** Which change of a run keeps a resource busy, by the resource's id. */
export interface LockHolders {
  /** The service accepted a request of the change in which these take part. */
  hold(ids: readonly string[], address: Address): void;
  /** Ends the hold of a change on these resources: its command is over. */
  release(ids: readonly string[], address: Address): void;
  /** The change that keeps it busy; undefined when none of this run does. */
  find(id: string): Address | undefined;
}

/** The holders of one run. */
export function createLockHolders(): LockHolders {
  const holders = new Map<string, Address>();
  return {
    hold(ids, address) {
      for (const id of ids) holders.set(id, address);
    },
    release(ids, address) {
      for (const id of ids) if (holders.get(id) === address) holders.delete(id);
    },
    find: (id) => holders.get(id),
  };
}
