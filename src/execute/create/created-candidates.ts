import {
  createRequestedByOtherFilter,
  RequestedCreateNames,
} from '../../kinds/recognise/asked-for-by-others.ts';
import {
  findRenamedLookalikes,
  recogniseCreatedResources,
  type CreateAttempt,
  type CreateRecognition,
} from '../../kinds/recognise/recognise.ts';
import { commandSubjects } from '../../model/account/command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { State } from '../../model/state/state.ts';
import type { RunContext } from '../context/run-context.ts';

/** Candidates for the result of one create: resources that nothing else in the run accounts for. */
export class CreatedCandidates {
  readonly #context: Pick<RunContext, 'addresses' | 'history' | 'store' | 'client'>;
  readonly #address: ResourceAddress;
  readonly #attempt: CreateAttempt;
  readonly #sighted = new Map<string, LiveResource>();
  #foreignIds: readonly string[] = [];

  constructor(
    context: Pick<RunContext, 'addresses' | 'history' | 'store' | 'client'>,
    address: ResourceAddress,
    attempt: CreateAttempt,
  ) {
    this.#context = context;
    this.#address = address;
    this.#attempt = attempt;
  }

  recognise(resources: readonly LiveResource[]): CreateRecognition {
    const isClockUnknown = !this.#context.client.clocks.areKnown;
    const attempt = { ...this.#attempt, isClockUnknown };
    return recogniseCreatedResources(
      attempt,
      resources,
      this.isKnown,
      this.#askedForByOthers(resources),
    );
  }

  /** Finds resources that equal the wanted one but for their name. */
  findAlike(resources: readonly LiveResource[]): readonly LiveResource[] {
    return findRenamedLookalikes(this.#attempt, this.#listUnasked(resources), this.isKnown);
  }

  /**
   * Finds resources that equal the wanted one but for their name, in this list and in those before: a later list may lag behind
   * them.
   */
  gatherAlike(resources: readonly LiveResource[]): readonly LiveResource[] {
    for (const live of this.findAlike(resources)) this.#sighted.set(live.id, live);
    return [...this.#sighted.values()];
  }

  /** Leaves out resources that were made by operations of others. */
  leaveOut(foreignIds: readonly string[]): void {
    this.#foreignIds = foreignIds;
  }

  readonly isKnown = (id: string): boolean => this.#isBound(id) || this.#foreignIds.includes(id);

  readonly #isBound = (id: string): boolean => {
    const { addresses, history } = this.#context;
    return addresses.has(id) || history.bound.has(id);
  };

  #askedForByOthers(resources: readonly LiveResource[]) {
    const { pending } = this.#context.store.state;
    return createRequestedByOtherFilter(() => readAsked(pending, resources), this.#address);
  }

  /**
   * Without what creates asked for by its very name, and what is known already: what this one asked for so is no other name
   * of it. What becomes known after the first look at a list is left out by whoever looks.
   */
  #listUnasked(resources: readonly LiveResource[]): readonly LiveResource[] {
    const known = unasked.get(resources);
    if (known) return known;
    const { pending } = this.#context.store.state;
    const isAsked = createRequestedByOtherFilter(() => readAsked(pending, resources), undefined);
    const listed = resources.filter((live) => !this.#isBound(live.id) && !isAsked(live));
    unasked.set(resources, listed);
    return listed;
  }
}

/**
 * Names with an open create at the first look at a list, cached, since a thousand creates look at one list. Names asked for
 * later are not in that list.
 */
const askedNames = new WeakMap<readonly LiveResource[], RequestedCreateNames>();
/** Resources of such a list that no open create asks for by name and that were not known before. */
const unasked = new WeakMap<readonly LiveResource[], readonly LiveResource[]>();

function readAsked(
  pending: State['pending'],
  resources: readonly LiveResource[],
): RequestedCreateNames {
  const asked = askedNames.get(resources) ?? new RequestedCreateNames(pending);
  askedNames.set(resources, asked);
  return asked;
}

/** Thrown in place of sending a create again, once the result of its first request is found. */
export class CreateResultFoundError extends Error {
  override readonly name = 'CreateResultFoundError';
}

/** Guard of a repeated request of a create: it collects what lists show from `guardResend` on, until `stop`. */
export interface ResendGuard {
  /** For right before each attempt. @throws CreateResultFoundError */
  readonly beforeAttempt: () => void;
  readonly stop: () => void;
}

/**
 * Guards one more request of a create whose first one was lost. Between the last look and that request lie writes of the state
 * and attempts that were refused; meanwhile another change may have listed the place.
 */
export function guardResend(
  context: RunContext,
  address: ResourceAddress,
  attempt: CreateAttempt,
): ResendGuard {
  const { kind } = commandSubjects[attempt.command.kind];
  const candidates = new CreatedCandidates(context, address, attempt);
  const following = context.collectionLooks.follow(kind, placeOfCommand(attempt.command));
  return {
    beforeAttempt() {
      const { ours, unproven } = candidates.recognise([...following.shown.values()]);
      const ids = [...ours, ...unproven].map(({ id }) => id);
      if (ids.length > 0) throw new CreateResultFoundError(`${address} may be ${ids.join(', ')}`);
    },
    stop: () => following.stop(),
  };
}
