// The ids in the answers to pending creates, asked about for as long as they may lead further: each is that of the resource, or of
// the operation that makes it.
import type { ServiceClient } from '../api/client.ts';
import {
  isAnsweredResource,
  mayLeadElsewhere,
  readAnsweredId,
  type AnsweredIdReading,
} from '../execute/create/answered-id.ts';
import type { ResourceAddress } from '../model/address.ts';
import type { PendingCreate, State } from '../model/state/state.ts';
import type { UnnamedOperation } from '../plan/reconcile/resolve-pending.ts';

/** The pending creates of a state, as their answered ids are known by now. */
export class PendingAnswers {
  readonly #client: Pick<ServiceClient, 'get' | 'getOperation' | 'listOperations'>;
  readonly #state: State;
  readonly #readings = new Map<ResourceAddress, AnsweredIdReading>();

  constructor(
    client: Pick<ServiceClient, 'get' | 'getOperation' | 'listOperations'>,
    state: State,
  ) {
    this.#client = client;
    this.#state = state;
  }

  /** Asks about each answered id of these creates that may lead further, the first time of all creates. @throws ApiError */
  async ask(creates: Iterable<PendingCreate> = this.#state.pending.values()): Promise<void> {
    for (const { address } of creates) {
      const pending = this.#state.pending.get(address);
      const reading = this.#readings.get(address);
      if (pending?.answeredId === undefined || (reading && !mayLeadElsewhere(reading))) continue;
      this.#readings.set(address, await this.#read(pending, pending.answeredId, reading));
    }
  }

  /** The state without `failed`: of each create the id of its result where that is known, and never that of its operation. */
  get state(): State {
    const pending = new Map<ResourceAddress, PendingCreate>();
    for (const [address, create] of this.#state.pending) {
      const reading = this.#readings.get(address);
      if (reading?.kind === 'failed') continue;
      pending.set(address, reading ? withReading(create, reading) : create);
    }
    return { ...this.#state, pending };
  }

  /** Creates whose operation has failed and made nothing. */
  get failed(): readonly PendingCreate[] {
    return [...this.#state.pending.values()].filter(
      ({ address }) => this.#readings.get(address)?.kind === 'failed',
    );
  }

  /** The operations that name no resource, by the address of their create. */
  get unnamed(): ReadonlyMap<ResourceAddress, UnnamedOperation> {
    const unnamed = new Map<ResourceAddress, UnnamedOperation>();
    for (const [address, reading] of this.#readings)
      if (reading.kind === 'operation') unnamed.set(address, reading);
    return unnamed;
  }

  async #read(
    pending: PendingCreate,
    id: string,
    former: AnsweredIdReading | undefined,
  ): Promise<AnsweredIdReading> {
    const isResource = !former && (await isAnsweredResource(this.#client, pending, id));
    if (isResource) return { kind: 'result', id, isNamed: true };
    return readAnsweredId(this.#client, pending, id, former);
  }
}

function withReading(
  { answeredId, ...pending }: PendingCreate,
  reading: AnsweredIdReading,
): PendingCreate {
  const id = reading.kind === 'result' ? reading.id : undefined;
  const others = pending.sightedIds?.filter((one) => one !== answeredId && one !== id) ?? [];
  if (id === undefined) return { ...pending, sightedIds: others };
  return { ...pending, sightedIds: [...others, id], answeredId: id };
}
