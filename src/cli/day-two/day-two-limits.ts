import type { Command } from 'commander';
import { renderLimitsJson, renderLimitsText } from '../../render/account/limits-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { defineCommand, type CommandLineCall } from '../define-command.ts';
import { jsonOption } from '../flags/options.ts';

const limits = defineCommand({
  summary: 'show the quotas in use and the caps of names',
  description:
    'Shows the quotas of the account and how much of each is in use, and how long names may be.',
  operands: [['[dir]', 'directory of the configuration', '.']],
  options: [jsonOption()],
  run: async ({ runtime, reporter, operands: [directory] }: CommandLineCall<[string]>) => {
    const { readLimits: read } = await import('../../commands/account/limits.ts');
    return read(runtime, directory, reporter);
  },
  text: (read, layout) => renderLimitsText(read.limits, read.nameLengths, layout),
  json: (read) => renderLimitsJson(read.limits, read.nameLengths),
});

/** `limits`. */
export const addLimitsCommand = (program: Command, context: CommandLineContext): void =>
  limits(program, 'limits', context);
