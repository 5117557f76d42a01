// What each operation is, in calls of the program. The state, the journal and the plan are those of the command line.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attempt } from './attempt.ts';
import { listExcess } from './compare-changes.ts';
import { RunFault } from './run-fault.ts';
import type { Outcome, PlannedChange } from './run.ts';

/** Exit codes of the program: see the help. */
const changesFound = 2;
const interrupted = 130;

/** Does the work of a run. @throws RunFault where it cannot be begun */
export function doOperation(attempt: Attempt): Promise<Outcome> {
  switch (attempt.run.operation) {
    case 'plan':
      return plan(attempt);
    case 'apply':
      return apply(attempt);
    case 'destroy':
      return conclude(attempt, ['destroy', '--auto-approve']);
    case 'drift':
      return conclude(attempt, ['plan', '--refresh-only', '--detailed-exitcode']);
  }
}

async function plan(attempt: Attempt): Promise<Outcome> {
  const file = join(attempt.checkout.scratch, 'plan.hostwright');
  const outcome = await conclude(attempt, ['plan', '--out', file, '--detailed-exitcode']);
  if (outcome.status !== 'succeeded') return outcome;
  return {
    ...outcome,
    changes: await readChanges(attempt, file),
    planFile: await attempt.store.blobs.add(await readFile(file)),
  };
}

/**
 * Applies the saved plan. Where an attempt before may have done a part of it, the saved plan is stale by that very part: then
 * what is left is planned again, and applied where the approved plan has all of it.
 */
async function apply(attempt: Attempt): Promise<Outcome> {
  const { run, store, checkout } = attempt;
  const planned = run.planRun === undefined ? undefined : await store.runs.find(run.planRun);
  if (planned?.planFile === undefined)
    throw new RunFault('The run that was planned has no saved plan.');
  const file = join(checkout.scratch, 'plan.hostwright');
  const isBegun = run.child !== null;
  if (!isBegun) {
    await writeFile(file, await store.blobs.read(planned.planFile), { mode: 0o600 });
    return conclude(attempt, ['apply', file]);
  }
  const code = await attempt.runProgram(['plan', '--out', file]);
  if (code !== 0) return { status: attempt.isCancelled ? 'cancelled' : 'failed' };
  const excess = listExcess(planned.changes ?? [], await readChanges(attempt, file));
  if (excess.length > 0) {
    throw new RunFault(
      `Saved plan is stale: what is left to do differs from it. ${excess.join('. ')}.`,
    );
  }
  return conclude(attempt, ['apply', file]);
}

/** Runs the program once, and says how the run ends by its exit code. */
async function conclude(attempt: Attempt, args: readonly string[]): Promise<Outcome> {
  const code = await attempt.runProgram(args);
  if (code === 0) return { status: 'succeeded', hasChanges: false };
  if (code === changesFound) return { status: 'succeeded', hasChanges: true };
  const isCancelled = code === interrupted || code === undefined;
  return { status: attempt.isCancelled && isCancelled ? 'cancelled' : 'failed' };
}

/** What a saved plan changes, by the program itself. */
async function readChanges(attempt: Attempt, file: string): Promise<readonly PlannedChange[]> {
  const { code, text } = await attempt.readProgram(['show', file, '--format', 'json']);
  if (code !== 0) throw new RunFault('The saved plan cannot be read.');
  const { hostwright } = JSON.parse(text) as {
    hostwright: { actions: Readonly<Record<string, string>> };
  };
  return Object.entries(hostwright.actions)
    .filter(([, action]) => action !== 'no-op')
    .map(([address, action]) => ({ address, action }));
}
