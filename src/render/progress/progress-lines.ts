import type { Address } from '../../model/address.ts';
import type { ApplyEvent, ApplyStep, Lock, LockHolder } from '../../model/plan/result.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { escapeText } from '../format/escape.ts';
import { formatTimeOfDay } from '../format/moment.ts';
import type { Style } from '../format/style.ts';

interface StepWords {
  readonly doing: string;
  readonly still: string;
  readonly done: string;
}

const words: Readonly<Record<ApplyStep, StepWords>> = {
  create: { doing: 'Creating', still: 'creating', done: 'Creation' },
  update: { doing: 'Modifying', still: 'modifying', done: 'Modifications' },
  rebuild: { doing: 'Rebuilding', still: 'rebuilding', done: 'Rebuild' },
  backup: { doing: 'Backing up', still: 'backing up', done: 'Backup' },
  restore: { doing: 'Restoring', still: 'restoring', done: 'Restore' },
  retire: { doing: 'Retiring', still: 'retiring', done: 'Retirement' },
  probe: { doing: 'Probing', still: 'probing', done: 'Probes' },
  wait: { doing: 'Waiting', still: 'waiting', done: 'Wait' },
  delete: { doing: 'Destroying', still: 'destroying', done: 'Destruction' },
};

/** A running change, for lines that tell that it is still running. */
export interface RunningChange {
  readonly address: Address;
  readonly step: ApplyStep;
  readonly id: string | null;
  readonly elapsedMs: number;
  /** Last status of the resource at the service. */
  readonly status?: string;
  /** The lock that the change waits for at present. */
  readonly lock?: Lock;
}

/** The line of an event above the lines that are drawn over again: with a mark that is seen from afar. */
export function renderMarkedLine(event: ApplyEvent, style: Style): string | undefined {
  const line = renderEventLine(event, style);
  if (line === undefined) return undefined;
  return `${event.kind === 'errored' ? style.red('✗') : style.green('✓')} ${line}`;
}

/**
 * The line of an event in a log, as Terraform words it; undefined for progress, which the next `Still …` line reports. The
 * line of an error has its summary: the whole diagnostic is shown at the end.
 */
export function renderEventLine(event: ApplyEvent, style: Style): string | undefined {
  const { doing, done } = words[event.step];
  switch (event.kind) {
    case 'started':
      return drawLine(event.address, `${doing}...${formatId(event.id)}`, style);
    case 'progress':
      return undefined;
    case 'completed': {
      // A destroyed resource has no id any more: the line at its start had it.
      const id = event.step === 'delete' ? '' : formatId(event.id);
      return drawLine(
        event.address,
        `${done} complete after ${formatElapsed(event.elapsedMs)}${id}`,
        style,
      );
    }
    case 'errored': {
      const { summary } = event.diagnostic;
      const words = `${done} errored after ${formatElapsed(event.elapsedMs)}: ${escapeText(summary)}`;
      return style.red(drawLine(event.address, words, style));
    }
  }
}

/** `ADDR: Still creating... [10s elapsed]`, with the id and the service's own status where they are known. */
export function renderStillLine(running: RunningChange, style: Style): string {
  const { address, step, id, elapsedMs } = running;
  const facts = [
    ...(id === null ? [] : [`id=${escapeText(id)}`]),
    `${formatElapsed(elapsedMs)} elapsed`,
    ...describeStatus(running),
  ];
  return drawLine(address, `Still ${words[step].still}... [${facts.join(', ')}]`, style);
}

/** Last status of a change at the service, or the lock that it waits for; empty where neither is known. */
export function describeStatus({ address, status, lock }: RunningChange): string[] {
  if (lock?.by) return [describeLock(address, lock, lock.by)];
  return status === undefined ? [] : [escapeText(status)];
}

/** `projects.shop.vms.web is locked by CreateBackup, not of this run, since 12:00:05 UTC (op-7)`. */
function describeLock(address: Address, { resource }: Lock, by: LockHolder): string {
  const locked =
    resource === undefined || resource === address ? 'locked' : `${escapeText(resource)} is locked`;
  if (by.kind === 'change') return `${locked} by the change of ${escapeText(by.address)}`;
  const since = by.since === null ? '' : `, since ${formatTimeOfDay(by.since)}`;
  return `${locked} by ${escapeText(by.type)}, not of this run${since} (${escapeText(by.id)})`;
}

function formatId(id: string | null): string {
  return id === null ? '' : ` [id=${escapeText(id)}]`;
}

function drawLine(address: Address, text: string, style: Style): string {
  return `${style.bold(`${escapeText(address)}:`)} ${text}`;
}
