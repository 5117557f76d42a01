import { findReplacedApprovedPlan } from '../runs/carry-approvals.ts';
import type { RunRequestDependencies } from '../runs/request-run.ts';
import { findApplyWindowFit, findRunHold } from '../runs/run-timing.ts';
import type { DuePullReport } from '../store/pulls.ts';
import { publicUrlSetting, readSummaryStatusName } from '../store/settings.ts';
import type { StoredRun } from '../store/run.ts';
import {
  writeUntouchedReport,
  writeForkReport,
  writeMergeReport,
  writePullReport,
  type PullReportContent,
} from './write-report.ts';

/** The last lines of the log of a failed run, as many as its pull request gets. */
const loggedLines = 20;

/**
 * Writes the report on a workspace to a pull request: the commit status and the comment, about the newest run or about the merge.
 * @throws GitHostFault
 */
export async function deliverPullReport(
  { store, hosts, runtime }: Pick<RunRequestDependencies, 'store' | 'hosts' | 'runtime'>,
  report: DuePullReport,
): Promise<void> {
  const workspace = await store.workspaces.read(report.workspaceId);
  const hosted = workspace && (await hosts.find(workspace));
  if (!hosted) return;
  const { host, path } = hosted;
  const run = report.run === undefined ? undefined : await store.runs.find(report.run);
  const origin = await store.settings.read(publicUrlSetting);
  const statusName = await readSummaryStatusName(store.settings);
  const linkTo = (to: Pick<StoredRun, 'id'> | undefined) =>
    to && origin !== undefined ? `${origin}/runs/${to.id}` : undefined;
  const setStatus = (
    commit: string,
    of: StoredRun | undefined,
    status: PullReportContent['status'],
  ) =>
    host.setStatus(path, commit, {
      ...status,
      context: `${statusName}/${workspace.name}`,
      url: linkTo(of),
    });
  const merge = await store.pulls.findMerge(workspace.id, report.number);
  const mergeRun = merge && (await store.runs.findOfCommit(workspace.id, merge.commit));
  const nowMs = runtime.clock.now();
  const merged =
    mergeRun &&
    (await reportMerge(store, mergeRun, {
      workspace: workspace.name,
      heldBack: merge.heldBack,
      link: linkTo(mergeRun),
      nowMs,
    }));
  if (merged) await setStatus(merge.commit, mergeRun, merged.status);
  const head = report.droppedHead ?? run?.pull?.head ?? report.forkHead;
  const link = linkTo(run);
  // Once it is merged, the plan of the branch says it.
  const preview = run && !merged ? await store.previews.find(run) : undefined;
  const planned =
    report.droppedHead !== undefined
      ? writeUntouchedReport(report.droppedHead, merged?.comment)
      : run
        ? writePullReport(run, {
            body: await store.pulls.readBody(run.id),
            link,
            lead: merged?.comment,
            fit: merged ? {} : await findApplyWindowFit(store, run, nowMs),
            preview: preview && {
              ...preview,
              body: await store.pulls.readBody(preview.id),
              link: linkTo(preview),
            },
          })
        : head !== undefined && !merged
          ? writeForkReport(workspace.name, head)
          : undefined;
  // After a merge, nobody looks at the commits of the pull request, so they get no status.
  if (head !== undefined && planned && !merged) await setStatus(head, run, planned.status);
  const comment = planned?.comment ?? merged?.comment;
  if (comment === undefined) return;
  const marker = `<!-- ${statusName}-server:${workspace.name} -->`;
  const body = `${marker}\n${comment}`;
  const id = await host.keepComment(path, report.number, { marker, body, id: report.commentId });
  if (id !== report.commentId) await store.pulls.noteComment(report, id);
}

/** Reads from the store what the report of a merge says of its newest plan or apply, and writes it. */
async function reportMerge(
  store: RunRequestDependencies['store'],
  run: StoredRun,
  {
    nowMs,
    ...given
  }: Pick<Parameters<typeof writeMergeReport>[1], 'workspace' | 'heldBack' | 'link'> & {
    readonly nowMs: number;
  },
): Promise<PullReportContent> {
  const plan = run.operation === 'plan' ? run : undefined;
  return writeMergeReport(run, {
    ...given,
    held: (await findRunHold(store, run, nowMs)).held,
    fit: await findApplyWindowFit(store, run, nowMs),
    approval: plan && (await store.approvals.read(plan.id)),
    replaced: plan && (await findReplacedApprovedPlan(store, plan.id)),
    plan: run.planRun === undefined ? run : await store.runs.find(run.planRun),
    log: run.status === 'failed' ? await store.log.readEnd(run.id, loggedLines) : [],
  });
}
