import type { PlannedWriteToCommand } from '../../model/write-to.ts';
import { escapeUntrustedLines, escapeUntrustedText } from '../format/escape.ts';
import type { TextLayout } from '../format/style.ts';

/** Title of the list of commands that an apply runs, in every format. */
export const commandsTitle = 'Commands that applying this plan runs on the machine that applies it';

/** Title of the list of probes that an apply makes. */
export const probesTitle = 'Probes that applying this plan makes from the machine that applies it';

/** Title of the list of modules whose instances change one after the other. */
export const sequentialModulesTitle = 'Modules whose instances change one after the other';

/** Draws the commands that an apply runs, each in full, on lines that are neither cut nor wrapped. */
export function drawPlannedCommands(
  out: string[],
  commands: readonly PlannedWriteToCommand[],
  { style }: Pick<TextLayout, 'style'>,
): void {
  for (const { address, command } of commands) {
    out.push(
      style.bold(`  # ${escapeUntrustedText(address)}`),
      ...escapeUntrustedLines(command.trimEnd(), '    ').split('\n'),
    );
  }
}
