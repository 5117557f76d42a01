// The parts that all commands of a process share, of a plan's changes and of day-two commands: one way to send a command, to
// wait for it and to classify its end.
import type { ServiceClient } from '../../api/client.ts';
import type { ServiceCallOptions } from '../../api/wire/caller.ts';
import type { ResolvedCommand } from '../../model/account/command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { ChangeLock } from '../../model/plan/result.ts';
import type { Clock } from '../../model/runtime.ts';
import type { State } from '../../model/state/state.ts';
import type { CollectionLister } from '../observe/collection-looks.ts';
import { createResourceObserver, type ResourceObserver } from '../observe/observer.ts';
import { OperationRecordMatcher } from '../observe/operation-log.ts';
import type { ToleratedLateness, ObservationReader } from '../observe/watch.ts';
import { DurationLog } from '../pace/durations.ts';

/** Clients, clocks and records with which a command is sent and awaited. */
export interface CommandRunContext {
  readonly client: ServiceClient;
  readonly clock: Clock;
  /** Aborted when no new command may be sent, as after Ctrl+C. */
  readonly interrupted: AbortSignal;
  readonly observer: ResourceObserver;
  readonly operations: OperationRecordMatcher;
  readonly durations: DurationLog;
  readonly holders: LockHolders;
  /** Addresses by live id, kept up to date while the run goes on. */
  readonly addresses: Map<string, ResourceAddress>;
  /**
   * Runs a wait during which the service does no work for this change, and lends the change's slot to other changes meanwhile.
   */
  readonly stepAside: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** The progress of one command; `status` in the service's words. */
export type CommandProgress =
  | { readonly kind: 'locked'; readonly status: string; readonly lock: ChangeLock | undefined }
  | { readonly kind: 'unlocked' }
  /** The request was sent, and nothing shows yet that the service has taken it. */
  | { readonly kind: 'sent'; readonly status: string }
  | { readonly kind: 'running'; readonly status: string };

/** A command that is being carried out. */
export interface CommandJob extends ToleratedLateness {
  readonly change: { readonly address: ResourceAddress };
  readonly command: ResolvedCommand;
  /** The live resource before the command; undefined where it is not known. */
  readonly before?: LiveResource | undefined;
  /** Time until which the command must end, in milliseconds since the Unix epoch. */
  readonly deadline: number;
  readonly report: (progress: CommandProgress) => void;
  /**
   * Reads once more what the command destroys, to compare it with the plan. Called before each request but the first, for which
   * the caller has looked itself. Absent where nothing is lost. @throws where the request must not be sent
   */
  readonly lookAgain?: () => Promise<unknown>;
  /** Reads the operation record even where the resource itself shows how the command ended. */
  readonly wantsRecord?: boolean;
  /** Asked at each look: true ends the wait. `isUnderWay`: the service is known to have accepted the command. */
  readonly isLeft?: (isUnderWay: boolean) => boolean;
}

/** Shares lists that waiting commands read with the rest of the run. */
interface WaitedLists extends Pick<CollectionLister, 'note'> {
  /** Tells whether a resource may come from a create, so that all of its fields must be read. */
  readonly isNew: (live: LiveResource) => boolean;
}

/** A context of its own, made anew for each run. `random` spreads the looks of several runs. */
export function createCommandContext(
  {
    client,
    clock,
    random,
    interrupted,
  }: Pick<CommandRunContext, 'client' | 'clock' | 'interrupted'> & {
    readonly random: () => number;
  },
  state: Pick<State, 'resources' | 'durations' | 'readyTimes' | 'slowestAppearanceMs'>,
  lists?: WaitedLists,
): CommandRunContext {
  // Reads that only prepare a request end with it at an interrupt.
  const beforeSending: ServiceCallOptions = { signal: interrupted, isLeftToEnd: true };
  const operations = new OperationRecordMatcher(client, beforeSending);
  const reader: ObservationReader = {
    async list(kind, place, { needsWhole = () => true, ...options } = {}) {
      const listed = await client.list(kind, place, {
        ...options,
        needsWhole: (live) => needsWhole(live) || lists?.isNew(live) === true,
      });
      lists?.note(kind, place, listed);
      return listed;
    },
    isFromPast: (listed) => client.isFromPast(listed),
    isHeldBack: () => client.isHeldBack(),
    get: (kind, place, id, options) => client.get(kind, place, id, options),
    // Operation records that a look has read count as known to the requests after it.
    listOperations: (projectId, filter, options) =>
      operations.listOperations(projectId, filter, options),
  };
  const observer = createResourceObserver(reader, clock, random);
  return {
    client,
    clock,
    interrupted,
    operations,
    observer,
    durations: new DurationLog(state, () => observer.reconsider()),
    holders: createResourceLockHolders(),
    addresses: new Map([...state.resources.values()].map(({ id, address }) => [id, address])),
    stepAside: (wait) => wait(),
  };
}

/** Which change of a run keeps a resource busy, by the resource's id. */
interface LockHolders {
  /** The service accepted a request of the change in which these take part. */
  hold(ids: readonly string[], address: ResourceAddress): void;
  /** Ends the hold of a change on these resources: its command is over. */
  release(ids: readonly string[], address: ResourceAddress): void;
  /** The change that keeps it busy; undefined when none of this run does. */
  find(id: string): ResourceAddress | undefined;
}

/** The holders of one run. */
export function createResourceLockHolders(): LockHolders {
  const holders = new Map<string, ResourceAddress>();
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
