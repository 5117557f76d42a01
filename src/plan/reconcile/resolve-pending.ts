import {
  classifyShownCreate,
  classifyUnseenCreate,
} from '../../kinds/recognise/classify-create.ts';
import {
  describeAmbiguousCreate,
  describeDuplicateCreate,
  describePossiblyRenamedResource,
  describeStrayTokens,
  noteRecognisedCreate,
  warnOfLookalike,
  warnOfRenamedDuplicate,
} from '../../kinds/recognise/create-findings.ts';
import { indexRequestedByOtherFilters } from '../../kinds/recognise/asked-for-by-others.ts';
import {
  isPossibleCreateResult,
  removeRespelledResources,
  findRenamedLookalikes,
  recogniseCreatedResources,
  type CreateAttempt,
  type CreateRecognition,
  isNamelessCreate,
} from '../../kinds/recognise/recognise.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import { groupBy } from '../../model/group-by.ts';
import {
  duplicateWatchMs,
  lostCreateSearchBounds,
  maxCreateRequests,
} from '../../model/state/evidence.ts';
import {
  deposeResource,
  isCreateUselessWithoutAnswer,
  makeSentCreateCommand,
  type ManagedResource,
  type PendingCreate,
  type PossibleDuplicateCreate,
  type State,
} from '../../model/state/state.ts';
import { parseKnownAddress } from '../account-index.ts';
import { findCommandFacts } from '../../kinds/find-facts.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceKind } from '../../kinds/kind.ts';
import { adoptCreatedResource, type AdoptableCreate } from './adopt-created.ts';

/** Outcomes of creates that earlier runs could not see to their end. */
export interface ResolvedPendingCreates {
  /**
   * Resources that were recognised in the account, to be managed from here on; with former ones of the address that are still
   * to be destroyed.
   */
  readonly found: readonly ManagedResource[];
  /** Creates without a possible result in the account: as far as it can be seen, they did not happen. */
  readonly missing: readonly PendingCreate[];
  /** Ids of all possible results of a pending create, by its address. */
  readonly sighted: ReadonlyMap<ResourceAddress, readonly string[]>;
  /** Notes about recognised resources; errors about those that a person has to decide on. */
  readonly findings: readonly Finding[];
  /** The state with the resources that were recognised as results of creates. */
  readonly state: State;
}

/** Options of resolving creates whose result is unknown. */
export interface PendingResolveOptions {
  /** Addresses for which the configuration names the live resource: nothing is looked for there. */
  readonly imported?: ReadonlySet<ResourceAddress>;
  /** True with `--remove-doubled`: the second result of a create is deleted. */
  readonly removesDoubled?: boolean;
  /** Set where the time of evidence of all missing creates is over. */
  readonly isFinal?: boolean;
  /** Set while nothing has shown that the service's records go by the clock of its `Date` header. */
  readonly isClockUnknown?: boolean;
  /** Operations of creates that name no resource so far, by address. */
  readonly unnamed?: ReadonlyMap<ResourceAddress, UnnamedOperation>;
  /** Ids, by address, in records of such a create that nothing explains. */
  readonly recorded?: ReadonlyMap<ResourceAddress, readonly string[]>;
}

/** The operation of a create, which names no resource. */
export interface UnnamedOperation {
  /** True while it may name one yet. */
  readonly isOpen: boolean;
  /** Ids of resources that other operations have made. */
  readonly foreignIds: readonly string[];
}

/** Looks in the account for the results of pending creates, and for resources that were made twice. */
export function resolvePendingCreates(
  state: State,
  live: LiveSnapshot,
  options: PendingResolveOptions = {},
): ResolvedPendingCreates {
  const { pending, possibleDoubles } = state;
  const nothing = { found: [], missing: [], sighted: new Map(), findings: [] };
  if (pending.size === 0 && !possibleDoubles) return { ...nothing, state };
  const resolution = new Resolution(state, live, options);
  for (const one of pending.values()) {
    if (options.imported?.has(one.address)) continue;
    if (isCreateUselessWithoutAnswer(one)) resolution.findUnusable(one);
    else resolution.find(one);
  }
  const doubles = (possibleDoubles ?? []).filter(({ address }) => !pending.has(address));
  for (const one of doubles) resolution.findDouble(one, options.removesDoubled === true);
  return resolution.end();
}

const unaccepted = { isAccepted: false, rivals: [], hasTrace: false };

class Resolution {
  readonly #isFinal: boolean;
  readonly #isClockUnknown: boolean;
  readonly #recorded: ReadonlyMap<ResourceAddress, readonly string[]>;
  readonly #unnamed: ReadonlyMap<ResourceAddress, UnnamedOperation>;
  readonly #state: State;
  readonly #askedByOthers: ReturnType<typeof indexRequestedByOtherFilters>;
  readonly #live: LiveSnapshot;
  readonly #byKind: ReadonlyMap<string, readonly LiveResource[]>;
  readonly #resources: Map<ResourceAddress, ManagedResource>;
  readonly #addresses: Map<string, ResourceAddress>;
  readonly #found: ManagedResource[] = [];
  readonly #missing: PendingCreate[] = [];
  readonly #sighted = new Map<ResourceAddress, readonly string[]>();
  readonly #findings: Finding[] = [];

  constructor(
    state: State,
    live: LiveSnapshot,
    { isFinal, recorded, unnamed, isClockUnknown }: PendingResolveOptions,
  ) {
    this.#isFinal = isFinal === true;
    this.#isClockUnknown = isClockUnknown === true;
    this.#recorded = recorded ?? new Map();
    this.#unnamed = unnamed ?? new Map();
    this.#state = state;
    this.#askedByOthers = indexRequestedByOtherFilters(state.pending);
    this.#live = live;
    this.#byKind = groupBy([...live.projects, ...live.resources], ({ kind }) => kind);
    this.#resources = new Map(state.resources);
    this.#addresses = new Map(
      [...state.resources.values()].flatMap(({ id, address, deposed = [] }) =>
        [id, ...deposed].map((one) => [one, address] as const),
      ),
    );
  }

  find(pending: PendingCreate): void {
    if (pending.answeredId !== undefined && !this.#isManaged(pending.answeredId)) {
      const answered = this.#findAnswered(pending);
      if (answered) {
        this.#bind(pending, answered);
        return;
      }
      // Look-alikes are considered only after the create's own result had its time to appear.
      if (!this.#isFinal) {
        this.#missing.push(pending);
        return;
      }
    }
    const recognised = this.#recognise({ ...pending, isClockUnknown: this.#isClockUnknown });
    const shown = classifyShownCreate(recognised, pending, this.#isFinal);
    const isOpen = this.#unnamed.get(pending.address)?.isOpen === true;
    // Between several the operation decides, as soon as it names one.
    const isUndecided = shown?.kind === 'ambiguous' && isOpen;
    if (isUndecided && !this.#isFinal) {
      this.#missing.push(pending);
      return;
    }
    const alike = shown ? [] : [...recognised.undated, ...this.#findAlike(pending)];
    const sighted = [...(shown?.candidates ?? []), ...alike].map(({ id }) => id);
    if (sighted.length > 0) this.#sighted.set(pending.address, sighted);
    if (shown?.kind === 'found' && !this.#isOneOfMore(pending, shown.live)) {
      this.#bind(pending, shown.live);
    } else if (shown) this.#findings.push(describeAmbiguousCreate(pending, shown.candidates));
    // The result of an accepted create may have been renamed since. The next attempt finds out who has its name.
    else if (classifyUnseenCreate({ ...unaccepted, alike }) === 'perhaps') {
      this.#findings.push(describePossiblyRenamedResource(pending, alike));
    } else this.#missing.push(pending);
  }

  /** The resource of the id in the answer: it is the result, whatever else could be it. */
  #findAnswered(pending: PendingCreate): LiveResource | undefined {
    const { command, answeredId, knownIds } = pending;
    return this.#candidatesFor(pending).find(
      (live) =>
        live.id === answeredId &&
        !knownIds.includes(live.id) &&
        isPossibleCreateResult(command, live),
    );
  }

  /**
   * Tells whether records name another candidate, which may be gone again, for a create whose result only its time
   * distinguishes.
   */
  #isOneOfMore({ address, command }: PendingCreate, { id }: LiveResource): boolean {
    if (!isNamelessCreate(command)) return false;
    const ids = this.#recorded.get(address) ?? [];
    return ids.some((one) => one !== id && !this.#isManaged(one));
  }

  /** A resource that nobody can use is destroyed; until there is another one, it holds the address. */
  findUnusable(pending: PendingCreate): void {
    const { ours } = this.#recognise(pending);
    const [only, ...others] = ours;
    if (!only) this.#missing.push(pending);
    else if (others.length > 0 || isMadeMuchLater(pending, only)) {
      this.#findings.push(describeStrayTokens(pending, ours));
    } else {
      const { address, configured } = pending;
      const { kind, id, projectId } = only;
      const current = this.#resources.get(address);
      const resource = current
        ? { ...current, deposed: [...(current.deposed ?? []), id] }
        : { address, kind, id, projectId, deposed: [id], attributes: {}, configured };
      this.#keep(resource, id);
    }
  }

  findDouble(double: PossibleDuplicateCreate, isRemoved: boolean): void {
    const bound = this.#resources.get(double.address);
    const isEarly = (live: LiveResource) => !isMadeLater(double, live);
    const { ours, alike } = removeRespelledResources(double.command, {
      bound: this.#candidatesFor(double).find(({ id }) => id === bound?.id),
      ours: this.#recognise(double).ours.filter(isEarly),
      alike: this.#findAlike(double).filter(isEarly),
    });
    const configured =
      bound?.configured ?? findCommandFacts(double.command.kind).givenBy?.(double.command) ?? [];
    if (double.isSentOnce) {
      if (ours.length > 0) this.#findings.push(warnOfLookalike(double, bound, ours));
    } else if (ours.length === 0) {
      if (alike.length > 0) this.#findings.push(warnOfRenamedDuplicate(double, alike));
    } else if (!bound && !double.isSuperseded) {
      // The second request had no result: this resource is that of the first.
      const shown = classifyShownCreate({ ours: [], unproven: [], doubtful: ours }, double, true);
      if (shown?.kind === 'found') this.#bind({ ...double, configured }, shown.live);
      else this.#findings.push(describeAmbiguousCreate(double, ours));
    } else if (ours.length >= maxCreateRequests) {
      this.#findings.push(describeAmbiguousCreate(double, ours));
    } else if (isRemoved) {
      // Only the plan knows these: they are recorded once the plan is approved.
      for (const one of ours) {
        const extra = adoptCreatedResource(
          { ...double, configured },
          one,
          this.#live,
          this.#addresses,
        );
        const deposed = deposeResource(extra);
        this.#resources.set(deposed.address, deposed);
        this.#addresses.set(one.id, deposed.address);
      }
    } else this.#findings.push(describeDuplicateCreate(double, bound, ours));
  }

  end(): ResolvedPendingCreates {
    const pending = new Map(this.#state.pending);
    const sent = new Map(this.#state.sent);
    for (const { address, id } of this.#found) {
      const one = pending.get(address);
      // Several requests may have gone out for a resource that is shown once, and their results may show one by one.
      if (!one || isCreateUselessWithoutAnswer(one)) continue;
      pending.delete(address);
      sent.set(id, makeSentCreateCommand(one));
    }
    return {
      found: this.#found,
      missing: this.#missing,
      sighted: this.#sighted,
      findings: this.#findings,
      state: {
        ...this.#state,
        resources: this.#resources,
        pending,
        ...(sent.size > 0 && { sent }),
      },
    };
  }

  readonly #isManaged = (id: string): boolean => this.#addresses.has(id);

  #kindOf({ address }: { readonly address: ResourceAddress }): ResourceKind {
    return kindRegistry[parseKnownAddress(address).kind];
  }

  #candidatesFor(attempt: { readonly address: ResourceAddress }): readonly LiveResource[] {
    return this.#byKind.get(this.#kindOf(attempt).name) ?? [];
  }

  /** The candidates without those that other operations have made. */
  #listUnforeign(attempt: { readonly address: ResourceAddress }): readonly LiveResource[] {
    const { foreignIds = [] } = this.#unnamed.get(attempt.address) ?? {};
    const candidates = this.#candidatesFor(attempt);
    // The same array wherever possible, since names are indexed once for each.
    if (foreignIds.length === 0) return candidates;
    const foreign = new Set(foreignIds);
    return candidates.filter(({ id }) => !foreign.has(id));
  }

  #recognise(attempt: CreateAttempt & { readonly address: ResourceAddress }): CreateRecognition {
    const others = this.#askedByOthers(attempt.address);
    return recogniseCreatedResources(
      attempt,
      this.#listUnforeign(attempt),
      this.#isManaged,
      others,
    );
  }

  /** Finds new resources that differ from the create in their name only. */
  #findAlike(
    attempt: CreateAttempt & { readonly address: ResourceAddress },
  ): readonly LiveResource[] {
    const isOfAnother = this.#askedByOthers(attempt.address);
    const alike = findRenamedLookalikes(attempt, this.#listUnforeign(attempt), this.#isManaged);
    return alike.filter((live) => !isOfAnother(live));
  }

  #bind(pending: AdoptableCreate, only: LiveResource) {
    const before = this.#resources.get(pending.address);
    const resource = adoptCreatedResource(pending, only, this.#live, this.#addresses);
    // The old resource was to be destroyed once the new one existed.
    if (before && before.id !== only.id && this.#exists(before)) {
      this.#keep(deposeResource(before), before.id);
    }
    this.#keep(resource, only.id);
    this.#findings.push(noteRecognisedCreate(pending.address, only));
  }

  #keep(resource: ManagedResource, id: string): void {
    this.#found.push(resource);
    this.#resources.set(resource.address, resource);
    this.#addresses.set(id, resource.address);
  }

  #exists({ kind, id }: ManagedResource): boolean {
    return this.#byKind.get(kind)?.some((one) => one.id === id) === true;
  }
}

/** Tells whether the lost request can hardly have made a resource: somebody may have made it since. */
function isMadeMuchLater({ serviceAt }: PendingCreate, { createdAt }: LiveResource): boolean {
  if (serviceAt === undefined || typeof createdAt !== 'number') return false;
  return createdAt > serviceAt + lostCreateSearchBounds.mostLookMs;
}

/**
 * Tells whether a resource came after the hour for which a create is watched: somebody else made it. One that came in time is
 * reported later as well, since every run of that hour may have been killed.
 */
function isMadeLater(
  { watchedServiceAt }: PossibleDuplicateCreate,
  { createdAt }: LiveResource,
): boolean {
  if (watchedServiceAt === undefined || typeof createdAt !== 'number') return false;
  return createdAt > watchedServiceAt + duplicateWatchMs;
}
