// Who acts in a request, and what the audit log gets to know of it.
import type { SignedInCaller } from '../access/authenticate.ts';
import type { AuditAct, AuditActor } from '../audit/audit-entry.ts';
import type { ServerStore } from '../store/store.ts';

/** Writes what one API request changes to the audit log, under the name of its sender. */
export class RequestAuditRecorder {
  readonly actor: AuditActor;
  /** True once an audit entry says what the request did. */
  isRecorded = false;
  readonly #store: Pick<ServerStore, 'audit'>;

  constructor(
    store: Pick<ServerStore, 'audit'>,
    { id, kind, person: name }: SignedInCaller,
    address: string,
  ) {
    this.#store = store;
    this.actor = { id, kind, name, address };
  }

  /** Makes a change and writes its audit entry in the same transaction. */
  async record<T>(
    work: () => Promise<T>,
    describe: (result: T) => Omit<AuditAct, 'result'>,
  ): Promise<T> {
    const result = await this.#store.audit.record(this.actor, work, describe);
    this.isRecorded = true;
    return result;
  }

  /** The actor of the request, for code that writes its own audit entry. */
  by(): AuditActor {
    this.isRecorded = true;
    return this.actor;
  }
}
