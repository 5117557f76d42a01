// Commands in comments, for people who may change the repository. Whoever may not gets an answer, and operators a line.
import { namePerson } from '../people/name-person.ts';
import { inlineCode } from '../../render/format/escape.ts';
import { hostActor } from '../audit/audit-entry.ts';
import { requestApply, type RequestMeans } from '../runs/request-run.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { ClaimedEvent } from '../store/deliveries.ts';
import type { Workspace } from '../store/workspaces.ts';
import type { HostPerson } from '../hosts/git-host.ts';
import type { HostEvent } from '../hosts/host-event.ts';
import { listTouched } from './list-touched.ts';
import { planPull, type HostedPull } from './plan-pull.ts';

/** A comment that is a command. */
export interface ClaimedComment extends Omit<ClaimedEvent, 'event'> {
  readonly event: Extract<HostEvent, { kind: 'comment' }>;
}

/** The first line of the one comment of a pull request that answers a person: whoever asks for much fills no page with it. */
function markAnswer(person: HostPerson): string {
  return `<!-- hostwright-server-answer:${encodeURIComponent(person.name).replaceAll('--', '%2D%2D')} -->`;
}

/** Does what a comment asks for, where its author may. @throws HostFault */
export async function obeyComment(
  means: RequestMeans & { readonly warn: (text: string) => void },
  hosted: HostedPull,
  targets: readonly Workspace[],
  claimed: ClaimedComment,
): Promise<void> {
  const { host, repository, pull } = hosted;
  const { person, command } = claimed.event;
  const answer = async (text: string) => {
    const marker = markAnswer(person);
    const asked = inlineCode(`hostwright ${command.operation}`);
    const body = `${marker}\n${asked} by ${inlineCode(person.name)}: ${text}`;
    await host.keepComment(repository, pull.number, { marker, body, id: undefined });
  };
  if (!(await host.mayWrite(repository, person))) {
    const name = JSON.stringify(person.name.slice(0, 100));
    means.warn(
      `Pull request ${pull.number} of ${repository}: ${name} may not run hostwright ${command.operation}.`,
    );
    await answer('nothing was done. It needs the permission to write to this repository.');
    return;
  }
  const { workspace: named } = command;
  const meant =
    named === undefined
      ? await listTouched(hosted, targets)
      : targets.filter(({ name }) => name === named);
  if (meant.length === 0) {
    const which = named === undefined ? 'workspace' : `workspace ${inlineCode(named)}`;
    await answer(`nothing was done. This pull request changes no ${which} that is known.`);
    return;
  }
  const fault =
    command.operation === 'plan'
      ? await plan(means, hosted, meant, claimed)
      : await apply(means, hosted, meant, claimed);
  if (fault !== undefined) await answer(fault);
}

/** @returns why nothing was done */
async function plan(
  means: RequestMeans,
  hosted: HostedPull,
  meant: readonly Workspace[],
  { id, attempts, connection, event: { person, command } }: ClaimedComment,
): Promise<string | undefined> {
  const { pull } = hosted;
  if (pull.state !== 'open') return 'nothing was done. The pull request is not open.';
  if ((pull.isFork || command.commit !== undefined) && command.commit !== pull.head) {
    return `nothing was done. Name the newest commit, once you have read it: ${inlineCode(`hostwright plan ${pull.head}`)}`;
  }
  await planPull(means, hosted, meant, {
    attempts,
    reason: `pull request #${pull.number}, asked for by ${namePerson(person.name)}`,
    by: hostActor(connection, person.name),
    originOf: (workspace) => `comment:${id}:${workspace.id}`,
  });
  return undefined;
}

/** Applies the plans that wait for this very merge. @returns what could not be done */
async function apply(
  means: RequestMeans,
  { pull }: HostedPull,
  meant: readonly Workspace[],
  { id, connection, event: { person } }: ClaimedComment,
): Promise<string | undefined> {
  if (pull.state !== 'merged')
    return 'nothing was done. Merge the pull request first: what is applied is the plan of the branch.';
  const faults: string[] = [];
  for (const workspace of meant) {
    const { name } = workspace;
    const waiting = await means.store.pulls.findWaiting(workspace.id);
    const planned = waiting === undefined ? undefined : await means.store.runs.find(waiting);
    if (!planned || planned.commit !== pull.mergeCommit) {
      const why = planned
        ? `plan #${planned.number} waits, and it is of another commit`
        : 'no plan waits to be applied';
      faults.push(`workspace ${inlineCode(name)} was not applied: ${why}.`);
      continue;
    }
    const reason = `pull request #${pull.number}, asked for by ${namePerson(person.name)}`;
    const origin = `comment:${id}:${workspace.id}`;
    try {
      const by = hostActor(connection, person.name);
      await requestApply(means, planned, { reason, origin, by });
    } catch (error) {
      if (!(error instanceof RunFault)) throw error;
      faults.push(`workspace ${inlineCode(name)} was not applied: ${error.message}`);
    }
  }
  return faults.length === 0 ? undefined : faults.join(' ');
}
