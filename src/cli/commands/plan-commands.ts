import { Option, type Command } from 'commander';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { refuse } from '../../commands/session/refuse.ts';
import type { PlanOutcome } from '../../commands/lifecycle/plan.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { Layout } from '../../render/format/style.ts';
import { renderRunNote, renderSavedNote, type SavedNote } from '../../render/text/saved-note.ts';
import type { CommandContext } from '../command-context.ts';
import { onelineOption } from '../flags/global-options.ts';
import { parseDuration } from '../flags/options.ts';
import { planFormats } from '../output/terminal-reporter.ts';
import { layoutFor } from '../output/terminal.ts';
import {
  addPlanOptions,
  addRehearsalOptions,
  explainOption,
  readExplained,
  readMode,
  readPlanOptions,
  readRehearsal,
  refreshOnly,
  refuseFlags,
  type ApplyFlags,
  type PlanFlags,
} from '../flags/plan-options.ts';
import { withReporter } from '../output/with-reporter.ts';

/** Tells a saved plan from the directory of a configuration. @throws DiagnosticError where there is neither */
async function isSavedPlan(path: string, written: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found) return found.isFile();
  throw refuse('directory-not-found', `${written} is neither a directory nor a saved plan`, {
    detail: 'There is no such file or directory.',
    hint: 'Give the directory of a configuration, or a file that "hostwright plan --out FILE" made.',
  });
}

/** `plan`, `apply` and `destroy`. */
export function addPlanCommands(program: Command, context: CommandContext): void {
  addPlan(program, context);
  addApply(program, context);
  addDestroy(program, context);
}

function addPlan(program: Command, { runtime, globals, exit }: CommandContext): void {
  addRehearsalOptions(addPlanOptions(program.command('plan')))
    .summary('show what apply would change')
    .description(
      'Reads the live account, shows exactly what would change, and checks that it can. Changes nothing.',
    )
    .argument('[dir]', 'directory of the configuration', '.')
    .option('--out <file>', 'save the plan, for "hostwright apply FILE"')
    .option('--destroy', 'plan to destroy all managed resources')
    .addOption(refreshOnly())
    .option('--detailed-exitcode', 'exit with 2 when there are changes')
    .addOption(
      new Option('--format <format>', 'how to show the plan').choices(planFormats).default('text'),
    )
    .addOption(explainOption())
    .addOption(onelineOption())
    .action(async (directory: string, flags: PlanFlags) => {
      const { plan } = await import('../../commands/lifecycle/plan.ts');
      const options = {
        directory,
        lockTimeoutMs: flags.lockTimeout,
        mode: readMode(flags),
        out: flags.out,
        traced: readExplained(flags),
        planOptions: readPlanOptions(flags),
        rehearsal: readRehearsal(flags),
      };
      const shown = { ...flags, directory };
      const code = await withReporter(runtime, globals, shown, async (reporter) => {
        const outcome = await plan(runtime, options, reporter);
        if (outcome.kind === 'errors') return 1;
        // A server that runs this process wants to know all of the plan.
        const report = runtime.env.HOSTWRIGHT_SERVER_REPORT;
        if (flags.out !== undefined && report !== undefined) {
          const { writeServerReport } = await import('../output/write-server-report.ts');
          await writeServerReport(runtime, globals, flags.out, report);
        }
        const isText = flags.format === 'text' && !flags.json && !flags.explain;
        const hasChanges = outcome.kind === 'changes';
        if (isText && ((hasChanges && !flags.oneline) || flags.out !== undefined)) {
          const layout = layoutFor(runtime.stdout, runtime.env, globals.isColorRefused);
          runtime.stdout.write(renderNote(runtime, flags.out, outcome, layout));
        }
        return hasChanges && flags.detailedExitcode ? 2 : 0;
      });
      exit(code);
    });
}

/** How to apply the plan. The file of a server's run is gone with the run, and not every plan of one can be applied. */
function renderNote(
  runtime: Runtime,
  file: string | undefined,
  outcome: PlanOutcome,
  layout: Layout,
): string {
  const { run } = runtime.process;
  if (!run) {
    return renderSavedNote(
      file === undefined ? undefined : describeSaved(runtime, file, outcome),
      layout,
    );
  }
  const isApplicable = runtime.env.HOSTWRIGHT_SERVER_APPLICABLE !== undefined;
  return isApplicable && outcome.kind === 'changes' ? renderRunNote(run.id, layout) : '';
}

/** What an apply of a saved plan needs besides: what the environment and defaults give is there as it was. */
function describeSaved(
  { variables = [] }: Runtime,
  file: string,
  { withheld }: PlanOutcome,
): SavedNote {
  const given = (name: string) =>
    variables.some((one) => 'flag' in one && one.flag.split('=', 1)[0]?.trim() === name);
  return {
    file,
    variableFiles:
      withheld.length > 0 ? variables.flatMap((one) => ('file' in one ? [one.file] : [])) : [],
    unset: withheld.filter(given),
  };
}

function addApply(program: Command, context: CommandContext): void {
  addPlanOptions(program.command('apply'))
    .summary('make the live account match the configuration')
    .description(
      'Plans, asks, and applies. A saved plan is applied without asking, and refused when the account has changed since.',
    )
    .argument('[dir-or-planfile]', 'directory of the configuration, or a saved plan', '.')
    .option('--auto-approve', 'apply without asking')
    .addOption(
      new Option(
        '--capacity-wait <duration>',
        'how long to retry when the cluster has no room for a VM, e.g. 30m',
      )
        .argParser(parseDuration)
        .default(0, '0s'),
    )
    .option('--destroy', 'destroy all managed resources')
    .addOption(refreshOnly())
    .action((path: string, flags: ApplyFlags) =>
      runApply(context, path, readMode(flags), flags, true),
    );
}

function addDestroy(program: Command, context: CommandContext): void {
  addPlanOptions(program.command('destroy'), false)
    .summary('destroy all managed resources')
    .description(
      'Shows what would be destroyed, asks, and destroys it. "plan --destroy" shows the same plan.',
    )
    .argument('[dir]', 'directory of the configuration', '.')
    .option('--auto-approve', 'destroy without asking')
    .action((directory: string, flags: ApplyFlags) =>
      runApply(context, directory, 'destroy', flags, false),
    );
}

async function runApply(
  { runtime, globals, exit }: CommandContext,
  path: string,
  mode: PlanMode,
  flags: ApplyFlags,
  takesPlan: boolean,
): Promise<void> {
  const [{ apply }, { openSavedPlan }] = await Promise.all([
    import('../../commands/lifecycle/apply.ts'),
    import('../../commands/lifecycle/saved-plan.ts'),
  ]);
  const shown = { ...flags, format: 'text' } as const;
  const code = await withReporter(runtime, globals, shown, async (reporter) => {
    const isFile = takesPlan && (await isSavedPlan(resolve(runtime.cwd, path), path));
    const saved = isFile ? await openSavedPlan(runtime, path) : undefined;
    if (saved) refuseFlags(runtime, flags, saved);
    else if (flags.json && !flags.autoApprove) throw createApprovalError();
    const options = {
      directory: saved?.directory ?? path,
      lockTimeoutMs: flags.lockTimeout,
      mode: saved?.mode ?? mode,
      saved,
      isApproved: flags.autoApprove === true,
      parallelism: flags.parallelism,
      capacityWaitMs: flags.capacityWait,
      planOptions: readPlanOptions(flags),
    };
    const outcome = await apply(runtime, options, reporter);
    return outcome === 'done' ? 0 : outcome === 'interrupted' ? 130 : 1;
  });
  exit(code);
}

/** What is answered where an apply would have to ask: a question has no place among events. */
function createApprovalError(): DiagnosticError {
  return refuse('approval-needed', '--json cannot ask for approval', {
    detail: 'Standard output is for events, so there is no prompt.',
    hint: 'Add --auto-approve, or apply a plan that was saved with "hostwright plan --out FILE".',
  });
}
