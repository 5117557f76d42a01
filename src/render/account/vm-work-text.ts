import type { VmVerb, VmWork, VmWorks, WorkProgress } from '../../model/account/vm-work.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { escapeText } from '../format/escape.ts';
import { toIso } from '../format/moment.ts';
import type { Layout, Style } from '../format/style.ts';
import { describeDiagnostic } from '../json/diagnostics-json.ts';
import { describeBackup, describeBackupJson } from './backups-text.ts';

/** Line that a command on a VM prints as it begins: `ADDR: Stopping...`. */
export function renderWorkStart(
  { verb, address, phase, status }: WorkProgress,
  { bold }: Style,
): string {
  const words =
    phase === 'waiting' ? `Waiting for a lock: ${escapeText(status)}` : verbWords[verb].doing;
  return bold(`${escapeText(address)}: ${words}...`);
}

/** Line that a command on a VM prints while it runs: `ADDR: Still stopping... [10s elapsed, Running]`. */
export function renderWorkStill(
  { verb, address, phase, status }: WorkProgress,
  elapsedMs: number,
  { bold }: Style,
): string {
  const words = phase === 'waiting' ? 'waiting for a lock' : verbWords[verb].still;
  const facts = `${formatElapsed(elapsedMs)} elapsed, ${escapeText(status)}`;
  return bold(`${escapeText(address)}: Still ${words}... [${facts}]`);
}

/** Result of a command on a VM, in a line or two; empty where only a diagnostic has something to say. */
function renderWorkText(work: VmWork, { style }: Layout): string {
  const { verb, address, backup, elapsedMs } = work;
  const where = escapeText(address);
  const { done, noun } = verbWords[verb];
  switch (work.outcome) {
    case 'done': {
      const missing = verb === 'backup' ? '  the backup is not in the list yet\n' : '';
      const about = backup ? `  ${describeBackup(backup)}\n` : missing;
      return `${style.green(`${where}: ${done}`)} after ${formatElapsed(elapsedMs)}\n${about}`;
    }
    case 'accepted':
      return `${where}: the ${noun} was accepted\n  See how it ends: hostwright operations --resource '${where}'\n`;
    case 'unchanged':
      return `${where}: is ${verb === 'start' ? 'running' : 'stopped'} already. Nothing was sent.\n`;
    case 'skipped':
      return `${where}: was not ${done}, because one before it was not\n`;
    case 'failed':
    case 'unknown':
    case 'declined':
      return '';
  }
}

/** Results of a command on several VMs: a line or two each, then how many were done. */
export function renderWorksText({ vms, isSeveral }: VmWorks, layout: Layout): string {
  const texts = vms.map((work) => renderWorkText(work, layout)).join('');
  const [first] = vms;
  if (!isSeveral || !first) return texts;
  const good = vms.filter(isWorkGood).length;
  return `${texts}${good} of ${countNoun('VM', vms.length)} ${verbWords[first.verb].done}.\n`;
}

/** Renders the result of one VM as JSON, or those of several below `vms`. */
export function renderWorksJson({ vms, isSeveral }: VmWorks): object {
  const [first] = vms;
  if (!first) return {};
  const { verb } = first;
  if (!isSeveral) return renderWorkJson(first);
  return { format_version: '1.0', command: `vm ${verb}`, vms: vms.map(renderWorkJson) };
}

/** Tells whether an operation has come to a good end, or needed none. */
export function isWorkGood({ outcome }: VmWork): boolean {
  return outcome === 'done' || outcome === 'accepted' || outcome === 'unchanged';
}

/**
 * The result for machines: `command`, `address`, `id`, `outcome` (done, accepted, unchanged, failed, unknown or
 * declined), `operation` (its record, or null), `backup` (the one made or restored, or null), `elapsedMs`, and
 * `diagnostics` with what went wrong.
 */
function renderWorkJson(work: VmWork): object {
  const { verb, address, id, outcome, operation, backup, elapsedMs, fault } = work;
  return {
    format_version: '1.0',
    command: `vm ${verb}`,
    address,
    id,
    outcome,
    operation: operation && {
      id: operation.id,
      type: operation.type,
      status: operation.status,
      createdAt: toIso(operation.createdAt),
      completedAt: toIso(operation.completedAt),
      failureCode: operation.failureCode,
    },
    backup: backup && describeBackupJson(backup),
    elapsedMs,
    diagnostics: fault ? [describeDiagnostic(fault)] : [],
  };
}

/** Words for one command on a VM: as it begins, while it goes on, once it is over, and as a noun. */
export interface VerbWords {
  readonly doing: string;
  readonly still: string;
  readonly done: string;
  readonly noun: string;
}

export const verbWords: Readonly<Record<VmVerb, VerbWords>> = {
  start: { doing: 'Starting', still: 'starting', done: 'started', noun: 'start' },
  stop: { doing: 'Stopping', still: 'stopping', done: 'stopped', noun: 'stop' },
  reboot: { doing: 'Rebooting', still: 'rebooting', done: 'rebooted', noun: 'reboot' },
  backup: { doing: 'Backing up', still: 'backing up', done: 'backed up', noun: 'backup' },
  restore: { doing: 'Restoring', still: 'restoring', done: 'restored', noun: 'restore' },
};
