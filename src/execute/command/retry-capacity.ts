import { classifyRefusal } from '../../api/errors/classify-error.ts';
import { describeError } from '../../api/errors/describe-error.ts';
import { ApiError, ServiceError } from '../../api/errors/errors.ts';
import type { CapacityBoundCreate } from '../../kinds/command-facts.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { findCompanionKind } from '../../kinds/relations/brought.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import { describeEachPrice } from '../../model/cost/plan-costs.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import {
  getLiveStatus,
  type CatalogConfiguration,
  type LiveResource,
} from '../../model/account/live.ts';
import { describeVmSizes, listNearestSizes } from '../../model/nearest-sizes.ts';
import { ChangeFailure, TaskInterruptedError } from '../context/failure.ts';
import {
  listRemovalCommands,
  type ChangeCommandJob,
  type RunContext,
} from '../context/run-context.ts';

/** The functions that carry out a command. They are handed in, since they themselves import this file. */
export interface CommandFunctions {
  readonly create: (job: ChangeCommandJob) => Promise<LiveResource>;
  readonly change: (job: ChangeCommandJob) => Promise<unknown>;
}

const firstPauseMs = 5_000;
const longestPauseMs = 120_000;

/**
 * Creates what takes room. Where the cluster has none for it, says which configurations have, or, with `capacityWaitMs`, tries
 * again within that time; what a failed attempt left in the account is removed before the next.
 * @throws ChangeFailure, ApiError
 */
export async function createWithCapacity(
  context: RunContext,
  job: ChangeCommandJob,
  procedure: CapacityBoundCreate,
  means: CommandFunctions,
): Promise<LiveResource> {
  const { clock, capacityWaitMs = 0 } = context;
  const createMs = job.deadline - clock.now();
  let until: number | undefined;
  for (let refusals = 0; ; refusals += 1) {
    try {
      return await means.create({ ...job, deadline: clock.now() + createMs });
    } catch (error) {
      const diagnostic = readCapacityRefusal(error, job);
      // A request of it that was lost may have taken the last room: it is not sent anew.
      const isOpen = context.store.state.pending.has(job.change.address);
      if (!diagnostic || isOpen) throw error;
      until ??= clock.now() + capacityWaitMs;
      const isOver = clock.now() >= until || context.store.failure !== undefined;
      if (isOver || !(await removeRemains(context, job, means))) {
        throw await explainCapacityRefusal(context, job, procedure, { diagnostic, cause: error });
      }
      await pause(context, job, refusals, until);
    }
  }
}

/** Reads a refusal for lack of capacity; undefined for every other failure. */
function readCapacityRefusal(error: unknown, { change }: ChangeCommandJob): Diagnostic | undefined {
  if (error instanceof ChangeFailure) {
    return error.failureCode === 'insufficientCapacity' ? error.diagnostic : undefined;
  }
  if (!(error instanceof ServiceError)) return undefined;
  if (classifyRefusal(error) !== 'insufficientCapacity') return undefined;
  return { ...describeError(error), address: change.address };
}

async function explainCapacityRefusal(
  { client, planned, capacityWaitMs = 0 }: RunContext,
  { change, command }: ChangeCommandJob,
  procedure: CapacityBoundCreate,
  { diagnostic, cause }: { readonly diagnostic: Diagnostic; readonly cause: unknown },
): Promise<ChangeFailure> {
  const catalog = await client.getCatalog().catch((error: unknown) => {
    if (error instanceof ApiError) return planned.live.catalog;
    throw error;
  });
  const sizes = findAvailable(catalog.configurations, procedure.sizeOf(command));
  const tariffId = procedure.tariffOf(command);
  const price = catalog.tariffs.find(({ id }) => id === tariffId)?.price ?? 'unknown';
  const room =
    sizes.length === 0
      ? 'The catalog shows no other configuration of at least this size with room.'
      : `According to the catalog, there is room for: ${describeVmSizes(sizes)}.${describeEachPrice([price])}`;
  const minutes = Math.round(capacityWaitMs / 60_000);
  const waited = capacityWaitMs > 0 ? ` It was tried again for ${minutes} minutes.` : '';
  const wait = `--capacity-wait ${capacityWaitMs > 0 ? '2h' : '30m'}.`;
  return new ChangeFailure(
    {
      ...diagnostic,
      detail: `${diagnostic.detail ?? ''}${waited} ${room}`.trim(),
      // In another size, a VM that is there would lose its disk.
      hint:
        change.action === 'create'
          ? `Choose another configuration, or let apply wait for room: ${wait}`
          : `Let apply wait for room: ${wait}`,
    },
    { cause, failureCode: 'insufficientCapacity' },
  );
}

/** Other configurations that are at least as large and not shown as used up, the nearest first. */
function findAvailable(
  configurations: readonly CatalogConfiguration[],
  wantedId: string,
): readonly CatalogConfiguration[] {
  const wanted = configurations.find(({ id }) => id === wantedId);
  if (!wanted) return [];
  const large = configurations.filter(
    ({ id, cpu, ram, disk }) =>
      id !== wantedId && cpu >= wanted.cpu && ram >= wanted.ram && disk >= wanted.disk,
  );
  return listNearestSizes(large, wanted);
}

/**
 * A create that was accepted and failed later leaves what counts against the quotas, and perhaps what came with it.
 * False when what stands there is none of that, so that another attempt could double it.
 */
async function removeRemains(
  context: RunContext,
  job: ChangeCommandJob,
  means: CommandFunctions,
): Promise<boolean> {
  const { client, clock, store, addresses, planned } = context;
  const { command } = job;
  const { address, kind } = job.change;
  const remains = store.state.resources.get(address);
  // A resource that the plan found already is not left over from this run.
  if (!remains || planned.liveById.has(remains.id)) return true;
  const place = placeOfCommand(command);
  const live = await client.get(kind, place, remains.id);
  if (live && getLiveStatus(live) !== 'failed') return false;
  const brings = findCompanionKind(command);
  const brought = live && brings && kindRegistry[kind].traits.brings?.idOf(live);
  const removals = [
    ...listRemovalCommands(context, kind, place, remains.id),
    ...(brings && brought !== undefined
      ? listRemovalCommands(context, brings, place, brought)
      : []),
  ];
  for (const removal of removals) {
    // By now the time of the first attempt may long be over: each delete has its own.
    await means.change({ ...job, command: removal, deadline: clock.now() + job.deleteMs });
  }
  await store.record({ kind: 'removed', address });
  addresses.delete(remains.id);
  return true;
}

/** Waits longer each time, a random part of it, so that several who wait do not come back at once. */
async function pause(
  { clock, random, interrupted, stepAside }: RunContext,
  { report }: ChangeCommandJob,
  refusals: number,
  until: number,
): Promise<void> {
  const now = clock.now();
  const bound = Math.min(longestPauseMs, firstPauseMs * 2 ** refusals);
  const ms = Math.min(until - now, bound * (0.5 + random() / 2));
  const leftMinutes = Math.ceil((until - now) / 60_000);
  const status = `no room: trying again in ${Math.ceil(ms / 1_000)}s, for ${leftMinutes}m at most`;
  report({ kind: 'running', status });
  try {
    await stepAside(() => clock.sleep(ms, interrupted));
  } catch (error) {
    if (interrupted.aborted) throw new TaskInterruptedError(false);
    throw error;
  }
}
