// Commands in comments, for people who may change the repository. Whoever may not gets an answer, and operators a line.
import { formatPersonName } from '../people/name-person.ts';
import { formatMarkdownInlineCode } from '../../render/format/escape.ts';
import { createGitHostActor } from '../audit/audit-entry.ts';
import { findRunHold } from '../runs/run-timing.ts';
import { retryRun } from '../runs/retry-run.ts';
import type { RunRequestDependencies } from '../runs/request-run.ts';
import type { ClaimedGitHostEvent } from '../store/deliveries.ts';
import type { Workspace } from '../store/workspaces.ts';
import type { GitHostPerson, PullRequest } from '../hosts/git-host.ts';
import type { GitHostEvent } from '../hosts/host-event.ts';
import { applyDueMerges } from './decide-merges.ts';
import { GitHostFault } from '../hosts/host-fault.ts';
import { decideByComment, sayOfEach } from './decide-by-comment.ts';
import { listTouchedWorkspaces } from './list-touched.ts';
import { planPullRequest, type HostedPullRequest, type PullPlanRequest } from './plan-pull.ts';

/** A comment with a command that a worker has taken from the queue, to carry it out. */
export interface ClaimedComment extends Omit<ClaimedGitHostEvent, 'event'> {
  readonly event: Extract<GitHostEvent, { kind: 'comment' }>;
}

/** Marker of the comment that answers a person in a pull request: it is edited for each answer, so that many fill no page. */
function markAnswer(person: GitHostPerson): string {
  return `<!-- hostwright-server-answer:${encodeURIComponent(person.name).replaceAll('--', '%2D%2D')} -->`;
}

/** Carries out the command in a comment, if its author may give it, and answers it in the pull request. @throws GitHostFault */
export async function obeyCommentCommand(
  means: RunRequestDependencies & { readonly warn: (text: string) => void },
  hosted: HostedPullRequest,
  targets: readonly Workspace[],
  claimed: ClaimedComment,
): Promise<void> {
  const { host, repository, pull } = hosted;
  const { person, command } = claimed.event;
  const answer = async (text: string) => {
    const marker = markAnswer(person);
    const asked = formatMarkdownInlineCode(`hostwright ${command.operation}`);
    const body = `${marker}\n${asked} by ${formatMarkdownInlineCode(person.name)}: ${text}`;
    await host.keepComment(repository, pull.number, { marker, body, id: undefined });
  };
  const mayWrite = await host.mayWrite(repository, person);
  if (command.operation === 'help') {
    // Whoever may do nothing, and only spoke of the program, is left alone.
    if (mayWrite) await answer(help);
    return;
  }
  if (!mayWrite) {
    const name = JSON.stringify(person.name.slice(0, 100));
    means.warn(
      `Pull request ${pull.number} of ${repository}: ${name} may not run hostwright ${command.operation}.`,
    );
    await answer('nothing was done. It needs the permission to write to this repository.');
    return;
  }
  await showSeen(hosted, claimed);
  const { workspace: named } = command;
  const meant =
    named === undefined
      ? await listTouchedWorkspaces(hosted, targets)
      : targets.filter(({ name }) => name === named);
  if (meant.length === 0) {
    const which =
      named === undefined ? 'workspace' : `workspace ${formatMarkdownInlineCode(named)}`;
    await answer(`nothing was done. This pull request changes no ${which} that is known.`);
    return;
  }
  const said = await obey(means, hosted, meant, claimed);
  if (said !== undefined) await answer(said);
}

/** @returns what comes of a command; undefined where that comes to the pull request by itself */
function obey(
  means: RunRequestDependencies,
  hosted: HostedPullRequest,
  meant: readonly Workspace[],
  claimed: ClaimedComment,
): Promise<string | undefined> {
  const { command, person } = claimed.event;
  switch (command.operation) {
    case 'plan':
      return plan(means, hosted, meant, claimed);
    case 'apply':
      return apply(means, hosted, meant, claimed);
    case 'help':
      return Promise.resolve(help);
    default: {
      const identity = `${claimed.connection}/${person.id}`;
      const asked = { identity, operation: command.operation };
      return decideByComment(means, hosted.pull, meant, asked);
    }
  }
}

/** A mark at the comment, at once. It is a courtesy: a host that refuses it keeps nobody from what was asked for. */
async function showSeen(
  { host, repository, pull }: HostedPullRequest,
  { event }: ClaimedComment,
): Promise<void> {
  if (event.comment === undefined) return;
  try {
    await host.react(repository, pull.number, event.comment);
  } catch (error) {
    if (!(error instanceof GitHostFault)) throw error;
  }
}

const help = [
  'the commands are these, each in the first line of a comment.',
  '',
  '| command | effect |',
  '| --- | --- |',
  '| `hostwright plan` | plans the pull request again; once it is merged, its merge |',
  '| `hostwright plan COMMIT` | the same, if this is the newest commit; a fork is planned by this |',
  '| `hostwright apply` | applies the plan of the merge, once the pull request is merged |',
  '| `hostwright approve` | says yes to the plan of the merge |',
  '| `hostwright discard` | says no to it, so that nobody applies it |',
  '| `hostwright unlock` | unlocks the workspace |',
  '| `hostwright help` | this list |',
  '',
  'Each takes the name of one workspace, as in `hostwright apply shop`.',
].join('\n');

/** @returns why nothing was done; undefined where the plan comes to the pull request by itself */
async function plan(
  means: RunRequestDependencies,
  hosted: HostedPullRequest,
  meant: readonly Workspace[],
  claimed: ClaimedComment,
): Promise<string | undefined> {
  const { id, attempts, connection, event } = claimed;
  const { person, command } = event;
  const { pull } = hosted;
  const reason = `pull request #${pull.number}, asked for by ${formatPersonName(person.name)}`;
  const asked = {
    reason,
    by: createGitHostActor(connection, person.name),
    originOf: (workspace: Workspace) => `comment:${id}:${workspace.id}`,
  };
  if (pull.state === 'merged') return planMerge(means, pull, meant, asked);
  if (pull.state !== 'open') return 'nothing was done. The pull request is not open.';
  if ((pull.isFork || command.commit !== undefined) && command.commit !== pull.head) {
    return `nothing was done. Name the newest commit, once you have read it: ${formatMarkdownInlineCode(`hostwright plan ${pull.head}`)}`;
  }
  await planPullRequest(means, hosted, meant, { attempts, ...asked });
  return undefined;
}

/** Plans a merge anew, as where its apply failed. @returns what comes of it */
async function planMerge(
  means: RunRequestDependencies,
  { mergeCommit = '' }: PullRequest,
  meant: readonly Workspace[],
  {
    originOf,
    ...asked
  }: Pick<PullPlanRequest, 'reason' | 'by'> & Required<Pick<PullPlanRequest, 'originOf'>>,
): Promise<string> {
  const { runs } = means.store;
  return sayOfEach(meant, async (workspace) => {
    const run = await runs.findOfCommit(workspace.id, mergeCommit);
    if (!run) return 'the merge is not planned yet. Its plan comes to this pull request.';
    const name = `${run.operation} #${run.number}`;
    if (run.endedAt === undefined) return `${name} of the merge is under way.`;
    const origin = originOf(workspace);
    if (!(await runs.hasOrigin(origin)))
      await retryRun(means, workspace, run, { ...asked, origin });
    return 'the merge is planned again. The plan comes to this pull request.';
  });
}

/** Applies the plans of this very merge, those that are made later as well. @returns what comes of it */
async function apply(
  means: RunRequestDependencies,
  { pull }: HostedPullRequest,
  meant: readonly Workspace[],
  { id, connection, event: { person } }: ClaimedComment,
): Promise<string> {
  if (pull.state !== 'merged' || pull.mergeCommit === undefined)
    return 'nothing was done. Merge the pull request first: what is applied is the plan of the branch.';
  const commit = pull.mergeCommit;
  const { pulls, runs } = means.store;
  for (const workspace of meant) {
    const origin = `comment:${id}:${workspace.id}`;
    const asked = { connection, person: person.name, origin };
    await pulls.askApply(workspace.id, pull.number, asked);
  }
  await applyDueMerges(means);
  return sayOfEach(meant, async (workspace) => {
    const merge = await pulls.findMerge(workspace.id, pull.number);
    if (merge?.heldBack !== undefined) return `not applied: ${merge.heldBack}`;
    if (merge?.isDecided !== true)
      return 'the plan of the merge is not there yet. It is applied once it is.';
    const run = await runs.findOfCommit(workspace.id, commit);
    const { held } = run ? await findRunHold(means.store, run, means.runtime.clock.now()) : {};
    const next = held === undefined ? '' : ` ${held}`;
    return `apply #${run?.number ?? ''} is queued.${next} Its result comes to this pull request.`;
  });
}
