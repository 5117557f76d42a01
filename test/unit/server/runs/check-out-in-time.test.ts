// When the checkout of a run ends early, and what becomes of one that comes all the same.
import { expect, it } from 'vitest';
import {
  checkOutRunCommit,
  RunCancelledError,
  type CheckoutDependencies,
} from '../../../../src/server/runs/check-out-in-time.ts';
import { RunFault } from '../../../../src/server/errors/run-fault.ts';
import { RunPostponedError } from '../../../../src/server/runs/run-postponed.ts';
import { SlowCheckoutLimiter } from '../../../../src/server/sources/host-places.ts';
import type { RunCheckout } from '../../../../src/server/sources/open-checkout.ts';
import type { StoredRun } from '../../../../src/server/store/run.ts';
import type { Workspace } from '../../../../src/server/store/workspaces.ts';

const run = { id: 'r', attempt: 1, commit: 'c' };

/** Checks out from a host that does not answer. */
function open(
  {
    cancels = 0,
    attempt = 1,
    ...given
  }: Partial<CheckoutDependencies> & Partial<Pick<StoredRun, 'cancels' | 'attempt'>>,
  host = 'git.test',
) {
  const signals: AbortSignal[] = [];
  const means: CheckoutDependencies = {
    store: { runs: { find: () => Promise.resolve({ ...run, cancels, attempt } as StoredRun) } },
    openCheckout: (_workspace, _commit, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
    places: new SlowCheckoutLimiter(60_000),
    lost: new AbortController().signal,
    maxMs: 5_000,
    ...given,
  };
  const workspace = { repository: `https://${host}/a/b.git` } as Workspace;
  return { signals, checkout: checkOutRunCommit(means, run, workspace) };
}

it.each([
  ['is cancelled', { cancels: 1 }, RunCancelledError],
  ['has a later attempt', { attempt: 2 }, RunCancelledError],
  ['has a worker that is gone', { lost: AbortSignal.timeout(1) }, RunCancelledError],
  ['takes longer than it may', { maxMs: 1 }, RunFault],
] as const)('ends with git where the run %s', async (_name, means, error) => {
  const { signals, checkout } = open(means);
  await expect(checkout).rejects.toBeInstanceOf(error);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it('leaves places to other hosts where two of a host are slow, and takes them when those have ended', async () => {
  const places = new SlowCheckoutLimiter(1);
  const cancelling = [new AbortController(), new AbortController()];
  const slow = cancelling.map(({ signal }) => open({ places, lost: signal }).checkout);
  const ended = slow.map((one) => expect(one).rejects.toBeInstanceOf(RunCancelledError));
  await expect(open({ places }).checkout).rejects.toBeInstanceOf(RunPostponedError);
  expect(places.isFull('git.test')).toBe(true);
  const other = new AbortController();
  const free = open({ places, lost: other.signal }, 'other.test');
  expect(free.signals).toHaveLength(1);
  for (const one of [other, ...cancelling]) one.abort();
  await Promise.all(ended);
  await expect(free.checkout).rejects.toBeInstanceOf(RunCancelledError);
  expect(places.isFull('git.test')).toBe(false);
});

it('closes a checkout that comes after the end', async () => {
  let closed: (() => void) | undefined;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  let come: ((checkout: RunCheckout) => void) | undefined;
  const openCheckout = () => new Promise<RunCheckout>((resolve) => (come = resolve));
  await expect(open({ openCheckout, maxMs: 1 }).checkout).rejects.toBeInstanceOf(RunFault);
  const close = () => Promise.resolve(closed?.());
  come?.({ directory: '/', scratch: '/', reads: [], submodules: [], close });
  await isClosed;
});
