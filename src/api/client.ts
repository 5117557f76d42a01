// The client: everything the engine asks of the service, in the engine's own terms. Paths, paging, retries and the
// service's odd answers are known in this folder and nowhere else; the wire fields of a kind are in the kind's own folder. It must never decide what to change,
// never wait for an operation to end, never send a changing request twice unless the first was certainly not carried
// out, and never let the access token into an error.
import type { ResolvedCommand } from '../model/account/command.ts';
import type { LiveRecordOfKind, LiveResource } from '../model/account/live.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import type { MissingServiceOperation } from '../model/account/service-gaps.ts';
import type { RequestTimeouts } from '../model/account/service.ts';
import type { SharedRequestBudget } from '../model/account/shared-budget.ts';
import type { HttpExchange } from '../model/http.ts';
import { projectKind } from '../model/kind-table.ts';
import type { Clock } from '../model/runtime.ts';
import { lostCreateSearchBounds } from '../model/state/evidence.ts';
import { untranslatedServiceDialect, type ServiceDialect } from './binding/dialect.ts';
import type { ResourceKindCodecs } from './contract/codec.ts';
import type { OperationId } from './contract/routes.ts';
import type { WireRequest } from './contract/types.ts';
import { CatalogEntryIdResolver } from './entry-ids.ts';
import { createServiceReader, type ListOptions, type ServiceReader } from './reader.ts';
import { type CommandAcceptance, sendCommand } from './send.ts';
import { ServiceClocks } from './service-clocks.ts';
import { ResourceSummaryCompleter } from './summaries.ts';
import type { RequestAttemptEvent } from './transport/attempt.ts';
import { createServiceCaller } from './transport/call.ts';
import type { ServiceCallOptions } from './wire/caller.ts';
import { encodeCommand } from './wire/encode.ts';
import type { ServiceAnswer } from './wire/read-answer.ts';

/** Parts that a client is made of: address, token, transport, clock and limits. */
export interface ServiceClientOptions {
  /** Base address of the service as `parseBaseUrl` returns it: it ends in `/v1`. */
  readonly baseUrl: string;
  /** Access token as `resolveToken` returns it: without `Bearer `. */
  readonly token: string;
  /** Codec of each kind, which encodes its commands and decodes its records. */
  readonly kinds: ResourceKindCodecs;
  readonly exchange: HttpExchange;
  readonly clock: Clock;
  /** Draws a random number in [0, 1) for the jitter of retries; tests give their own. */
  readonly random: () => number;
  /** The service's spelling of the contract; the contract's own unless given. */
  readonly dialect?: ServiceDialect | undefined;
  /** The most requests under way at once, reads and writes together. */
  readonly maxConcurrency: number;
  /** Most requests that may start in a second; no limit unless given. */
  readonly requestsPerSecond?: number | undefined;
  /** Budget of requests that is shared with other processes; absent when this process has its own alone. */
  readonly sharedBudget?: SharedRequestBudget | undefined;
  /** Longest wait for the headers of an answer: 10 s for a read, 60 s for a change unless given. */
  readonly timeouts?: Partial<RequestTimeouts> | undefined;
  /** Told of every attempt once it has ended; for logs and counts. */
  readonly onRequest?: (event: RequestAttemptEvent) => void;
  /**
   * Called right before each attempt of a request that changes something goes out, when all waiting for it is over.
   * Where it throws, nothing is sent, and the call ends with that error.
   */
  readonly beforeChange?: (() => void | Promise<void>) | undefined;
}

/**
 * The service. Every method may throw an ApiError (errors.ts), after the retries that are safe; an aborted one throws
 * the signal's reason.
 */
export interface ServiceClient extends ServiceReader {
  readonly baseUrl: string;

  /**
   * The time of day at the service, as its newest answer told it: in whole seconds, as milliseconds since the Unix epoch.
   * It is later there by now. Undefined while no answer has told it.
   */
  serviceTime(): number | undefined;

  /**
   * The latest time that any answer of the last minute gave: the newest may come from a cache, which kept its time with it.
   * Not of all answers, since a clock may be set back.
   */
  latestServiceTime(): number | undefined;

  /**
   * Tells whether a list was written well before the newest answer that was known when it was asked for: then a cache gave it,
   * and what it does not show may exist.
   */
  isFromPast(listed: readonly LiveResource[]): boolean;

  /**
   * Learned differences between the clocks of the service. By them the client converts the times in records to the clock of the
   * `Date` header.
   */
  readonly clocks: ServiceClocks;

  /** Ids of the resources that the operation records read so far were about. */
  readonly recordedIds: OperationRecordResourceIds;

  /** The translation of requests and answers between the contract and this service. */
  readonly dialect: ServiceDialect;

  /** Operations of the contract that the service lacks. */
  readonly gaps: readonly MissingServiceOperation[];

  /** Members of records that the service does not have, such as `vm.imageId`. */
  readonly lackedMembers: readonly string[];

  /** Sends a request for any operation of the contract and returns the answer undecoded. */
  call<Op extends OperationId>(
    request: WireRequest<Op>,
    options?: ServiceCallOptions,
  ): Promise<ServiceAnswer>;

  /** Lists every project of the account. */
  listProjects(options?: ListOptions): Promise<readonly LiveRecordOfKind<typeof projectKind>[]>;

  /**
   * Waits until a change may be sent, as far as the service asked to wait: before what is to be read for it alone.
   * @throws NotSentError when its time would be over first, or at an interrupt
   */
  awaitHold(command: ResolvedCommand, options: ServiceCallOptions): Promise<void>;

  /** Asks for a change. That it was accepted does not mean that it has come true. */
  send(command: ResolvedCommand, options?: ServiceCallOptions): Promise<CommandAcceptance>;

  /** True while requests queue, or the service or the user wants fewer of them: looks must become rarer then. */
  isHeldBack(): boolean;

  /** Ends all waiting for an attempt, and sends nothing more. What is under way ends with its network. */
  close(): void;
}

/** For how long an answer counts as a recent one, in milliseconds by our clock. */
const latestForMs = 60_000;

/** A client of one account. It sends nothing until it is asked. */
export function createServiceClient({ kinds, ...options }: ServiceClientOptions): ServiceClient {
  const { baseUrl, dialect = untranslatedServiceDialect } = options;
  let serviceTime: number | undefined;
  let latest: { readonly time: number; readonly at: number } | undefined;
  const onServiceTime = (time: number) => {
    serviceTime = time;
    const at = options.clock.now();
    if (!latest || time >= latest.time || at - latest.at > latestForMs) latest = { time, at };
  };
  const { call, awaitHold, isHeldBack, close } = createServiceCaller({ ...options, onServiceTime });
  const recordedIds = new OperationRecordResourceIds();
  const clocks = new ServiceClocks();
  const entryIds = new CatalogEntryIdResolver();
  const reader = createServiceReader({ call, dialect }, kinds, { clocks, entryIds });
  const fromPast = new WeakSet<readonly LiveResource[]>();
  const summaries = new ResourceSummaryCompleter();
  const list: ServiceReader['list'] = async (kind, place, options) => {
    const knownTime = latest?.time ?? Number.NEGATIVE_INFINITY;
    const listed = await reader.list(kind, place, options);
    const servedAt = reader.servedAt(listed) ?? knownTime;
    const whole = await summaries.complete({
      listed,
      needsWhole: options?.needsWhole ?? (() => true),
      get: (id) => reader.get(kind, place, id, options),
    });
    if (servedAt < knownTime - lostCreateSearchBounds.clockSkewMs) fromPast.add(whole);
    return whole;
  };
  return {
    baseUrl,
    serviceTime: () => serviceTime,
    latestServiceTime: () => latest?.time,
    isFromPast: (listed) => fromPast.has(listed),
    clocks,
    recordedIds,
    call,
    dialect,
    gaps: dialect.listGaps(),
    lackedMembers: dialect.listLackedMembers(),
    ...reader,
    list,
    listOperations: async (projectId, filter, options) => {
      const operations = await reader.listOperations(projectId, filter, options);
      recordedIds.note(operations);
      return operations;
    },
    listProjects: (options) => list(projectKind, { projectId: '' }, options),
    awaitHold: (command, options) => awaitHold(encodeCommand(kinds, command), options),
    async send(command, options) {
      const accepted = await sendCommand(call, kinds, command, options);
      if (accepted.kind !== 'done' || !accepted.resource) return accepted;
      const { wire: codec } = kinds[accepted.resource.kind];
      const members = 'parts' in codec ? undefined : codec.entries;
      const resource = await entryIds.unify(accepted.resource, members);
      return { ...accepted, resource: clocks.readResource(resource) };
    },
    isHeldBack,
    close,
  };
}

/** Ids of the resources that operation records have named so far. Such a resource may exist although no list shows it yet. */
export class OperationRecordResourceIds {
  /** The newest type of record, by the id of its resource. */
  readonly #types = new Map<string, string>();

  /** Adds the resources of operation records, which come newest first. */
  note(operations: readonly Pick<LiveOperation, 'resourceId' | 'type'>[]): void {
    for (const { resourceId, type } of operations.toReversed()) {
      if (resourceId !== null) this.#types.set(resourceId, type);
    }
  }

  /**
   * Ids of resources with operation records that the caller does not know, by id and the type of the newest record.
   * Known ones are not asked about again: an apply asks before each create.
   */
  findUnknown(isKnown: (id: string, newestType: string) => boolean): readonly string[] {
    for (const [id, type] of this.#types) if (isKnown(id, type)) this.#types.delete(id);
    return [...this.#types.keys()];
  }
}
