import type { Address } from '../model/address.ts';
import type { ApplyEvent, ApplyStep } from '../model/result.ts';
import { formatElapsed } from './elapsed.ts';
import { escapeText } from './escape.ts';
import type { Style } from './style.ts';

interface StepWords {
  readonly doing: string;
  readonly still: string;
  readonly done: string;
}

const words: Readonly<Record<ApplyStep, StepWords>> = {
  create: { doing: 'Creating', still: 'creating', done: 'Creation' },
  update: { doing: 'Modifying', still: 'modifying', done: 'Modifications' },
  rebuild: { doing: 'Rebuilding', still: 'rebuilding', done: 'Rebuild' },
  delete: { doing: 'Destroying', still: 'destroying', done: 'Destruction' },
};

/** A change that runs, for the lines printed while it does. */
export interface RunningChange {
  readonly address: Address;
  readonly step: ApplyStep;
  readonly id: string | null;
  readonly elapsedMs: number;
  /** What the service said last. */
  readonly status?: string;
}

/**
 * The line of an event in a log, as Terraform words it; undefined for progress, which the next `Still …` line tells.
 * The diagnostic of an error is not in its line: all of them are shown at the end.
 */
export function renderEventLine(event: ApplyEvent, style: Style): string | undefined {
  const { doing, done } = words[event.step];
  switch (event.kind) {
    case 'started':
      return drawLine(event.address, `${doing}...${formatId(event.id)}`, style);
    case 'progress':
      return undefined;
    case 'completed': {
      // What is destroyed has no id any more: the line that announced it had.
      const id = event.step === 'delete' ? '' : formatId(event.id);
      return drawLine(
        event.address,
        `${done} complete after ${formatElapsed(event.elapsedMs)}${id}`,
        style,
      );
    }
    case 'errored':
      return style.red(
        drawLine(event.address, `${done} errored after ${formatElapsed(event.elapsedMs)}`, style),
      );
  }
}

/** `ADDR: Still creating... [10s elapsed]`, with the id and the service's own status where they are known. */
export function renderStillLine(running: RunningChange, style: Style): string {
  const { address, step, id, elapsedMs, status } = running;
  const facts = [
    ...(id === null ? [] : [`id=${escapeText(id)}`]),
    `${formatElapsed(elapsedMs)} elapsed`,
    ...(status === undefined ? [] : [escapeText(status)]),
  ];
  return drawLine(address, `Still ${words[step].still}... [${facts.join(', ')}]`, style);
}

function formatId(id: string | null): string {
  return id === null ? '' : ` [id=${escapeText(id)}]`;
}

function drawLine(address: Address, text: string, style: Style): string {
  return style.bold(`${escapeText(address)}: ${text}`);
}
