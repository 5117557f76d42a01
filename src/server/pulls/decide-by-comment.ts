// Commands in comments that need a role of the server: their author is a member whom an administrator has given this identity of
// the host.
import type { AuditActor } from '../audit/audit-entry.ts';
import type { CommentCommand } from '../hosts/host-event.ts';
import type { PullRequest } from '../hosts/git-host.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { MemberSummary } from '../people/members.ts';
import { isRoleGranted, type Role } from '../people/roles.ts';
import { formatMarkdownInlineCode } from '../../render/format/escape.ts';
import { recordPlanDecision } from '../runs/decide-on-plan.ts';
import type { RunRequestDependencies } from '../runs/request-run.ts';
import type { Workspace } from '../store/workspaces.ts';

type Decision = Exclude<CommentCommand['operation'], 'plan' | 'apply' | 'help'>;

/** A command, and who wrote it: the connection and the id at its host, as `github/583231`. */
interface AskedDecision {
  readonly operation: Decision;
  readonly identity: string;
}

const needed: Readonly<Record<Decision, Role>> = {
  approve: 'approve',
  discard: 'approve',
  unlock: 'apply',
};

/** Carries out a member's comment command (approve, discard or unlock) in each workspace. @returns the text of the answer */
export async function decideByComment(
  means: RunRequestDependencies,
  pull: PullRequest,
  meant: readonly Workspace[],
  { operation, identity }: AskedDecision,
): Promise<string> {
  const { members } = means.store;
  const member = await members.findByHostId(identity);
  if (!member)
    return `nothing was done. Nobody in *People* of the server has the identity ${formatMarkdownInlineCode(identity)}. An administrator adds it to the person.`;
  const role = needed[operation];
  return sayOfEach(meant, async (workspace) => {
    const place = await members.findWorkspace(member.id, workspace.name);
    if (!isRoleGranted(place?.roles ?? [], role))
      throw new RunFault(`It needs the role ${formatMarkdownInlineCode(role)} for this workspace.`);
    return operation === 'unlock'
      ? unlock(means, workspace, actorOf(member))
      : decide(means, pull, workspace, operation, actorOf(member));
  });
}

function actorOf({ id, kind, name }: MemberSummary): AuditActor {
  return { id, kind, name, address: '' };
}

/** Says yes or no to the plan of a merge. */
async function decide(
  means: RunRequestDependencies,
  { number, state, mergeCommit = '' }: PullRequest,
  workspace: Workspace,
  operation: 'approve' | 'discard',
  by: AuditActor,
): Promise<string> {
  const { store } = means;
  if (state !== 'merged')
    throw new RunFault(
      'Merge the pull request first: what is decided on is the plan of the branch.',
    );
  const run = await store.runs.findOfCommit(workspace.id, mergeCommit);
  const isOpen = run === undefined || (run.operation === 'plan' && run.endedAt === undefined);
  if (isOpen && operation === 'discard') {
    // An apply that was asked for before its plan is there.
    await store.pulls.decideMerge(
      { workspaceId: workspace.id, number },
      `discarded by ${by.name}.`,
    );
    return 'nothing is applied by itself once the plan of the merge is there.';
  }
  if (isOpen) throw new RunFault('The plan of the merge is not there yet.');
  if (run.operation !== 'plan')
    throw new RunFault(`${run.operation} #${run.number} has taken the plan of the merge.`);
  const decision = operation === 'approve' ? 'yes' : 'no';
  const comment = `In a comment of pull request #${number}.`;
  await recordPlanDecision(means, run, { decision, comment }, by);
  const plan = `plan #${run.number}`;
  if (decision === 'no') return `${plan} is discarded, and nobody applies it.`;
  const after = await store.approvals.read(run.id);
  const mine = after?.decisions.find(({ member }) => member === by.id);
  const why = mine?.counts === false ? ' Your yes does not count: you started the plan.' : '';
  return `${plan} has ${after?.given ?? 0} of ${after?.needed ?? 0} approvals.${why}`;
}

async function unlock(
  { store }: RunRequestDependencies,
  { id, name }: Workspace,
  by: AuditActor,
): Promise<string> {
  const lock = await store.audit.record(
    by,
    async () => {
      const found = await store.workspaces.unlock(id);
      if (!found) throw new RunFault('It is not locked.');
      return found;
    },
    ({ by: lockedBy, reason }) => {
      const detail = { lockedBy, reason };
      return { act: 'workspace.unlock', target: `workspace/${name}`, detail };
    },
  );
  return `unlocked. ${formatMarkdownInlineCode(lock.by)} had locked it: ${formatMarkdownInlineCode(lock.reason)}`;
}

/** Results of a command in each workspace. A reason why it cannot be carried out is an answer, too. */
export async function sayOfEach(
  workspaces: readonly Workspace[],
  act: (workspace: Workspace) => Promise<string>,
): Promise<string> {
  const said: string[] = [];
  for (const workspace of workspaces) {
    const text = await act(workspace).catch((error: unknown) => {
      if (error instanceof RunFault) return `nothing was done. ${error.message}`;
      throw error;
    });
    said.push(`workspace ${formatMarkdownInlineCode(workspace.name)}: ${text}`);
  }
  return said.length === 1 ? (said[0] ?? '') : said.map((text) => `\n- ${text}`).join('');
}
