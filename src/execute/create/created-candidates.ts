import { askedForByOthers, AskedNames } from '../../kinds/recognise/asked-for-by-others.ts';
import {
  findAlike,
  recognise,
  type CreateAttempt,
  type Recognition,
} from '../../kinds/recognise/recognise.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Address } from '../../model/address.ts';
import type { State } from '../../model/state/state.ts';
import type { RunContext } from '../context/run-context.ts';

/** What may be the result of one create, as far as nothing else in the run is known to be it. */
export class CreatedCandidates {
  readonly #context: Pick<RunContext, 'addresses' | 'history' | 'store' | 'client'>;
  readonly #address: Address;
  readonly #attempt: CreateAttempt;
  readonly #sighted = new Map<string, LiveResource>();

  constructor(
    context: Pick<RunContext, 'addresses' | 'history' | 'store' | 'client'>,
    address: Address,
    attempt: CreateAttempt,
  ) {
    this.#context = context;
    this.#address = address;
    this.#attempt = attempt;
  }

  recognise(resources: readonly LiveResource[]): Recognition {
    const isClockUnknown = !this.#context.client.clocks.areKnown;
    const attempt = { ...this.#attempt, isClockUnknown };
    return recognise(attempt, resources, this.isKnown, this.#askedForByOthers(resources));
  }

  /** What is like it under another name. */
  findAlike(resources: readonly LiveResource[]): readonly LiveResource[] {
    return findAlike(this.#attempt, this.#listUnasked(resources), this.isKnown);
  }

  /** The same, with what earlier looks have shown: a later list may lag behind them. */
  gatherAlike(resources: readonly LiveResource[]): readonly LiveResource[] {
    for (const live of this.findAlike(resources)) this.#sighted.set(live.id, live);
    return [...this.#sighted.values()];
  }

  readonly isKnown = (id: string): boolean => {
    const { addresses, history } = this.#context;
    return addresses.has(id) || history.bound.has(id);
  };

  #askedForByOthers(resources: readonly LiveResource[]) {
    const { pending } = this.#context.store.state;
    return askedForByOthers(() => readAsked(pending, resources), this.#address);
  }

  /**
   * Without what creates asked for by its very name, and what is known already: what this one asked for so is no other name
   * of it. What becomes known after the first look at a list is left out by whoever looks.
   */
  #listUnasked(resources: readonly LiveResource[]): readonly LiveResource[] {
    const known = unasked.get(resources);
    if (known) return known;
    const { pending } = this.#context.store.state;
    const isAsked = askedForByOthers(() => readAsked(pending, resources), undefined);
    const listed = resources.filter((live) => !this.isKnown(live.id) && !isAsked(live));
    unasked.set(resources, listed);
    return listed;
  }
}

/**
 * What was asked for by name when a list was first looked at, which a thousand creates do at once: of what was asked for
 * since, it shows nothing.
 */
const askedNames = new WeakMap<readonly LiveResource[], AskedNames>();
/** What of such a list nobody asked for by name, and nobody knew. */
const unasked = new WeakMap<readonly LiveResource[], readonly LiveResource[]>();

function readAsked(pending: State['pending'], resources: readonly LiveResource[]): AskedNames {
  const asked = askedNames.get(resources) ?? new AskedNames(pending);
  askedNames.set(resources, asked);
  return asked;
}
