import { Option, type Command } from 'commander';
import type { CreatedInitFile } from '../../commands/lifecycle/init.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { formatNameList } from '../../model/text/suggest.ts';
import { escapeUntrustedText } from '../../render/format/escape.ts';
import { quoteForShell } from '../../render/format/shell.ts';
import { measureTerminalWidth, padRight, wrapText } from '../../render/format/measure.ts';
import { renderStateMigration } from '../../render/text/history-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { DayTwoTerminalReporter } from '../day-two/day-two-reporter.ts';
import { chooseTextLayout } from '../output/terminal.ts';

interface InitFlags {
  readonly baseUrl?: string;
  readonly fromAccount?: boolean;
  readonly migrateState?: boolean;
  readonly upgrade?: boolean;
  readonly lockfile?: 'readonly';
}

type Surroundings = Pick<CommandLineContext, 'runtime' | 'globals' | 'exit'>;

/** `init`. */
export function addInitCommand(
  program: Command,
  { runtime, globals, exit }: CommandLineContext,
): void {
  program
    .command('init')
    .summary('write a first configuration, or fetch the modules of one')
    .description(
      'Writes a first configuration with comments, its schema for editors, and a .gitignore into a directory, and creates the directory if needed. The configuration runs on the embedded sandbox until you set service.baseUrl. With --from-account, it has what the account at HOSTWRIGHT_BASE_URL or --base-url has. Nothing is overwritten. In a configuration with modules from git, it fetches these into .hostwright/modules and pins them in hostwright.lock.yaml.',
    )
    .argument('[dir]', 'the directory', '.')
    .option('--base-url <url>', 'the address of an account, in place of the embedded sandbox')
    .addOption(
      new Option(
        '--from-account',
        'write what the account has, with an import of each resource, in place of an example',
      ).conflicts(['migrateState', 'upgrade', 'lockfile']),
    )
    .addOption(
      new Option(
        '--migrate-state',
        'write nothing new, and move the state in .hostwright to the place that `state` names',
      ).conflicts('baseUrl'),
    )
    .addOption(
      new Option(
        '--upgrade',
        'move the pins of modules from git to what their refs name now',
      ).conflicts(['baseUrl', 'migrateState']),
    )
    .addOption(
      new Option(
        '--lockfile <mode>',
        'readonly: fetch what hostwright.lock.yaml pins, and fail where a module has no pin',
      )
        .choices(['readonly'])
        .conflicts(['baseUrl', 'migrateState', 'upgrade']),
    )
    .action(async (directory: string, flags: InitFlags) => {
      const commandContext = { runtime, globals, exit };
      const { baseUrl, fromAccount: isFromAccount = false, migrateState } = flags;
      if (migrateState) return migrateHere(directory, commandContext);
      const mayHaveModules = baseUrl === undefined && !isFromAccount;
      if (mayHaveModules && (await fetchModules(directory, flags, commandContext))) return;
      const init = await import('../../commands/lifecycle/init.ts');
      const options = { directory, baseUrl };
      if (isFromAccount) {
        const reporter = new DayTwoTerminalReporter(runtime, globals.isColorRefused);
        const { files, importCount } = await init.initFromAccount(runtime, options, reporter);
        const next = `It imports ${formatCountWithNoun('resource', importCount)} of the account, and changes none. Next:`;
        writeFirstSteps(files, next, directory, commandContext);
      } else {
        const files = await init.initDirectory(runtime, options);
        const next =
          baseUrl === undefined
            ? 'It runs on the embedded sandbox, so nothing costs anything. Next:'
            : 'Give the access token as HOSTWRIGHT_TOKEN or HOSTWRIGHT_TOKEN_FILE. Next:';
        writeFirstSteps(files, next, directory, commandContext);
      }
      exit(0);
    });
}

/** Writes what was written, and what to run next. */
function writeFirstSteps(
  files: readonly CreatedInitFile[],
  next: string,
  directory: string,
  { runtime: { stdout, env }, globals }: Surroundings,
): void {
  const { style, columns } = chooseTextLayout(stdout, env, globals.isColorRefused);
  const width = Math.max(
    ...files.map(({ path }) => measureTerminalWidth(escapeUntrustedText(path))),
  );
  const list = files.map(
    ({ path, purpose }) => `  ${padRight(escapeUntrustedText(path), width)}  ${purpose}`,
  );
  const place = describePlace(directory);
  stdout.write(
    [
      style.green('A first configuration is written:'),
      '',
      ...list,
      '',
      ...wrapText(next, columns),
      '',
      `  hostwright plan${place}    # shows what would be done, and changes nothing`,
      `  hostwright apply${place}   # asks, and does it`,
      '',
    ].join('\n'),
  );
}

/** Directory as the argument of `hostwright plan`, quoted for a shell, with a space before it; empty for the present one. */
function describePlace(directory: string): string {
  const operand = directory.startsWith('-') ? `./${directory}` : directory;
  return directory === '.' ? '' : ` ${quoteForShell(operand)}`;
}

/** Fetches the modules that come from git; false where a configuration has none. */
async function fetchModules(
  directory: string,
  { upgrade = false, lockfile }: InitFlags,
  { runtime, globals, exit }: Surroundings,
): Promise<boolean> {
  const [
    { initModules },
    { renderModuleFetchLine: renderFetch, renderFetchedModules: renderModules },
  ] = await Promise.all([
    import('../../commands/lifecycle/init-modules.ts'),
    import('../../render/text/modules-text.ts'),
  ]);
  const { stdout, stderr, env } = runtime;
  const options = { directory, isUpgrade: upgrade, isLocked: lockfile === 'readonly' };
  const done = await initModules(runtime, options, ({ pin }) => stderr.write(renderFetch(pin)));
  if (!done) return false;
  new DayTwoTerminalReporter(runtime, globals.isColorRefused).showDiagnostics(done.warnings);
  if (done.removed.length > 0) stderr.write(tellRemoved(done.removed));
  const modules = done.modules.map(({ source, pin, before, isFetched }) => {
    return { name: source.pin, commit: pin.commit, before, isFetched };
  });
  const shown = { modules, lock: done.lock, place: describePlace(directory) };
  stdout.write(renderModules(shown, chooseTextLayout(stdout, env, globals.isColorRefused)));
  exit(0);
  return true;
}

/** The line that says what of earlier fetches is gone. */
function tellRemoved(removed: readonly string[]): string {
  return `Removed from .hostwright/modules, since nothing pins it any more: ${formatNameList(removed, 4)}.\n`;
}

async function migrateHere(
  directory: string,
  { runtime, globals, exit }: Surroundings,
): Promise<void> {
  const { isColorRefused } = globals;
  const { stdout, env } = runtime;
  const reporter = new DayTwoTerminalReporter(runtime, isColorRefused);
  const { migrateStateHere: migrate } = await import('../../commands/state/migrate-state.ts');
  const moved = await migrate(runtime, directory, reporter);
  stdout.write(renderStateMigration(moved, chooseTextLayout(stdout, env, isColorRefused)));
  exit(0);
}
