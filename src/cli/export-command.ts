import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { createTextReporter } from './terminal-reporter.ts';

interface ExportFlags {
  readonly project: readonly string[];
  readonly all?: boolean;
}

/** `export`. */
export function addExportCommand(program: Command, context: CommandContext): void {
  const { runtime, exit } = context;
  program
    .command('export')
    .summary('write a configuration for what exists in the account')
    .description(
      'Writes YAML for projects that exist, with an `imports` entry for everything in them: a plan of it imports all and changes nothing. The account is that of HOSTWRIGHT_BASE_URL, or of the configuration in the working directory. Access tokens and the settings of the account belong to no project and are not written.',
    )
    .option(
      '--project <name>',
      'the name or the id of a project; may be given several times',
      (name: string, before: readonly string[]) => [...before, name],
      [],
    )
    .option('--all', 'every project of the account')
    .action(async ({ project, all }: ExportFlags) => {
      const reporter = createTextReporter(context);
      const [{ exportProjects }, { renderConfigurationYaml }] = await Promise.all([
        import('../commands/export-projects.ts'),
        import('../render/configuration-yaml.ts'),
      ]);
      const options = { projects: project, takesAll: all === true };
      const { exported, service } = await exportProjects(runtime, options, reporter);
      runtime.stdout.write(renderConfigurationYaml(exported, service));
      exit(0);
    });
}
