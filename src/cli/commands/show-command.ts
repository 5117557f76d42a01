import { Option, type Command } from 'commander';
import { createCommandRefusal } from '../../commands/session/refuse.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import { formatPrintableJson } from '../../render/format/escape.ts';
import { renderStateMarkdown } from '../../render/markdown/markdown.ts';
import { renderPlanDifferencesJson } from '../../render/json/differences-json.ts';
import { renderStateJson } from '../../render/json/state-json.ts';
import { renderPlanDifferences } from '../../render/text/differences-text.ts';
import { renderStateOneline } from '../../render/text/oneline-text.ts';
import { renderStateText } from '../../render/text/state-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { isFindingFormat, type FindingFormat } from '../output/finding-formats.ts';
import { createPlanReporter } from '../output/plan-reporter.ts';
import { showFailureInFormat } from '../output/with-reporter.ts';
import { createTextReporter, planFormats, type PlanFormat } from '../output/terminal-reporter.ts';
import { fitLines, chooseTextLayout } from '../output/terminal.ts';
import { onelineOption, verboseOption } from '../flags/global-options.ts';

interface ShowFlags {
  readonly json?: boolean;
  readonly oneline?: boolean;
  readonly format: PlanFormat;
  readonly compare?: string;
}

/** `show`: a saved plan, or the state. */
export function addShowCommand(program: Command, context: CommandLineContext): void {
  const { runtime, exit } = context;
  program
    .command('show')
    .summary('show a saved plan, or the state')
    .description('Shows a saved plan, or the state of the working directory.')
    .argument('[planfile]', 'a saved plan; the state of the working directory when absent')
    .addOption(
      new Option('--format <format>', 'how to show it').choices(planFormats).default('text'),
    )
    .addOption(verboseOption())
    .addOption(onelineOption())
    .addOption(
      new Option(
        '--compare <planfile>',
        'show what an older saved plan does differently',
      ).conflicts('oneline'),
    )
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .action(async (planFile: string | undefined, flags: ShowFlags) => {
      const format = flags.json ? 'json' : flags.format;
      try {
        await showWanted(context, planFile, { ...flags, format });
      } catch (error) {
        await showFailureInFormat(runtime, { format }, error);
        throw error;
      }
      exit(0);
    });
}

async function showWanted(
  context: CommandLineContext,
  planFile: string | undefined,
  { format, compare, oneline }: ShowFlags,
): Promise<void> {
  if (compare !== undefined) await showDifferences(context, planFile, compare, format);
  else if (planFile === undefined) await showState(context, format, oneline === true);
  else {
    const { runtime, globals } = context;
    const { showPlanFile } = await import('../../commands/lifecycle/show.ts');
    const shown = await createPlanReporter(runtime, globals, format, oneline);
    await showPlanFile(runtime, planFile, shown);
  }
}

async function showDifferences(
  { runtime, globals }: CommandLineContext,
  planFile: string | undefined,
  older: string,
  format: PlanFormat,
): Promise<void> {
  if (planFile === undefined) {
    throw createCommandRefusal('compare-needs-plan', '--compare needs two saved plans', {
      detail: 'The state is no plan.',
      hint: 'Name both: hostwright show PLANFILE --compare OLDER.',
    });
  }
  if (format !== 'text' && format !== 'json') {
    throw createCommandRefusal('compare-format', `Differences cannot be shown as ${format}`, {
      hint: 'Leave out --format, or use --format json.',
    });
  }
  const { compareSavedPlans } = await import('../../commands/lifecycle/compare-saved-plans.ts');
  const differences = await compareSavedPlans(runtime, planFile, older);
  const { stdout, env } = runtime;
  const { isVerbose, isColorRefused } = globals;
  const layout = { ...chooseTextLayout(stdout, env, isColorRefused), isVerbose };
  stdout.write(
    format === 'json'
      ? `${formatPrintableJson(renderPlanDifferencesJson(differences))}\n`
      : renderPlanDifferences(differences, older, layout),
  );
}

async function showState(
  context: CommandLineContext,
  format: PlanFormat,
  isOneline: boolean,
): Promise<void> {
  if (isFindingFormat(format)) throw refuseFormat(format);
  const { runtime, globals } = context;
  const { stdout, env } = runtime;
  const { readState } = await import('../../commands/state/read-state.ts');
  const state = await readState(runtime, '.', createTextReporter(context));
  switch (format) {
    case 'html': {
      const [{ composeStateReport }, { readLastApplyTimeline }, { identifyPlan }] =
        await Promise.all([
          import('../output/compose-report.ts'),
          import('../../commands/session/last-run.ts'),
          import('../../commands/planning/identify-plan.ts'),
        ]);
      const identity = await identifyPlan(runtime, runtime.cwd);
      stdout.write(composeStateReport(state, identity, await readLastApplyTimeline(runtime, '.')));
      return;
    }
    case 'json':
      stdout.write(`${formatPrintableJson(renderStateJson(state))}\n`);
      return;
    case 'markdown':
      stdout.write(renderStateMarkdown(state));
      return;
    case 'text': {
      const layout = chooseTextLayout(stdout, env, globals.isColorRefused);
      stdout.write(
        isOneline
          ? renderStateOneline(state, fitLines(stdout, layout))
          : renderStateText(state, layout),
      );
    }
  }
}

function refuseFormat(format: FindingFormat): DiagnosticError {
  return createCommandRefusal('no-findings-in-state', `The state cannot be shown as ${format}`, {
    detail: 'The format holds findings, and a state has none.',
    hint: 'Show a saved plan: hostwright show PLANFILE.',
  });
}
