// The gate before an instance of a module: the checks of the configuration must hold, and a time passes without a request.
import { compareResourceAddresses, type ResourceAddress } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { ModuleInstanceGate } from '../../model/plan/gate.ts';
import type { ChangeResult } from '../../model/plan/result.ts';
import type { Task } from '../../model/plan/task.ts';
import type { State } from '../../model/state/state.ts';
import { ChangeFailure, TaskInterruptedError } from '../context/failure.ts';
import { readLiveAttributes } from '../context/managed.ts';
import type { RunContext } from '../context/run-context.ts';
import { convertErrorToChangeResult } from './explain-end.ts';

/** Waits until a gate may be passed. Never throws for what the service or the network did. */
export async function awaitModuleInstanceGate(
  context: RunContext,
  task: Task & { readonly gate: ModuleInstanceGate },
): Promise<ChangeResult> {
  try {
    await context.stepAside(() => waitAtGate(context, task));
    return { kind: 'applied', id: null };
  } catch (error) {
    return convertErrorToChangeResult(context, { task, hasBegun: false }, error);
  }
}

/** Judges the checks at once, so that nobody waits in vain, and once more after the wait. */
async function waitAtGate(
  context: RunContext,
  { address, gate }: Task & { readonly gate: ModuleInstanceGate },
): Promise<void> {
  const { clock, interrupted, emit } = context;
  if (gate.needsChecks) await requireChecks(context, address, gate);
  if (gate.waitMs === 0) return;
  const until = clock.now() + gate.waitMs;
  const status = `until ${new Date(until).toISOString().slice(11, 19)} UTC`;
  emit({ kind: 'progress', address, step: 'wait', status, at: clock.now() });
  await pause(context, gate.waitMs);
  if (interrupted.aborted || context.store.failure) throw new TaskInterruptedError(false);
  if (gate.needsChecks) await requireChecks(context, address, gate);
}

/** Time for which a check that does not hold is judged again: answers of the service may lag behind what was just changed. */
const lookAgain = { forMs: 30_000, everyMs: 5_000 };

/** @throws ChangeFailure where a check does not hold in the account as it is now, ApiError, TaskInterruptedError */
async function requireChecks(
  context: RunContext,
  address: ResourceAddress,
  { ahead }: ModuleInstanceGate,
): Promise<void> {
  const { clock, interrupted, store } = context;
  const { reads, findUnmet } = context.openChecks(ahead);
  const since = clock.now();
  for (;;) {
    const { state, gone } = await readNow(context, reads);
    const [first, ...others] = [...gone.map(describeGone), ...findUnmet(state)];
    if (!first) return;
    if (clock.now() - since >= lookAgain.forMs) {
      const more = others.map(({ summary }) => `${summary}.`);
      throw new ChangeFailure({
        severity: 'error',
        code: 'rollout-held',
        summary: `It does not begin: ${first.summary}`,
        detail: [first.detail ?? '', ...more].join(' ').trim(),
        hint: 'Correct what the check reads and apply again, or apply this instance alone with --target.',
        address,
        ...(first.source && { source: first.source }),
      });
    }
    await pause(context, lookAgain.everyMs);
    if (interrupted.aborted || store.failure) throw new TaskInterruptedError(false);
  }
}

function describeGone(address: ResourceAddress): Pick<Finding, 'summary' | 'detail' | 'source'> {
  const detail = 'A check of the configuration reads it.';
  return { summary: `${address} is not in the account any more`, detail };
}

async function pause({ clock, interrupted }: RunContext, ms: number): Promise<void> {
  await clock.sleep(ms, interrupted).catch((error: unknown) => {
    if (!interrupted.aborted) throw error;
  });
}

/** The state with these resources as the account has them now, and those that are gone from it. */
async function readNow(
  context: RunContext,
  addresses: ReadonlySet<ResourceAddress>,
): Promise<{ readonly state: State; readonly gone: readonly ResourceAddress[] }> {
  const { state } = context.store;
  const resources = new Map(state.resources);
  const gone: ResourceAddress[] = [];
  await Promise.all(
    [...addresses].map(async (address) => {
      const managed = resources.get(address);
      const change = context.planned.changes.get(address);
      if (!managed || !change) return;
      const { kind, id, projectId, publicIpId } = managed;
      const place = { projectId, ...(publicIpId !== undefined && { publicIpId }) };
      const live = await context.batchedRead.read(kind, place, id);
      if (!live) gone.push(address);
      else {
        const read = readLiveAttributes(context, change, live);
        resources.set(address, { ...managed, attributes: { ...managed.attributes, ...read } });
      }
    }),
  );
  return { state: { ...state, resources }, gone: gone.sort(compareResourceAddresses) };
}
