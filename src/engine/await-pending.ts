// Waits for creates that earlier runs could not see to their end, before anything is created in their place.
import type { ServiceClient } from '../api/client.ts';
import { isNotFound } from '../api/errors/classify-error.ts';
import { readRecordsIfTold } from '../api/operation-records.ts';
import { classifyUnseenCreate } from '../kinds/recognise/classify-create.ts';
import { describeUnseenCreate, noteUnsettledCreate } from '../kinds/recognise/create-findings.ts';
import { isNamelessCreate } from '../kinds/recognise/recognise.ts';
import { listUnexplainedRecordIds } from '../kinds/recognise/unexplained-records.ts';
import { listUnfoundResources } from '../kinds/unfound.ts';
import { commandSubjects } from '../model/account/command.ts';
import type { LiveSnapshot, LiveResource } from '../model/account/live.ts';
import { placeOfCommand } from '../model/account/place-of-command.ts';
import type { ResourceAddress } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import { InternalError } from '../model/errors.ts';
import { isProject } from '../model/kind-places.ts';
import { projectKind } from '../model/kind-table.ts';
import type { Clock } from '../model/runtime.ts';
import {
  lostCreateLookupCadence,
  findLookupDurationMs,
  LookupTimeCounter,
  lostTokenLookupMs,
} from '../model/state/evidence.ts';
import {
  isCreateUselessWithoutAnswer,
  type PendingCreate,
  type State,
} from '../model/state/state.ts';
import {
  resolvePendingCreates,
  type ResolvedPendingCreates,
  type PendingResolveOptions,
} from '../plan/reconcile/resolve-pending.ts';
import { PendingAnswers } from './pending-answers.ts';
import { PendingCreateTraces } from './pending-traces.ts';

/** State, client and hooks of a search for pending creates. */
interface PendingRequest {
  readonly state: State;
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly options: PendingResolveOptions;
  /** Reads all resources of the account. */
  readonly read: () => Promise<LiveSnapshot>;
  /** Milliseconds for which the run that left the creates had been silent when its lock was taken over; unknown unless given. */
  readonly silentForMs?: number | undefined;
  /** Called before creates that do not show yet are waited for; without it nothing is waited for. */
  readonly onWait?: ((wait: PendingCreateWait) => void) | undefined;
}

/** A wait for creates whose result is unknown, about to begin. */
export interface PendingCreateWait {
  readonly missing: readonly PendingCreate[];
  /** Milliseconds that the wait may still take. */
  readonly leftMs: number;
}

/** A create that is given up: nothing shows it after the whole time of evidence. */
export interface AbandonedCreate {
  readonly pending: PendingCreate;
  /** Set where an operation list and two later lists do not show the create either. */
  readonly isSupported: boolean;
}

/** The account with the fate of creates whose result was unknown. */
export interface AwaitedPendingCreates extends ResolvedPendingCreates {
  readonly live: LiveSnapshot;
  /** Creates that left no result and may be sent again. */
  readonly absent: readonly AbandonedCreate[];
}

/** Reads the account until every pending create has shown, or was looked for long enough. @throws ApiError */
export async function awaitPendingCreates(request: PendingRequest): Promise<AwaitedPendingCreates> {
  const { state, clock, onWait } = request;
  const search = new PendingSearch(request);
  await search.look();
  if (state.pending.size === 0) return search.end([], { isOver: true });
  let leftMs = search.leftMs();
  if (leftMs > 0) onWait?.({ missing: search.missing, leftMs });
  while (onWait && leftMs > 0) {
    await clock.sleep(Math.min(leftMs, search.pauseMs));
    await search.lookForMissing();
    // A plan is made of one look at the whole account, which may know it otherwise.
    if (search.leftMs() <= 0) await search.look();
    leftMs = search.leftMs();
  }
  const absent = leftMs > 0 ? [] : await search.confirm();
  await search.doubtNameless();
  return search.end(absent, { isOver: leftMs <= 0 });
}

class PendingSearch {
  readonly #request: PendingRequest;
  readonly #time = new LookupTimeCounter();
  readonly #traces: PendingCreateTraces;
  readonly #answers: PendingAnswers;
  /** Ids that records name beside the resource that was found, by address. */
  readonly #recorded = new Map<ResourceAddress, readonly string[]>();
  #recordsAt = 0;
  #seen: { readonly live: LiveSnapshot; readonly resolved: ResolvedPendingCreates } | undefined;

  constructor(request: PendingRequest) {
    this.#request = request;
    this.#traces = new PendingCreateTraces(request.client);
    this.#answers = new PendingAnswers(request.client, request.state);
  }

  get missing(): readonly PendingCreate[] {
    return this.#seen?.resolved.missing ?? [];
  }

  /** Milliseconds until the account is read again. */
  get pauseMs(): number {
    return Math.min(
      lostCreateLookupCadence.longestPauseMs,
      Math.max(
        lostCreateLookupCadence.confirmEveryMs,
        this.#time.elapsedMs * lostCreateLookupCadence.pauseShare,
      ),
    );
  }

  /** Reads the whole account once more to find the results of pending creates. */
  look(): Promise<void> {
    return this.#look(this.#request.read);
  }

  /** Looks again at the lists in which a create is missing, and at no others. */
  lookForMissing(): Promise<void> {
    return this.#look(async () => {
      const shown = await listMissingCreates(this.#request.client, this.missing);
      return this.#seen ? addShownResources(this.#seen.live, shown) : this.#request.read();
    });
  }

  async #look(read: () => Promise<LiveSnapshot>): Promise<void> {
    const { clock } = this.#request;
    // Taken before the read: the lists are at least this young.
    const at = clock.now();
    const live = await read();
    await this.#answers.ask(this.#seen?.resolved.missing);
    const elapsedMs = this.#time.note(at);
    this.#resolve(live);
    if (this.missing.length === 0) return;
    if (elapsedMs - this.#recordsAt < lostCreateLookupCadence.allRecordsEveryMs) return;
    this.#recordsAt = elapsedMs;
    await this.#followTraces();
  }

  /** Milliseconds for which missing creates are still to be looked for. */
  leftMs(): number {
    const { slowestAppearanceMs } = this.#request.state;
    const left = this.missing.map((pending) => {
      const isAccepted = pending.acceptedAt !== undefined;
      const neededMs = isCreateUselessWithoutAnswer(pending)
        ? lostTokenLookupMs
        : findLookupDurationMs({ isAccepted, hung: false, slowestAppearanceMs });
      return neededMs - this.#ageOf(pending) - this.#time.elapsedMs;
    });
    return Math.max(0, ...left);
  }

  /** Reads the records once more, and the account twice after them: a create that none of them shows is absent. */
  async confirm(): Promise<readonly AbandonedCreate[]> {
    const { clock } = this.#request;
    const unsure = () => this.missing.filter((one) => this.#isGone(one, false));
    if (unsure().every(isCreateUselessWithoutAnswer))
      return unsure().map((pending) => ({ pending, isSupported: true }));
    const recorded = await this.#followTraces();
    for (let look = 0; look < 2; look += 1) {
      if (look > 0) await clock.sleep(lostCreateLookupCadence.confirmEveryMs);
      this.#resolve(await this.#request.read());
    }
    return unsure()
      .filter((pending) => this.#isGone(pending, this.#traces.isOpen(pending)))
      .map((pending) => ({
        pending,
        isSupported:
          isCreateUselessWithoutAnswer(pending) ||
          recorded.has(placeOfCommand(pending.command).projectId),
      }));
  }

  /**
   * Doubts a nameless resource that was recognised by its time alone, where records name another result of the create, even
   * one that is gone again.
   */
  async doubtNameless(): Promise<void> {
    const { client, state } = this.#request;
    const known = this.#listKnown();
    for (const { address } of this.#seen?.resolved.found ?? []) {
      const pending = state.pending.get(address);
      if (!pending || !isNamelessCreate(pending.command)) continue;
      const { projectId } = placeOfCommand(pending.command);
      const operations = (await readRecordsIfTold(client, projectId)) ?? [];
      const ids = listUnexplainedRecordIds(operations, pending, (id) => known.has(id));
      if (ids.length > 0) this.#recorded.set(address, ids);
    }
    if (this.#seen && this.#recorded.size > 0) this.#resolve(this.#seen.live);
  }

  /** Result of the search. `isCreateLookupOver`: every create was looked for long enough. */
  end(
    absent: readonly AbandonedCreate[],
    { isOver }: { readonly isOver: boolean },
  ): AwaitedPendingCreates {
    if (!this.#seen) throw new InternalError('the account was not read');
    const { live } = this.#seen;
    const resolved = isOver ? this.#resolvePending(live, { isFinal: true }) : this.#seen.resolved;
    const failed = this.#answers.failed.map((pending) => ({ pending, isSupported: true }));
    const given = new Set(absent.map(({ pending }) => pending.address));
    const open = resolved.missing.filter(
      (one) => !given.has(one.address) && !isCreateUselessWithoutAnswer(one),
    );
    const describe = (one: PendingCreate): Finding =>
      isOver ? describeUnseenCreate(one, this.#traces.sightedOf(one)) : noteUnsettledCreate(one);
    return {
      ...resolved,
      live,
      absent: [...absent, ...failed],
      findings: [...resolved.findings, ...open.map(describe)],
    };
  }

  #resolve(live: LiveSnapshot): void {
    const ids = new Set([...live.projects, ...live.resources].map(({ id }) => id));
    const hidden = this.#traces.read.filter(({ id }) => !ids.has(id));
    const whole = hidden.length === 0 ? live : addShownResources(live, hidden);
    const resolved = this.#resolvePending(whole, {});
    this.#seen = { live: whole, resolved };
    this.#traces.note(resolved.sighted);
  }

  #resolvePending(live: LiveSnapshot, more: PendingResolveOptions): ResolvedPendingCreates {
    const { options, client } = this.#request;
    const isClockUnknown = !client.clocks.areKnown;
    return resolvePendingCreates(this.#answers.state, live, {
      ...options,
      ...more,
      recorded: this.#recorded,
      unnamed: this.#answers.unnamed,
      isClockUnknown,
    });
  }

  /** Tells whether a pending create has left nothing, so that it may be sent again. */
  #isGone(pending: PendingCreate, hasTrace: boolean): boolean {
    const isAccepted = pending.acceptedAt !== undefined && !this.#isPlaceGone(pending);
    return classifyUnseenCreate({ isAccepted, alike: [], rivals: [], hasTrace }) === 'gone';
  }

  /** Tells whether the create's project or public IP is gone: what the service accepted is gone with it. */
  #isPlaceGone({ command }: PendingCreate): boolean {
    const { projectId, publicIpId = projectId } = placeOfCommand(command);
    const { live } = this.#seen ?? {};
    return (
      live !== undefined &&
      listUnfoundResources(this.#request.state, live).some(({ id }) => id === publicIpId)
    );
  }

  /** Ids of all resources in the state or in the newest snapshot of the account: the pending create made none of them. */
  #listKnown(): ReadonlySet<string> {
    const { resources } = this.#request.state;
    const { live } = this.#seen ?? {};
    const all = [...resources.values(), ...(live?.projects ?? []), ...(live?.resources ?? [])];
    return new Set(all.map(({ id }) => id));
  }

  /**
   * Time since a request for it may last have been sent: by the silence of the run that held the lock, or by the service's own
   * time at its acceptance, or at the end of the run.
   */
  #ageOf({ acceptedServiceAt, lastServiceAt }: PendingCreate): number {
    const { silentForMs = 0, client } = this.#request;
    const serviceNow = client.serviceTime();
    const since = acceptedServiceAt ?? lastServiceAt;
    if (serviceNow === undefined || since === undefined) return silentForMs;
    // Time that passed during this search is counted by `elapsedMs`.
    return Math.max(silentForMs, serviceNow - since - this.#time.elapsedMs);
  }

  /** @returns projects in which operation records were found. */
  async #followTraces(): Promise<ReadonlySet<string>> {
    const recorded = await this.#traces.follow(this.missing, this.#listKnown());
    if (this.#seen) this.#resolve(this.#seen.live);
    return recorded;
  }
}

/**
 * Resources in the lists in which missing creates would show, each list read once: a look at the whole account would cost a
 * request for every address in it. @throws ApiError
 */
async function listMissingCreates(
  client: Pick<ServiceClient, 'list'>,
  missing: readonly PendingCreate[],
): Promise<readonly LiveResource[]> {
  const places = new Map(
    missing.map(({ command }) => {
      const { kind } = commandSubjects[command.kind];
      const place = placeOfCommand(command);
      return [JSON.stringify([kind, place]), { kind, place }];
    }),
  );
  const lists = await Promise.all(
    [...places.values()].map(async ({ kind, place }): Promise<readonly LiveResource[]> => {
      try {
        return await client.list(kind, place);
      } catch (error) {
        // The project of the list may be gone by now: the next look at the whole account says so.
        if (isNotFound(error)) return [];
        throw error;
      }
    }),
  );
  return lists.flat();
}

/** The account with newly listed resources, in place of their earlier records. */
function addShownResources(live: LiveSnapshot, shown: readonly LiveResource[]): LiveSnapshot {
  const ids = new Set(shown.map(({ id }) => id));
  const isOther = ({ id }: LiveResource) => !ids.has(id);
  const projects = shown.filter((one) => one.kind === projectKind);
  return {
    ...live,
    projects: [...live.projects.filter(isOther), ...projects],
    resources: [...live.resources.filter(isOther), ...shown.filter(({ kind }) => !isProject(kind))],
  };
}
