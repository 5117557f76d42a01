import { Option, type Command } from 'commander';
import type { Runtime } from '../model/runtime.ts';
import { renderLimitsJson, renderLimitsText } from '../render/limits-text.ts';
import { renderStateMarkdown } from '../render/markdown.ts';
import { renderStateJson } from '../render/state-json.ts';
import { renderResourceText, renderStateText } from '../render/state-text.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { DiagnosticError } from '../model/errors.ts';
import { addImport, addStateChanges } from './state-commands.ts';
import type { Exit, GlobalOptions } from './program.ts';
import { isFindingFormat, type FindingFormat } from './finding-formats.ts';
import { createPlanReporter } from './plan-reporter.ts';
import { planFormats, TerminalReporter, type PlanFormat } from './terminal-reporter.ts';
import { layoutFor } from './terminal.ts';
import { verbose } from './wish-flags.ts';

interface JsonFlag {
  readonly json?: boolean;
}

/** What stands around the state: `show`, `state`, `import`, `limits`, `force-unlock`. */
export function addReadCommands(
  program: Command,
  runtime: Runtime,
  exit: Exit,
  globals: () => GlobalOptions,
): void {
  const { stdout, env } = runtime;
  const layout = () => layoutFor(stdout, env, globals().isColorRefused);
  const reporter = () => new TerminalReporter(runtime, { ...globals(), format: 'text' });
  const printJson = (value: object) => stdout.write(`${JSON.stringify(value, null, 2)}\n`);

  program
    .command('show')
    .summary('show a saved plan, or the state')
    .description('Shows a saved plan, or the state of the working directory.')
    .argument('[planfile]', 'a saved plan; the state of the working directory when absent')
    .addOption(
      new Option('--format <format>', 'how to show it').choices(planFormats).default('text'),
    )
    .addOption(verbose())
    .option('--json', 'the same as --format json')
    .action(async (planFile: string | undefined, flags: JsonFlag & { format: PlanFormat }) => {
      const format = flags.json ? 'json' : flags.format;
      if (planFile !== undefined) {
        const { showPlanFile } = await import('../commands/show.ts');
        const shown = await createPlanReporter(runtime, globals(), format);
        await showPlanFile(runtime, planFile, shown);
        exit(0);
        return;
      }
      if (isFindingFormat(format)) throw new DiagnosticError([explainNoFindings(format)]);
      const { readState } = await import('../commands/read-state.ts');
      const state = await readState(runtime, '.', reporter());
      if (format === 'html') {
        const [{ composeStateReport }, { readLastRun }] = await Promise.all([
          import('./compose-report.ts'),
          import('../commands/last-run.ts'),
        ]);
        stdout.write(composeStateReport(state, await readLastRun(runtime, '.')));
      } else if (format === 'json') stdout.write(`${JSON.stringify(renderStateJson(state))}\n`);
      else if (format === 'markdown') stdout.write(renderStateMarkdown(state));
      else stdout.write(renderStateText(state, layout()));
      exit(0);
    });

  const state = program
    .command('state')
    .summary('look into the state, and change it by hand')
    .description('Looks into the state of the working directory, and changes it by hand.');
  state
    .command('list')
    .summary('list the addresses of the state')
    .description('Lists the addresses of the state, a line each.')
    .argument('[addresses...]', 'only these, and what stands below them')
    .action(async (prefixes: string[]) => {
      const { listAddresses, readState } = await import('../commands/read-state.ts');
      const read = await readState(runtime, '.', reporter(), { mustExist: true });
      const addresses = listAddresses(read, prefixes);
      stdout.write(addresses.map((address) => `${address}\n`).join(''));
      exit(0);
    });
  state
    .command('show')
    .summary('show one resource of the state')
    .description('Shows one resource of the state, as it was last applied.')
    .argument('<address>', 'its address, e.g. projects.shop.vms.web[0]')
    .option('--json', 'print it as JSON')
    .action(async (address: string, { json }: JsonFlag) => {
      const { findResource, readState } = await import('../commands/read-state.ts');
      const read = await readState(runtime, '.', reporter(), { mustExist: true });
      const resource = findResource(read, address);
      if (json) printJson(resource);
      else stdout.write(renderResourceText(resource, layout()));
      exit(0);
    });

  addStateChanges(state, runtime, exit, reporter);
  addImport(program, runtime, exit, reporter);

  program
    .command('limits')
    .summary('show the quotas in use and the caps of names')
    .description(
      'Shows the quotas of the account and how much of each is in use, and how long names may be.',
    )
    .argument('[dir]', 'directory of the configuration', '.')
    .option('--json', 'print them as JSON')
    .action(async (directory: string, { json }: JsonFlag) => {
      const { limits } = await import('../commands/limits.ts');
      const read = await limits(runtime, directory, reporter());
      if (json) printJson(renderLimitsJson(read.limits, read.nameLengths));
      else stdout.write(renderLimitsText(read.limits, read.nameLengths, layout()));
      exit(0);
    });

  program
    .command('force-unlock')
    .summary('remove a lock that nobody holds any more')
    .description('Removes the lock of the state. Make sure first that its holder no longer runs.')
    .argument('<id>', 'the ID that the message about the lock shows')
    .action(async (id: string) => {
      const { unlock } = await import('../commands/force-unlock.ts');
      const { Who, Operation } = await unlock(runtime, '.', id);
      stdout.write(`The lock of ${Who} (${Operation}) is removed.\n`);
      exit(0);
    });
}

function explainNoFindings(format: FindingFormat): Diagnostic {
  return {
    severity: 'error',
    code: 'no-findings-in-state',
    summary: `The state cannot be shown as ${format}`,
    detail: 'The format holds findings, and a state has none.',
    hint: 'Show a saved plan: hostwright show PLANFILE.',
  };
}
