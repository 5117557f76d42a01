import type { PlannedCommand } from '../../model/write-to.ts';
import { escapeLines, escapeText } from '../format/escape.ts';
import type { Layout } from '../format/style.ts';

/** Title of the list of commands that an apply runs, in every format. */
export const commandsTitle = 'Commands that applying this plan runs on the machine that applies it';

/** Title of the list of probes that an apply makes. */
export const probesTitle = 'Probes that applying this plan makes from the machine that applies it';

/** Title of the list of modules whose instances change one after the other. */
export const turnsTitle = 'Modules whose instances change one after the other';

/** Draws the commands that an apply runs. Each is whole, on lines that are neither cut nor wrapped. */
export function drawCommands(
  out: string[],
  commands: readonly PlannedCommand[],
  { style }: Pick<Layout, 'style'>,
): void {
  for (const { address, command } of commands) {
    out.push(
      style.bold(`  # ${escapeText(address)}`),
      ...escapeLines(command.trimEnd(), '    ').split('\n'),
    );
  }
}
