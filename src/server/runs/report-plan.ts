// What a saved plan says, by the program itself: the page that people read, the counts, the quotas, and how it differs from the
// plan before it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectKind } from '../../model/kind-table.ts';
import type { PlanCounts } from '../store/overview.ts';
import type { Comparison, QuotaUse } from '../store/run-reports.ts';
import type { Attempt } from './attempt.ts';
import { RunFault } from './run-fault.ts';
import type { PlannedChange } from './run.ts';

const projectType = `hostwright_${projectKind}`;

/** What is read of a plan. */
export interface ReadPlan {
  readonly changes: readonly PlannedChange[];
  readonly counts: PlanCounts;
  readonly quotas: readonly QuotaUse[];
  /** The names of the projects that the state has, and of those that it has once the plan is applied. */
  readonly projects: { readonly before: readonly string[]; readonly after: readonly string[] };
}

interface Named {
  readonly name?: unknown;
}

/** A plan as JSON, as far as it is read here. */
interface PlanJson {
  readonly resource_changes: readonly {
    readonly type: string;
    readonly change: { readonly before: Named | null; readonly after: Named | null };
  }[];
  readonly hostwright: {
    readonly actions: Readonly<Record<string, string>>;
    readonly summary: PlanCounts;
    readonly quotas: readonly QuotaUse[];
  };
}

/** Reads a saved plan. @throws RunFault where it cannot be read */
export async function readPlan(attempt: Attempt, file: string): Promise<ReadPlan> {
  const plan = JSON.parse(await show(attempt, file, 'json')) as PlanJson;
  const { actions, summary, quotas } = plan.hostwright;
  const projects = plan.resource_changes.filter(({ type }) => type === projectType);
  return {
    changes: Object.entries(actions)
      .filter(([, action]) => action !== 'no-op')
      .map(([address, action]) => ({ address, action })),
    counts: summary,
    quotas: quotas.map(({ name, limit, used, after }) => ({ name, limit, used, after })),
    projects: {
      before: listNames(projects.map(({ change }) => change.before)),
      after: listNames(projects.map(({ change }) => change.after)),
    },
  };
}

function listNames(resources: readonly (Named | null)[]): readonly string[] {
  return resources.flatMap((one) => (typeof one?.name === 'string' ? [one.name] : []));
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
