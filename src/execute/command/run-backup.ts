// The backup before a rebuild. The rebuild that follows destroys what it is made of, so nothing short of seeing it in
// the list will do: an operation record may belong to somebody else's backup, and an older backup is not this one.
import { ApiError } from '../../api/errors/errors.ts';
import { listBackups, type VmPlace } from '../../api/backups.ts';
import { kinds } from '../../kinds/registry.ts';
import { subjectId, type ResolvedCommand } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SentCommand } from '../../model/state/state.ts';
import type { Backup } from '../../model/account/vm-work.ts';
import { requireUnchanged } from '../run/confirm-unchanged.ts';
import { ChangeFailure, describeFailureCode } from '../run/failure.ts';
import { unreadable } from '../run/open-failures.ts';
import { recordIntent } from './record-command.ts';
import type { Job, RunContext } from '../run/run-context.ts';
import { runVmOperation, type VmOperationEnd } from './run-vm-operation.ts';

/** How often, and how far apart, to look for the entry of a backup that has ended. */
const looks = 10;
const lookEveryMs = 1_000;

/** Where the backups of the resource of a command are listed. */
function listedAt(command: ResolvedCommand): VmPlace {
  const { projectId } = placeOfCommand(command);
  return { projectId, vmId: subjectId(command) ?? '' };
}

/**
 * Makes a backup of a resource and returns once the list of backups shows it, under an id that the list did not show right
 * before the request.
 * @throws ChangeFailure when it failed or was not seen; ApiError when the service refuses
 */
export async function runBackup(context: RunContext, job: Job): Promise<void> {
  const { client } = context;
  const { change, command, deadline, report } = job;
  const { address } = change;
  const place = listedAt(command);
  let known: ReadonlySet<string> = new Set();
  // What is accepted is waited for, whoever interrupts: see TaskInterrupted for what comes after it.
  const uninterrupted = { ...context, interrupted: new AbortController().signal };
  const end = await runVmOperation(uninterrupted, {
    ...{ address, command, deadline, isWaitedFor: true },
    // Asked for again whenever another operation had to be sat out: that one may have been a backup, too.
    approve: async (live) => {
      requireUnchanged(context, change, command, live);
      known = new Set((await listBackups(client, place)).map(({ id }) => id));
      await recordIntent(context, address, command);
      return true;
    },
    onProgress: (_phase, status) => report({ kind: 'running', status: `backup: ${status}` }),
  });
  const mayBeMade = end.kind === 'done' || end.kind === 'unseen';
  const made = mayBeMade ? await findNew(context, job, end, known) : undefined;
  if (!made) throw noBackup(job, end);
}

/** How far apart the clocks of the servers may be that list backups and write `Date` headers. */
const clockToleranceMs = 2_000;

/** True where a backup stands in the list that is none of those from before a request. @throws ApiError */
export async function hasBackup(
  { client }: RunContext,
  { command }: Job,
  { serviceAt }: SentCommand,
): Promise<boolean> {
  if (serviceAt === undefined) return false;
  const backups = await listBackups(client, listedAt(command));
  return backups.some(
    ({ status, createdAt }) =>
      status === 'active' && createdAt !== null && createdAt >= serviceAt - clockToleranceMs,
  );
}

async function findNew(
  { client, clock }: RunContext,
  { change, command }: Job,
  end: VmOperationEnd,
  known: ReadonlySet<string>,
): Promise<Backup | undefined> {
  const place = listedAt(command);
  try {
    for (let look = 1; ; look += 1) {
      const backups = await listBackups(client, place);
      const made = backups.find(({ id, status }) => !known.has(id) && status === 'active');
      if (made || look === looks) return made;
      await clock.sleep(lookEveryMs);
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isAccepted = !(end.kind === 'unseen' && end.why === 'no-answer');
    throw unreadable(change.address, command.kind, error, isAccepted);
  }
}

function noBackup({ change: { address, kind } }: Job, end: VmOperationEnd): ChangeFailure {
  const { label } = kinds[kind];
  const diagnostic: Diagnostic = {
    severity: 'error',
    code: 'backup-failed',
    summary: `${end.kind === 'unseen' ? 'No backup was seen' : 'There is no backup'}, so the ${label} was not rebuilt: ${sayWhy(label, end)}`,
    ...(end.kind === 'failed' && { detail: describeFailureCode(end.failureCode) }),
    hint: 'Apply again, or remove backupFirst to rebuild it without a backup.',
    address,
  };
  return new ChangeFailure(diagnostic, { isUnknown: end.kind === 'unseen' });
}

function sayWhy(label: string, end: VmOperationEnd): string {
  switch (end.kind) {
    case 'failed':
      return `the service failed to make it${end.failureCode === null ? '' : ` (${end.failureCode})`}`;
    case 'gone':
      return `the service has no such ${label} any more`;
    case 'locked':
      return `other work on the ${label} did not end in time`;
    default:
      return 'it was requested, and is not in the list of backups';
  }
}
