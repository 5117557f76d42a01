// What a saved plan says, by the program itself: the page that people read, the counts, the quotas, and how it differs from the
// plan before it.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlanCounts } from '../store/overview.ts';
import type { Comparison, QuotaUse } from '../store/run-reports.ts';
import type { Attempt } from './attempt.ts';
import { RunFault } from './run-fault.ts';
import type { Outcome, PlannedChange } from './run.ts';

/** What is read of a plan. */
export interface ReadPlan {
  readonly changes: readonly PlannedChange[];
  readonly counts: PlanCounts;
  readonly quotas: readonly QuotaUse[];
}

/** A plan as JSON, as far as it is read here. */
interface PlanJson {
  readonly hostwright: {
    readonly actions: Readonly<Record<string, string>>;
    readonly summary: PlanCounts;
    readonly quotas: readonly QuotaUse[];
  };
  /** What was changed or deleted outside. */
  readonly resource_drift: readonly DriftJson[];
}

interface DriftJson {
  readonly address: string;
  readonly change: { readonly actions: readonly string[]; readonly after: unknown };
}

/** Reads a saved plan. @throws RunFault where it cannot be read */
export async function readPlan(attempt: Attempt, file: string): Promise<ReadPlan> {
  const { actions, summary, quotas } = (JSON.parse(await show(attempt, file, 'json')) as PlanJson)
    .hostwright;
  return {
    changes: Object.entries(actions)
      .filter(([, action]) => action !== 'no-op')
      .map(([address, action]) => ({ address, action })),
    counts: summary,
    quotas: quotas.map(({ name, limit, used, after }) => ({ name, limit, used, after })),
  };
}

/** Keeps the report of a saved plan. @throws RunFault where it cannot be made */
export async function reportPlan(
  attempt: Attempt,
  file: string,
  { counts, quotas }: ReadPlan,
): Promise<void> {
  const { run, store } = attempt;
  const page = await show(attempt, file, 'html');
  const comparison = await compareWithLast(attempt, file);
  await store.reports.keep(run.id, { page, counts, quotas, comparison });
}

/** Keeps the report of a drift check that found drift. @throws RunFault where it cannot be made */
export async function reportDrift(
  attempt: Attempt,
  file: string,
): Promise<Pick<Outcome, 'changes' | 'driftFingerprint'>> {
  const { run, store } = attempt;
  const plan = JSON.parse(await show(attempt, file, 'json')) as PlanJson;
  const page = await show(attempt, file, 'html');
  const { summary: counts } = plan.hostwright;
  await store.reports.keep(run.id, { page, counts, quotas: [], comparison: undefined });
  return describeDrift(plan.resource_drift);
}

/** What differs, and a fingerprint of it: by what it is now, so that the same change made again has the same one. */
export function describeDrift(
  drift: readonly DriftJson[],
): Required<Pick<Outcome, 'changes' | 'driftFingerprint'>> {
  const sorted = drift.toSorted((left, right) => (left.address < right.address ? -1 : 1));
  const parts = sorted.map(({ address, change }) => [address, change.actions, change.after]);
  return {
    changes: sorted.map(({ address, change }) => ({ address, action: change.actions.join(' ') })),
    driftFingerprint: createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
  };
}

/** What the last plan of the workspace, by an older run, would have done otherwise. */
async function compareWithLast(attempt: Attempt, file: string): Promise<Comparison | undefined> {
  const { run, store, checkout } = attempt;
  const last = await store.runs.findLastPlan(run.workspaceId, run.number);
  if (last?.planFile === undefined) return undefined;
  const other = join(checkout.scratch, 'last-plan.hostwright');
  await writeFile(other, await store.blobs.read(last.planFile), { mode: 0o600 });
  const { code, text } = await attempt.readProgram(['show', file, '--compare', other, '--json']);
  // The last plan may be one that this version does not read, or that another passphrase encrypts.
  if (code !== 0) return undefined;
  const { differences } = JSON.parse(text) as { readonly differences: readonly string[] };
  return { with: last.id, differences };
}

/** The plan as a comment on a pull request. @throws RunFault where it cannot be read */
export function renderComment(attempt: Attempt, file: string): Promise<string> {
  return show(attempt, file, 'markdown');
}

async function show(
  attempt: Attempt,
  file: string,
  format: 'json' | 'html' | 'markdown',
): Promise<string> {
  const { code, text } = await attempt.readProgram(['show', file, '--format', format]);
  if (code !== 0) throw new RunFault('The saved plan cannot be read.');
  return text;
}
