import type { ResourceAddress } from '../../model/address.ts';
import type {
  ApplyEvent,
  ApplyStep,
  ChangeLock,
  ChangeLockHolder,
} from '../../model/plan/result.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { formatTimeOfDay } from '../format/moment.ts';
import type { TextStyle } from '../format/style.ts';

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
  readonly address: ResourceAddress;
  readonly step: ApplyStep;
  readonly id: string | null;
  readonly elapsedMs: number;
  /** Last status of the resource at the service. */
  readonly status?: string;
  /** The lock that the change waits for at present. */
  readonly lock?: ChangeLock;
}

/**
 * Renders the line of an apply's event behind a mark (✗ for an error, otherwise ✓), for a terminal that draws live
 * progress below it; undefined for progress.
 */
export function renderMarkedEventLine(event: ApplyEvent, style: TextStyle): string | undefined {
  const line = renderEventLine(event, style);
  if (line === undefined) return undefined;
  return `${event.kind === 'errored' ? style.red('✗') : style.green('✓')} ${line}`;
}

/**
 * Renders the log line of an apply's event in Terraform's words; undefined for progress, which the next `Still …` line
 * reports. The line of an error has only its summary, since the whole diagnostic is shown at the end.
 */
export function renderEventLine(event: ApplyEvent, style: TextStyle): string | undefined {
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
      const words = `${done} errored after ${formatElapsed(event.elapsedMs)}: ${escapeUntrustedText(summary)}`;
      return style.red(drawLine(event.address, words, style));
    }
  }
}

/**
 * Renders the log line of a change that is still running: `ADDR: Still creating... [id=vm-1, 10s elapsed] Running`,
 * with the id and the service's own status where they are known.
 */
export function renderStillRunningLine(running: RunningChange, style: TextStyle): string {
  const { address, step, id, elapsedMs } = running;
  const known = id === null ? '' : `id=${escapeUntrustedText(id)}, `;
  const facts = `[${known}${formatElapsed(elapsedMs)} elapsed]`;
  const [status] = describeChangeStatus(running).map((text) => ` ${text}`);
  return drawLine(address, `Still ${words[step].still}... ${facts}${status ?? ''}`, style);
}

/** Describes the last status of a change at the service, or the lock that it waits for; empty where neither is known. */
export function describeChangeStatus({ address, status, lock }: RunningChange): string[] {
  if (lock?.by) return [describeLock(address, lock, lock.by)];
  return status === undefined ? [] : [escapeUntrustedText(status)];
}

/** `projects.shop.vms.web is locked by CreateBackup, not of this run, since 12:00:05 UTC (op-7)`. */
function describeLock(
  address: ResourceAddress,
  { resource }: ChangeLock,
  by: ChangeLockHolder,
): string {
  const locked =
    resource === undefined || resource === address
      ? 'locked'
      : `${escapeUntrustedText(resource)} is locked`;
  if (by.kind === 'change') return `${locked} by the change of ${escapeUntrustedText(by.address)}`;
  const since = by.since === null ? '' : `, since ${formatTimeOfDay(by.since)}`;
  return `${locked} by ${escapeUntrustedText(by.type)}, not of this run${since} (${escapeUntrustedText(by.id)})`;
}

function formatId(id: string | null): string {
  return id === null ? '' : ` [id=${escapeUntrustedText(id)}]`;
}

function drawLine(address: ResourceAddress, text: string, style: TextStyle): string {
  return `${style.bold(`${escapeUntrustedText(address)}:`)} ${text}`;
}
