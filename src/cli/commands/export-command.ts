import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { CommandLineContext } from '../command-context.ts';
import { createTextReporter } from '../output/terminal-reporter.ts';

interface ExportFlags {
  readonly project: readonly string[];
  readonly all?: boolean;
  readonly out?: string;
}

/** `export`. */
export function addExportCommand(program: Command, context: CommandLineContext): void {
  const { runtime, exit } = context;
  program
    .command('export')
    .summary('write a configuration for what exists in the account')
    .description(
      'Writes YAML for projects that exist, with an `imports` entry for everything in them: a plan of it imports all and changes nothing. The account is that of HOSTWRIGHT_BASE_URL, or of the configuration in the working directory. Access tokens and the settings of the account belong to no project and are not written.',
    )
    .addOption(
      new Option('--project <name>', 'the name or the id of a project; can be repeated')
        .argParser((name: string, before: readonly string[]) => [...before, name])
        .default([])
        .conflicts('all'),
    )
    .option('--all', 'every project of the account')
    .option(
      '--out <dir>',
      'write into this directory instead of standard output, in several files where one would be too large',
    )
    .action(async ({ project, all, out }: ExportFlags) => {
      const reporter = createTextReporter(context);
      const [
        { exportProjects },
        { describeExportedService: describeService, renderWholeExport: renderWhole, writeExport },
      ] = await Promise.all([
        import('../../commands/lifecycle/export-projects.ts'),
        import('../../commands/lifecycle/write-export.ts'),
      ]);
      const options = { projects: project, takesAll: all === true };
      const { exported, ...source } = await exportProjects(runtime, options, reporter);
      const place = describeService(resolve(runtime.cwd, out ?? '.'), source);
      if (out === undefined) runtime.stdout.write(renderWhole(runtime, exported, place));
      else {
        const written = await writeExport(runtime, out, exported, place);
        runtime.stdout.write(written.map((path) => `Wrote ${path}\n`).join(''));
      }
      exit(0);
    });
}
