import { Option, type Command } from 'commander';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createCommandRefusal } from '../../commands/session/refuse.ts';
import type { SavedPlanArguments, PlanOutcome } from '../../commands/lifecycle/plan.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { onlyDueBackupsVariable, type PlanMode, type PlanOptions } from '../../model/plan/plan.ts';
import type { GivenVariable, Runtime } from '../../model/runtime.ts';
import type { TextLayout } from '../../render/format/style.ts';
import { quoteText } from '../../render/format/escape.ts';
import { quoteForShell } from '../../render/format/shell.ts';
import {
  renderServerSavedPlanNote,
  renderSavedPlanNote,
  type SavedPlanNote,
} from '../../render/text/saved-note.ts';
import type { CommandLineContext } from '../command-context.ts';
import { onelineOption } from '../flags/global-options.ts';
import { parseAddressFlag, parseDurationFlag } from '../flags/options.ts';
import { planFormats } from '../output/terminal-reporter.ts';
import { chooseTextLayout } from '../output/terminal.ts';
import {
  addPlanOptions,
  addRehearsalOptions,
  explainOption,
  readExplainFlagAddresses,
  readPlanMode,
  readPlanOptions,
  readRehearsalFlags,
  refreshOnlyOption,
  refuseFlagsWithSavedPlan,
  type ApplyFlags,
  type PlanFlags,
} from '../flags/plan-options.ts';
import { runWithReporter } from '../output/with-reporter.ts';

/** Positional arguments of `apply`. */
interface ApplyOperands {
  readonly planFile?: string;
  /** Directory of the configuration; undefined after a plan file alone. */
  readonly directory?: string | undefined;
}

/** Tells a saved plan from the directory of a configuration. @throws DiagnosticError where there is neither */
async function readOperands(
  { cwd }: Pick<Runtime, 'cwd'>,
  written: string,
  second: string | undefined,
): Promise<ApplyOperands> {
  const found = await stat(resolve(cwd, written)).catch(() => undefined);
  if (found?.isFile()) return { planFile: written, directory: second };
  if (found && second === undefined) return { directory: written };
  const hint =
    'Give the directory of a configuration, or a file that "hostwright plan --out FILE" made.';
  throw found
    ? createCommandRefusal(
        'too-many-arguments',
        `${written} is a directory, so that no other can follow`,
        {
          hint,
        },
      )
    : createCommandRefusal(
        'directory-not-found',
        `${written} is neither a directory nor a saved plan`,
        {
          detail: 'There is no such file or directory.',
          hint,
        },
      );
}

/** `plan`, `apply`, `destroy` and `restore`. */
export function addPlanCommands(program: Command, context: CommandLineContext): void {
  addPlan(program, context);
  addApply(program, context);
  addDestroy(program, context);
  addRestore(program, context);
}

function addPlan(program: Command, { runtime, globals, exit }: CommandLineContext): void {
  addRehearsalOptions(addPlanOptions(program.command('plan')))
    .summary('show what apply would change')
    .description(
      'Reads the live account, shows exactly what would change, and checks that it can. Changes nothing.',
    )
    .argument('[dir]', 'directory of the configuration', '.')
    .option('--out <file>', 'save the plan, for "hostwright apply FILE"')
    .option('--destroy', 'plan to destroy all managed resources')
    .addOption(refreshOnlyOption())
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
        mode: readPlanMode(flags),
        out: flags.out,
        traced: readExplainFlagAddresses(flags),
        planOptions: readPlanOptions(flags),
        rehearsal: readRehearsalFlags(flags),
      };
      const shown = { ...flags, directory };
      const code = await runWithReporter(runtime, globals, shown, async (reporter) => {
        const outcome = await plan(runtime, options, reporter);
        if (outcome.kind === 'errors') return 1;
        // A server that has started this process names the file for its report of the plan.
        const report = runtime.env.HOSTWRIGHT_SERVER_REPORT;
        if (flags.out !== undefined && report !== undefined) {
          const { writeServerPlanReport: writeServerReport } =
            await import('../output/write-server-report.ts');
          await writeServerReport(runtime, globals, { ...outcome, file: flags.out, report });
        }
        const isText = flags.format === 'text' && !flags.json && !flags.explain;
        const hasChanges = outcome.kind === 'changes';
        if (isText && ((hasChanges && !flags.oneline) || flags.out !== undefined)) {
          const layout = chooseTextLayout(runtime.stdout, runtime.env, globals.isColorRefused);
          runtime.stdout.write(renderNote(runtime, flags.out, outcome, layout));
        }
        return hasChanges && flags.detailedExitcode ? 2 : 0;
      });
      exit(code);
    });
}

/** Note on how to apply the plan. The file of a server's run is gone with the run, and not every plan of one can be applied. */
function renderNote(
  runtime: Pick<Runtime, 'env' | 'process' | 'variables'>,
  file: string | undefined,
  outcome: PlanOutcome,
  layout: TextLayout,
): string {
  const { run } = runtime.process;
  if (!run) {
    const { again } = outcome;
    const isSaved = file !== undefined && again !== undefined;
    return renderSavedPlanNote(isSaved ? describeSaved(runtime, file, again) : undefined, layout);
  }
  const isApplicable = runtime.env.HOSTWRIGHT_SERVER_APPLICABLE !== undefined;
  return isApplicable && outcome.kind === 'changes'
    ? renderServerSavedPlanNote(run.id, layout)
    : '';
}

/** File and flags for `apply` of a saved plan: variables of the environment and defaults are still as they were. */
function describeSaved(
  { variables = [] }: Pick<Runtime, 'variables'>,
  file: string,
  { flags, variables: set, sensitive }: SavedPlanArguments,
): SavedPlanNote {
  const unset = new Set<string>();
  const flagsOf = (one: GivenVariable): string[] => {
    if ('file' in one) return [`--var-file ${quoteText(one.file)}`];
    const name = one.flag.split('=', 1)[0]?.trim() ?? '';
    const isSensitive = sensitive.includes(name);
    if (isSensitive) unset.add(name);
    return isSensitive || set !== 'all' ? [] : [`--var ${quoteForShell(one.flag)}`];
  };
  const given = set === 'none' ? [] : variables.flatMap(flagsOf);
  return { file, flags: [...flags, ...given], unset: [...unset] };
}

function addApply(program: Command, context: CommandLineContext): void {
  addPlanOptions(program.command('apply'))
    .summary('make the live account match the configuration')
    .description(
      'Plans, asks, and applies. A saved plan is applied without asking, and refused when the account or the configuration has changed since, or when it was made with other options.',
    )
    .argument('[dir-or-planfile]', 'directory of the configuration, or a saved plan', '.')
    .argument('[dir]', 'directory of the configuration, after a saved plan; default: "."')
    .option('--auto-approve', 'apply without asking')
    .addOption(
      new Option(
        '--capacity-wait <duration>',
        'how long to retry when the cluster has no room for a VM, e.g. 30m',
      )
        .argParser(parseDurationFlag)
        .default(0, '0s'),
    )
    .option('--destroy', 'destroy all managed resources')
    .addOption(refreshOnlyOption())
    .action((first: string, second: string | undefined, flags: ApplyFlags) =>
      runApply(
        context,
        () => readOperands(context.runtime, first, second),
        readPlanMode(flags),
        flags,
      ),
    );
}

function addDestroy(program: Command, context: CommandLineContext): void {
  addPlanOptions(program.command('destroy'), { hasConfiguration: false })
    .summary('destroy all managed resources')
    .description(
      'Shows what would be destroyed, asks, and destroys it. "plan --destroy" shows the same plan.',
    )
    .argument('[dir]', 'directory of the configuration', '.')
    .option('--auto-approve', 'destroy without asking')
    .action((directory: string, flags: ApplyFlags) =>
      runApply(context, () => Promise.resolve({ directory }), 'destroy', flags),
    );
}

function addRestore(program: Command, context: CommandLineContext): void {
  addPlanOptions(program.command('restore'), { hasConfiguration: false, hasSelection: false })
    .summary('bring a retired VM back')
    .description(
      'Plans the way back of a VM that lifecycle.retire has kept, asks, and applies it: it returns under its name, running, with its networks and forwards. The VM that stands in its place retires, or is destroyed. A rebuild is not covered: restore a backup with "hostwright vm restore".',
    )
    .argument('<address>', 'address of the VM, or of the retired one', parseAddressFlag)
    .argument('[dir]', 'directory of the configuration', '.')
    .option('--force', 'allow a plan to exceed the guards, except guards.dataLoss')
    .option('--auto-approve', 'restore without asking')
    .action((restore: ResourceAddress, directory: string, flags: ApplyFlags) =>
      runApply(context, () => Promise.resolve({ directory }), 'apply', { ...flags, restore }),
    );
}

async function runApply(
  { runtime, globals, exit }: CommandLineContext,
  findOperands: () => Promise<ApplyOperands>,
  mode: PlanMode,
  flags: ApplyFlags,
): Promise<void> {
  const [{ apply }, { openSavedPlan }] = await Promise.all([
    import('../../commands/lifecycle/apply.ts'),
    import('../../commands/lifecycle/saved-plan.ts'),
  ]);
  const shown = { ...flags, format: 'text' } as const;
  const code = await runWithReporter(runtime, globals, shown, async (reporter) => {
    const { planFile, directory } = await findOperands();
    const saved = planFile === undefined ? undefined : await openSavedPlan(runtime, planFile);
    if (!saved && flags.json && !flags.autoApprove) throw createApprovalError();
    // A sealed plan was made by an owner of the key: its own options count, and need not be given again.
    const sealed = saved?.isTrusted ? saved : undefined;
    if (sealed) refuseFlagsWithSavedPlan(runtime, flags, sealed);
    const options = {
      directory: directory ?? sealed?.directory ?? '.',
      mode: sealed?.mode ?? mode,
      planOptions: sealed?.planOptions ?? pickDue(runtime, readPlanOptions(flags)),
      lockTimeoutMs: flags.lockTimeout,
      saved,
      isApproved: flags.autoApprove === true,
      parallelism: flags.parallelism,
      capacityWaitMs: flags.capacityWait,
    };
    const outcome = await apply(runtime, options, reporter);
    return outcome === 'done' ? 0 : outcome === 'interrupted' ? 130 : 1;
  });
  exit(code);
}

/** A drift check of a server makes the backups that are due, and nothing else. */
function pickDue({ env }: Pick<Runtime, 'env'>, planOptions: PlanOptions): PlanOptions {
  if (env[onlyDueBackupsVariable] === undefined) return planOptions;
  return { ...planOptions, selection: { ...planOptions.selection, onlyDue: true } };
}

/** Error of `--json` where an apply would have to ask: a question has no place among events. */
function createApprovalError(): DiagnosticError {
  return createCommandRefusal('approval-needed', '--json cannot ask for approval', {
    detail: 'Standard output is for events, so there is no prompt.',
    hint: 'Add --auto-approve, or apply a plan that was saved with "hostwright plan --out FILE".',
  });
}
