import { Option, type Command } from 'commander';
import { renderAcceptedDriftJson, renderDriftJson } from '../../render/drift/drift-json.ts';
import { renderAcceptedDriftText, renderDriftText } from '../../render/drift/drift-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { defineCommand, defineCommandGroup, type CommandLineCall } from '../define-command.ts';
import { jsonOption } from '../flags/options.ts';

/** `drift`, `drift accept`. */
const drift = defineCommandGroup(
  {
    summary: 'show what was changed outside, and accept it into the configuration',
    description:
      'Shows each configured attribute that was changed outside of Hostwright, with three ways on: put back, accept, ignore.',
  },
  {
    show: defineCommand({
      isDefault: true,
      summary: 'show what was changed outside, with the three ways of each',
      description:
        'Reads the live account and shows each configured attribute that was changed outside since the last apply. The next apply puts it back; "drift accept" writes it into the YAML; a line of the configuration ignores it. Changes nothing.',
      operands: [['[dir]', 'directory of the configuration', '.']],
      options: [
        new Option('--detailed-exitcode', 'exit with 2 when there is drift'),
        new Option('--format <format>', 'how to show it').choices(['text', 'json']).default('text'),
        jsonOption().conflicts('format'),
      ],
      run: async ({
        runtime,
        reporter,
        operands: [directory],
        flags: { detailedExitcode = false },
      }: CommandLineCall<[string], { readonly detailedExitcode?: boolean }>) => {
        const { readDrift } = await import('../../commands/drift/show-drift.ts');
        const { choices } = await readDrift(runtime, directory, reporter);
        return { choices, isTold: detailedExitcode };
      },
      text: ({ choices }, layout) => renderDriftText(choices, layout),
      json: ({ choices }) => renderDriftJson(choices),
      goodCode: ({ choices, isTold }) => (isTold && choices.length > 0 ? 2 : 0),
    }),
    accept: defineCommand({
      summary: 'write what was changed outside into the configuration',
      description:
        'Writes live values into the YAML files of the working directory: comments and order stay. All that are named, or none: where a value comes from an expression, a module or a block for several resources, it says which line to change, and exits with 1.',
      operands: [['<addresses...>', 'resources, or attributes as ADDRESS.FIELD']],
      options: [jsonOption()],
      run: async ({
        runtime,
        reporter,
        operands: [names],
      }: CommandLineCall<[readonly string[]]>) => {
        const { writeDriftIntoConfiguration } =
          await import('../../commands/drift/accept-drift.ts');
        return writeDriftIntoConfiguration(runtime, names, reporter);
      },
      text: renderAcceptedDriftText,
      json: renderAcceptedDriftJson,
    }),
  },
);

/** `drift`. */
export const addDriftCommand = (program: Command, context: CommandLineContext): void =>
  drift(program, 'drift', context);
