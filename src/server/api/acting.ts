// Who acts in a request, and what the audit log gets to know of it.
import type { SignedInCaller } from '../access/authenticate.ts';
import type { Act, Actor } from '../audit/audit-entry.ts';
import type { Store } from '../store/store.ts';

/** The acts of one request. */
export class Acting {
  readonly actor: Actor;
  /** True once an entry says what was done. */
  isRecorded = false;
  readonly #store: Pick<Store, 'audit'>;

  constructor(
    store: Pick<Store, 'audit'>,
    { id, kind, person: name }: SignedInCaller,
    address: string,
  ) {
    this.#store = store;
    this.actor = { id, kind, name, address };
  }

  /** Changes something, and says so in the same transaction. */
  async record<T>(
    work: () => Promise<T>,
    describe: (result: T) => Omit<Act, 'result'>,
  ): Promise<T> {
    const result = await this.#store.audit.record(this.actor, work, describe);
    this.isRecorded = true;
    return result;
  }

  /** For what adds its entry by itself. */
  by(): Actor {
    this.isRecorded = true;
    return this.actor;
  }
}
