// Reports of a plan, made by the program itself: the page that people read, the counts, the quotas, and the difference to the
// plan before. The process that makes the plan writes all of it into one file.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { maskSecretsInValue } from '../../model/text/mask-texts.ts';
import { projectKind } from '../../model/kind-table.ts';
import type { Attributes } from '../../model/value.ts';
import type { PlanJson } from '../../render/json/json.ts';
import type { PlanEffectCounts } from '../store/overview.ts';
import type { PolicyApprovals, PlannedQuotaUse } from '../store/run-reports.ts';
import type { RunAttempt } from './attempt.ts';
import { listUnapprovedDifferences, type ApprovedPlanParts } from './compare-changes.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { RunAttemptOutcome, PlannedChange, StoredRun } from '../store/run.ts';

const projectType = `hostwright_${projectKind}`;

/** The part of a plan's JSON that the server reads. */
export interface ReportedPlan {
  readonly changes: readonly PlannedChange[];
  readonly counts: PlanEffectCounts;
  readonly quotas: readonly PlannedQuotaUse[];
  /** Approvals that policies ask for; undefined where none does. */
  readonly approvals: PolicyApprovals | undefined;
  /** Names of the projects in the state before and after the apply of the plan. */
  readonly projects: { readonly before: readonly string[]; readonly after: readonly string[] };
  /** Resources that were changed or deleted outside. */
  readonly drift: PlanJson['resource_drift'];
  /** Fingerprint of the configuration with the values of its variables, except sensitive ones. */
  readonly configuration: string;
}

/**
 * Everything that the server reads about a plan that was just made: the parts of its JSON, its page, its comment and its
 * comparison with the last plan.
 */
export interface PlanReportContents extends ReportedPlan {
  /** The plan as an HTML page. */
  readonly page: string;
  /** The plan as a Markdown comment for a pull request. */
  readonly comment: string;
  /** Differences to the last plan, in sentences; undefined where there is none that can be read. */
  readonly differences: readonly string[] | undefined;
  readonly approved: ApprovedPlanParts | undefined;
  /** Set where backups of its VMs are to be of a limited age. */
  readonly keepsBackupsFresh: boolean;
  /** Expected time of its apply, in milliseconds. */
  readonly expectedMs: number | undefined;
}

/** A call of the program that makes a plan in a run's process. */
export interface PlanInvocation {
  /** Path of the file that the plan is saved to. */
  readonly file: string;
  /** Run with the previous plan, which the new one is compared with. */
  readonly last: StoredRun | undefined;
  /** Environment variables that the plan's process needs. */
  readonly env: Readonly<Record<string, string>>;
  /** Reads the JSON, page and comment of the plan after it was made. */
  read(): Promise<PlanReportContents>;
}

/** JSON of the plan, as the program writes it. */
interface ReportJson {
  readonly plan: PlanJson;
  readonly page: string;
  readonly comment: string;
  readonly differences?: readonly string[];
  readonly approved?: ApprovedPlanParts;
  readonly keepsBackupsFresh?: boolean;
  readonly expectedMs?: number;
}

/**
 * Prepares a call of the program that makes a plan and, where asked for, compares it with the plan of an earlier run of the
 * workspace.
 */
export async function preparePlanInvocation(
  { run, store, checkout, mask }: RunAttempt,
  isCompared: boolean,
): Promise<PlanInvocation> {
  const { scratch } = checkout;
  const report = join(scratch, 'report.json');
  const older = join(scratch, 'last-plan.hostwright');
  const found = isCompared ? await store.runs.findLastPlan(run.workspaceId, run.number) : undefined;
  const last = found?.planFile === undefined ? undefined : found;
  if (last?.planFile !== undefined)
    await writeFile(older, await store.blobs.read(last.planFile), { mode: 0o600 });
  return {
    file: join(scratch, 'plan.hostwright'),
    last,
    env: {
      HOSTWRIGHT_SERVER_REPORT: report,
      ...(last && { HOSTWRIGHT_SERVER_LAST_PLAN: older }),
      // The log of a plan that may be applied says how to do so.
      ...(run.operation === 'plan' && !run.pull && { HOSTWRIGHT_SERVER_APPLICABLE: '1' }),
    },
    read: async () =>
      describe(maskSecretsInValue(JSON.parse(await readFile(report, 'utf8')) as ReportJson, mask)),
  };
}

/** Reads a plan that an earlier run has saved. @throws RunFault where it cannot be read */
export async function readSavedPlan(attempt: RunAttempt, file: string): Promise<ReportedPlan> {
  const args = ['show', file, '--format', 'json'];
  const { code, text } = await attempt.readProgram(args, 'a moment');
  if (code !== 0) throw new RunFault('The saved plan cannot be read.');
  return describePlan(maskSecretsInValue(JSON.parse(text) as PlanJson, attempt.mask));
}

function describe({ plan, keepsBackupsFresh = false, ...given }: ReportJson): PlanReportContents {
  const { page, comment, differences, approved, expectedMs } = given;
  const report = { page, comment, differences, approved, expectedMs };
  return { ...describePlan(plan), ...report, keepsBackupsFresh };
}

function describePlan({ hostwright, resource_changes, resource_drift }: PlanJson): ReportedPlan {
  const { actions, summary, findings, quotas, fingerprints } = hostwright;
  const { configuration = '' } = fingerprints;
  const undecided = findings.filter(({ code }) => code === 'policy-undecided').length;
  const projects = resource_changes.filter(({ type }) => type === projectType);
  return {
    changes: Object.entries(actions)
      // A backup that is due changes nothing: the counts have it.
      .filter(([, action]) => action !== 'no-op' && action !== 'due')
      .map(([address, action]) => ({ address, action })),
    counts: { ...summary, ...(undecided > 0 && { undecided }) },
    quotas: quotas.map(({ name, limit, used, after }) => ({ name, limit, used, after })),
    approvals: sumApprovals(findings.flatMap(({ approvals: asked }) => asked ?? [])),
    projects: {
      before: listNames(projects.map(({ change }) => change.before)),
      after: listNames(projects.map(({ change }) => change.after)),
    },
    drift: resource_drift,
    configuration,
  };
}

/** The most that any policy asks for, and which do. */
function sumApprovals(
  asked: readonly { readonly needed: number; readonly policy: string }[],
): PolicyApprovals | undefined {
  if (asked.length === 0) return undefined;
  const needed = Math.max(...asked.map((one) => one.needed));
  const asking = asked.filter((one) => one.needed === needed);
  return { needed, policies: [...new Set(asking.map(({ policy }) => policy))].sort() };
}

function listNames(resources: readonly (Attributes | null)[]): readonly string[] {
  return resources.flatMap((one) => (typeof one?.name === 'string' ? [one.name] : []));
}

/**
 * Stores the page, the comment and the figures of a plan.
 * @returns whether it equals the last plan in all that a person approves
 */
export async function storePlanReport(
  { run, store }: RunAttempt,
  { last }: PlanInvocation,
  { page, counts, quotas, differences, approved, approvals, expectedMs }: PlanReportContents,
): Promise<boolean> {
  const before = last && (await store.reports.readApproved(last.id));
  const isEqual =
    before !== undefined &&
    approved !== undefined &&
    listUnapprovedDifferences(before, approved, 'last plan').length === 0;
  const comparison = last && differences && { with: last.id, differences, isEqual };
  const asked = approvals && { approvals };
  await store.reports.keep(run.id, {
    page,
    counts,
    quotas,
    comparison,
    approved,
    expectedMs,
    ...asked,
  });
  return comparison !== undefined && isEqual;
}

/**
 * Lists the drift of a plan, with a fingerprint of the drifted values: the same drift has the same fingerprint when it occurs
 * again.
 */
export function fingerprintDrift(
  drift: readonly {
    readonly address: string;
    readonly change: { readonly actions: readonly string[]; readonly after: unknown };
  }[],
): Required<Pick<RunAttemptOutcome, 'changes' | 'driftFingerprint'>> {
  const sorted = drift.toSorted((left, right) => (left.address < right.address ? -1 : 1));
  const parts = sorted.map(({ address, change }) => [address, change.actions, change.after]);
  return {
    changes: sorted.map(({ address, change }) => ({ address, action: change.actions.join(' ') })),
    driftFingerprint: createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
  };
}
