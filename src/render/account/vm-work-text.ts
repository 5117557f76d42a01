import type {
  VmOperationVerb,
  EndedVmOperation,
  EndedVmOperations,
  VmOperationProgress,
} from '../../model/account/vm-work.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { formatIsoTime } from '../format/moment.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';
import { describeDiagnostic } from '../json/diagnostics-json.ts';
import { describeBackup, describeBackupJson } from './backups-text.ts';

/** Line that a command on a VM prints as it begins: `ADDR: Stopping...`. */
export function renderVmCommandStart(
  { verb, address, phase, status }: VmOperationProgress,
  { bold }: TextStyle,
): string {
  const words =
    phase === 'waiting'
      ? `Waiting for a lock: ${escapeUntrustedText(status)}`
      : vmCommandWords[verb].doing;
  return bold(`${escapeUntrustedText(address)}: ${words}...`);
}

/** Line that a command on a VM prints while it runs: `ADDR: Still stopping... [10s elapsed] Running`. */
export function renderVmCommandProgress(
  { verb, address, phase, status }: VmOperationProgress,
  elapsedMs: number,
  { bold }: TextStyle,
): string {
  const words = phase === 'waiting' ? 'waiting for a lock' : vmCommandWords[verb].still;
  const facts = `[${formatElapsed(elapsedMs)} elapsed] ${escapeUntrustedText(status)}`;
  return bold(`${escapeUntrustedText(address)}: Still ${words}... ${facts}`);
}

/** Result of a command on a VM, in a line or two; empty where only a diagnostic has something to say. */
function renderWorkText(work: EndedVmOperation, { style }: TextLayout): string {
  const { verb, address, backup, elapsedMs } = work;
  const where = escapeUntrustedText(address);
  const { done, noun } = vmCommandWords[verb];
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
export function renderVmCommandResultsText(
  { vms, isSeveral }: EndedVmOperations,
  layout: TextLayout,
): string {
  const texts = vms.map((work) => renderWorkText(work, layout)).join('');
  const [first] = vms;
  if (!isSeveral || !first) return texts;
  const good = vms.filter(isVmOperationSuccessful).length;
  return `${texts}${good} of ${formatCountWithNoun('VM', vms.length)} ${vmCommandWords[first.verb].done}.\n`;
}

/** Renders the result of one VM as JSON, or those of several below `vms`. */
export function renderVmCommandResultsJson({ vms, isSeveral }: EndedVmOperations): object {
  const [first] = vms;
  if (!first) return {};
  const { verb } = first;
  if (!isSeveral) return renderWorkJson(first);
  return { format_version: '1.0', command: `vm ${verb}`, vms: vms.map(renderWorkJson) };
}

/** Tells whether an operation on a VM succeeded, was accepted, or was not needed. */
export function isVmOperationSuccessful({ outcome }: EndedVmOperation): boolean {
  return outcome === 'done' || outcome === 'accepted' || outcome === 'unchanged';
}

/**
 * The result for machines: `command`, `address`, `id`, `outcome` (done, accepted, unchanged, failed, unknown or
 * declined), `operation` (its record, or null), `backup` (the one made or restored, or null), `elapsedMs`, and
 * `diagnostics` with what went wrong.
 */
function renderWorkJson(work: EndedVmOperation): object {
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
      createdAt: formatIsoTime(operation.createdAt),
      completedAt: formatIsoTime(operation.completedAt),
      failureCode: operation.failureCode,
    },
    backup: backup && describeBackupJson(backup),
    elapsedMs,
    diagnostics: fault ? [describeDiagnostic(fault)] : [],
  };
}

/** Words for one command on a VM: as it begins, while it goes on, once it is over, and as a noun. */
export interface VmCommandWords {
  readonly doing: string;
  readonly still: string;
  readonly done: string;
  readonly noun: string;
}

export const vmCommandWords: Readonly<Record<VmOperationVerb, VmCommandWords>> = {
  start: { doing: 'Starting', still: 'starting', done: 'started', noun: 'start' },
  stop: { doing: 'Stopping', still: 'stopping', done: 'stopped', noun: 'stop' },
  reboot: { doing: 'Rebooting', still: 'rebooting', done: 'rebooted', noun: 'reboot' },
  backup: { doing: 'Backing up', still: 'backing up', done: 'backed up', noun: 'backup' },
  restore: { doing: 'Restoring', still: 'restoring', done: 'restored', noun: 'restore' },
};
