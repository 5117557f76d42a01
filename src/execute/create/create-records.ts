import { watchCreateForDuplicate, type PossibleDuplicateCreate } from '../../model/state/state.ts';
import type { CreateAttempt } from '../../kinds/recognise/recognise.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { ChangeCommandJob, RunContext } from '../context/run-context.ts';

/** State records of one create, each written before the step that relies on it. */
export class CreateStateRecords {
  readonly #context: RunContext;
  readonly #job: ChangeCommandJob;

  constructor(context: RunContext, job: ChangeCommandJob) {
    this.#context = context;
    this.#job = job;
  }

  /** Records that a create's request is about to be sent, so that a crash loses no trace of it. */
  async intend({ knownIds, isAllKnown, serviceAt }: CreateAttempt): Promise<void> {
    const { store, clock } = this.#context;
    const { change, command } = this.#job;
    await store.record({
      kind: 'intent',
      address: change.address,
      command,
      knownIds,
      at: clock.now(),
      configured: change.configured,
      ...(change.isProtected && { isProtected: true }),
      ...(change.retireMs !== undefined && { retireMs: change.retireMs }),
      ...(isAllKnown && { isAllKnown }),
      ...(serviceAt !== undefined && { serviceAt }),
    });
  }

  /** Records that the service has accepted the create. */
  async accept(): Promise<void> {
    const { store, clock, client } = this.#context;
    const { change, command, onAccepted } = this.#job;
    const serviceAt = client.serviceTime();
    await store.record({
      kind: 'accepted',
      address: change.address,
      commandName: command.kind,
      at: clock.now(),
      ...(serviceAt !== undefined && { serviceAt }),
    });
    onAccepted?.();
  }

  /** Nothing of it can have been carried out: there is nothing to look for later. */
  async abandon(cause: Error): Promise<void> {
    const { store } = this.#context;
    const { address } = this.#job.change;
    await store.record({ kind: 'abandoned', address, reason: String(cause) });
  }

  /** Records resources that a later run must not overlook while its lists lag. */
  async sight(resources: readonly LiveResource[]): Promise<void> {
    const ids = resources.map(({ id }) => id);
    const { address } = this.#job.change;
    await this.#context.store.record({ kind: 'sighted', address, ids });
  }

  /** Records the id in the answer to a create, by which a later run finds its result, should this one end before it does. */
  async sightAnswered(id: string): Promise<void> {
    const { address } = this.#job.change;
    await this.#context.store.record({ kind: 'sighted', address, ids: [id], isAnswered: true });
  }

  /** Records that the create may have been carried out twice from here on, so that later runs look for a double. */
  async watch(
    attempt: CreateAttempt,
    how: Pick<PossibleDuplicateCreate, 'isSentOnce'> = {},
  ): Promise<PossibleDuplicateCreate> {
    const { store, clock, client } = this.#context;
    const double = watchCreateForDuplicate(
      { ...attempt, address: this.#job.change.address },
      { now: clock.now(), serviceNow: client.serviceTime(), ...how },
    );
    await store.record({ kind: 'possibleDouble', double });
    return double;
  }
}
