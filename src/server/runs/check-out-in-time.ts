// Checkout of a run that ends early: when somebody cancels the run, when its time is over, or when its git host keeps others
// from their places.
import { setTimeout as sleep } from 'node:timers/promises';
import { getAbortReason } from '../../model/errors.ts';
import { formatElapsed } from '../../render/format/elapsed.ts';
import { RunFault } from '../errors/run-fault.ts';
import { nameRepositoryHost, type SlowCheckoutLimiter } from '../sources/host-places.ts';
import type { RunCheckout, OpenRunCheckout } from '../sources/open-checkout.ts';
import type { StoredRun } from '../store/run.ts';
import type { RunStore } from '../store/runs.ts';
import type { Workspace } from '../store/workspaces.ts';
import { RunPostponedError } from './run-postponed.ts';

/** Dependencies that are needed to check out a run's repository. */
export interface CheckoutDependencies {
  readonly store: { readonly runs: Pick<RunStore, 'find'> };
  readonly openCheckout: OpenRunCheckout;
  readonly places: SlowCheckoutLimiter;
  /** Aborted when the other workers consider this one dead. */
  readonly lost: AbortSignal;
  /** Milliseconds that a run may take, its checkout included. */
  readonly maxMs: number;
}

/** Error that ends the checkout of a run which was cancelled, or which another worker continues. */
export class RunCancelledError extends Error {
  override readonly name = 'RunCancelledError';
}

const lookMs = 500;
/** A host that keeps others from their places is tried again after so many milliseconds. */
const pauseMs = 15_000;

/**
 * Checks out the commit of a run, within the run's time limit and until it is cancelled. A slow git host postpones the run.
 * @throws RunFault, RunPostponedError, RunCancelledError
 */
export async function checkOutRunCommit(
  { store, openCheckout, places, lost, maxMs }: CheckoutDependencies,
  run: Pick<StoredRun, 'id' | 'attempt' | 'commit'>,
  workspace: Workspace,
): Promise<RunCheckout> {
  const host = nameRepositoryHost(workspace.repository);
  const postponed = new RunPostponedError('git-host', pauseMs);
  if (places.isFull(host)) throw postponed;
  const ending = new AbortController();
  const ended = new AbortController();
  const end = (reason: Error) => ending.abort(reason);
  const leave = places.begin(host, () => end(postponed));
  const limit = setTimeout(() => end(explainLimit(maxMs)), maxMs);
  const lose = () => end(new RunCancelledError());
  if (lost.aborted) lose();
  lost.addEventListener('abort', lose, { once: true });
  void watchCancels(store.runs, run, lose, ended.signal);
  const opening = openCheckout(workspace, run.commit, ending.signal);
  try {
    return await Promise.race([opening, rejectAtEnd(ending.signal)]);
  } catch (error) {
    // A checkout that completes after the wait for it was given up is removed again.
    opening.then(
      (checkout) => checkout.close(),
      () => undefined,
    );
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    ended.abort();
    clearTimeout(limit);
    lost.removeEventListener('abort', lose);
    leave();
  }
}

/** Writes the log line of a run whose time limit has passed. */
export function explainRunTimeout(maxMs: number): string {
  return `The run took longer than ${formatElapsed(maxMs)}, the limit of --run-timeout, and is ended.`;
}

function explainLimit(maxMs: number): RunFault {
  return new RunFault(`${explainRunTimeout(maxMs)} The git host has not sent the commit.`);
}

function rejectAtEnd(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(getAbortReason(signal));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Ends a checkout when the run is cancelled, or another attempt has begun. The database may be away for a while. */
async function watchCancels(
  runs: Pick<RunStore, 'find'>,
  { id, attempt }: Pick<StoredRun, 'id' | 'attempt'>,
  end: () => void,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    const now = await runs.find(id).catch(() => undefined);
    if (now && (now.cancels > 0 || now.attempt > attempt)) end();
    await sleep(lookMs, undefined, { signal: ended }).catch(() => undefined);
  }
}
