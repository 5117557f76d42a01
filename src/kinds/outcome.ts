import type { CommandName, ResolvedCommand } from '../model/account/command.ts';
import { commandSubjects } from '../model/account/command.ts';
import { nameOf, statusOf, type LiveResource } from '../model/account/live.ts';
import { findFacts } from './find-facts.ts';
import type { Work } from './traits.ts';
import { kinds } from './registry.ts';
import { compareTold, type ToldMatch } from './told.ts';

const unfinished = new Set(['queued', 'running', 'inprogress']);

/** What the service is doing with it, for a kind whose status does not tell. */
export function workOn(live: LiveResource): Work {
  return kinds[live.kind].traits.lock?.workOf(live) ?? { operation: null, status: null };
}

/** True while the service is making, changing or deleting it, or holds it locked for an operation. */
export function isBusy(live: LiveResource): boolean {
  const status = statusOf(live);
  if (status !== undefined && status !== 'active' && status !== 'failed') return true;
  // A backup leaves a VM `active` though it is locked: only its operation tells.
  return unfinished.has((workOn(live).status ?? '').toLowerCase());
}

/** What keeps a busy resource busy, in the service's own words. */
export function describeBusy(live: LiveResource): string {
  const status = statusOf(live) ?? 'busy';
  const work = workOn(live);
  return work.operation === null ? status : `${work.operation} ${work.status ?? status}`;
}

/** True for a command whose result its resource never shows: the operation record alone tells how it ended. */
export function isJudgedByRecord(command: CommandName): boolean {
  return findFacts(command).isJudgedByRecord === true;
}

/** True for a command that builds its resource anew. */
export function isRebuild(command: CommandName): boolean {
  return findFacts(command).isRebuild === true;
}

/** True for a command that saves what its resource holds before a rebuild loses that. */
export function isBackup(command: CommandName): boolean {
  return findFacts(command).procedure?.kind === 'backup';
}

/**
 * True when the live record shows what a command asked for; undefined stands for a resource that is gone.
 * Whether the service is finished with it is another question: see `isBusy`.
 */
export function hasComeTrue(command: ResolvedCommand, live: LiveResource | undefined): boolean {
  return compareShown(command, live) === 'same';
}

/** The same, or where the service leaves untold what was asked for: something else has to say that it has ended. */
export function mayHaveComeTrue(command: ResolvedCommand, live: LiveResource | undefined): boolean {
  return compareShown(command, live) !== 'other';
}

function compareShown(command: ResolvedCommand, live: LiveResource | undefined): ToldMatch {
  const { kind, effect } = commandSubjects[command.kind];
  if (effect === 'delete') return live === undefined ? 'same' : 'other';
  if (live?.kind !== kind) return 'other';
  const shown = findFacts(command.kind).compareShown?.(live, command);
  if (shown) return shown;
  if (effect === 'create') return 'same';
  return 'name' in command ? compareTold(nameOf(live), command.name) : 'other';
}

/** True where the service does not tell how a resource stands that it has a status for. */
export function hasUntoldStatus(live: LiveResource): boolean {
  return 'status' in live && live.status === undefined;
}
