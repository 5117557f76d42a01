import { Option, type Command } from 'commander';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DiagnosticError } from '../model/errors.ts';
import type { PlanMode, PlanWishes } from '../model/plan.ts';
import type { Runtime } from '../model/runtime.ts';
import { renderSavedNote } from '../render/text.ts';
import { parseAddressFlag, parseDuration, parseWhole } from './options.ts';
import { createPlanReporter } from './plan-reporter.ts';
import { planFormats, TerminalReporter, type PlanFormat } from './terminal-reporter.ts';
import { layoutFor } from './terminal.ts';
import type { GlobalOptions, Exit } from './program.ts';

interface PlanFlags extends WishFlags {
  readonly out?: string;
  readonly destroy?: boolean;
  readonly refreshOnly?: boolean;
  readonly detailedExitcode?: boolean;
  readonly format: PlanFormat;
}

interface ApplyFlags extends WishFlags {
  readonly autoApprove?: boolean;
  readonly capacityWait?: number;
  readonly destroy?: boolean;
  readonly refreshOnly?: boolean;
}

/** The flags that `plan`, `apply` and `destroy` share. */
interface WishFlags {
  readonly parallelism: number;
  readonly lockTimeout: number;
  readonly adopt?: boolean;
  readonly force?: boolean;
  readonly replace?: readonly string[];
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
}

function readWishes({ adopt, force, replace, target, exclude }: WishFlags): PlanWishes {
  return {
    adoptsAll: adopt === true,
    isForced: force === true,
    replace: replace ?? [],
    selection: { targets: target ?? [], excludes: exclude ?? [] },
  };
}

function readMode(flags: { destroy?: boolean; refreshOnly?: boolean }): PlanMode {
  if (flags.refreshOnly) return 'refresh';
  return flags.destroy ? 'destroy' : 'apply';
}

const refreshOnly = () =>
  new Option(
    '--refresh-only',
    'change nothing in the account: show what changed outside, and let the state say it',
  ).conflicts(['destroy', 'replace', 'adopt', 'target', 'exclude']);
const lockTimeout = () =>
  new Option('--lock-timeout <duration>', 'how long to wait for the lock of the state, e.g. 30s')
    .argParser(parseDuration)
    .default(0, '0s');
const parallelism = () =>
  new Option('--parallelism <n>', 'how many changes may run at once')
    .argParser(parseWhole(1, 1_000))
    .default(50);

/** Adds the flags that say what of the configuration is to be planned, and how. */
function addWishes(command: Command, hasConfiguration = true): Command {
  const address = (flag: string, words: string) =>
    new Option(`${flag} <address>`, words).argParser(
      (text: string, before: readonly string[] | undefined) => [
        ...(before ?? []),
        parseAddressFlag(text),
      ],
    );
  if (hasConfiguration) {
    command
      .option(
        '--adopt',
        'take live resources of the same kind, project and name for configured ones',
      )
      .option('--force', 'let a plan pass that goes over the guards')
      .addOption(
        address('--replace', 'destroy and create this one anew; may be given several times'),
      );
  }
  return command
    .addOption(address('--target', 'only this one and what it needs; may be given several times'))
    .addOption(
      address('--exclude', 'all but this one and what needs it; may be given several times'),
    )
    .addOption(parallelism())
    .addOption(lockTimeout());
}

/** A saved plan is what it is: nothing that would make another one may stand beside it. */
function refuseFlags(
  { variables }: Runtime,
  flags: ApplyFlags,
  saved: { readonly isIncomplete: boolean },
): void {
  // Sensitive values are in no plan file: they are given once more.
  const hasVariables = (given: readonly string[] = []) => !saved.isIncomplete && given.length > 0;
  const given: Readonly<Record<string, unknown>> = {
    '--var': hasVariables(variables?.fromFlags),
    '--var-file': hasVariables(variables?.files),
    '--destroy': flags.destroy,
    '--refresh-only': flags.refreshOnly,
    '--adopt': flags.adopt,
    '--force': flags.force,
    '--replace': flags.replace,
    '--target': flags.target,
    '--exclude': flags.exclude,
  };
  const names = Object.keys(given).filter((name) => given[name]);
  if (names.length === 0) return;
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'saved-plan-with-options',
      summary: `A saved plan cannot be applied with ${names.join(', ')}`,
      detail:
        'It was made with the variables and the options of its time, and is applied as it was approved.',
      hint: 'Leave them out, or make the plan again with them.',
    },
  ]);
}

function nothingToApply(path: string): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'directory-not-found',
      summary: `${path} is neither a directory nor a saved plan`,
      detail: 'There is no such file or directory.',
      hint: 'Give the directory of a configuration, or a file that "hostwright plan --out FILE" made.',
    },
  ]);
}

/** `plan`, `apply` and `destroy`. */
export function addPlanCommands(
  program: Command,
  runtime: Runtime,
  exit: Exit,
  globals: () => GlobalOptions,
): void {
  addWishes(program.command('plan'))
    .summary('show what apply would change')
    .description(
      'Reads the live account and shows exactly what would change, and proves beforehand that it can. Changes nothing.',
    )
    .argument('[dir]', 'directory of the configuration', '.')
    .option('--out <file>', 'save the plan, for "hostwright apply FILE"')
    .option('--destroy', 'plan to destroy everything that is managed')
    .addOption(refreshOnly())
    .option('--detailed-exitcode', 'exit with 2 when there are changes')
    .addOption(
      new Option('--format <format>', 'how to show the plan').choices(planFormats).default('text'),
    )
    .action(async (directory: string, flags: PlanFlags) => {
      const reporter = await createPlanReporter(runtime, globals(), flags.format);
      const { plan } = await import('../commands/plan.ts');
      const outcome = await plan(
        runtime,
        {
          directory,
          lockTimeoutMs: flags.lockTimeout,
          mode: readMode(flags),
          out: flags.out,
          wishes: readWishes(flags),
        },
        reporter,
      );
      if (outcome === 'errors') {
        exit(1);
        return;
      }
      if (flags.format === 'text' && (outcome === 'changes' || flags.out !== undefined)) {
        const layout = layoutFor(runtime.stdout, runtime.env, globals().isColorRefused);
        runtime.stdout.write(renderSavedNote(flags.out, layout));
      }
      exit(outcome === 'changes' && flags.detailedExitcode ? 2 : 0);
    });

  addWishes(program.command('apply'))
    .summary('make the live account match the configuration')
    .description(
      'Plans, asks, and applies. A saved plan is applied without asking, and refused when the account has moved since.',
    )
    .argument('[dir-or-planfile]', 'directory of the configuration, or a saved plan', '.')
    .option('--auto-approve', 'apply without asking')
    .addOption(
      new Option(
        '--capacity-wait <duration>',
        'try again for so long where the cluster has no room for a VM, e.g. 30m',
      )
        .argParser(parseDuration)
        .default(0, '0s'),
    )
    .option('--destroy', 'destroy everything that is managed')
    .addOption(refreshOnly())
    .action(async (path: string, flags: ApplyFlags) => {
      const found = await stat(resolve(runtime.cwd, path)).catch(() => undefined);
      if (!found) throw nothingToApply(path);
      await runApply(path, found.isFile(), readMode(flags), flags);
    });

  addWishes(program.command('destroy'), false)
    .summary('destroy everything that the state says is ours')
    .description('The apply of "plan --destroy": shows what would go, asks, and destroys it.')
    .argument('[dir]', 'directory of the configuration', '.')
    .option('--auto-approve', 'destroy without asking')
    .action((directory: string, flags: ApplyFlags) => runApply(directory, false, 'destroy', flags));

  const runApply = async (path: string, isFile: boolean, mode: PlanMode, flags: ApplyFlags) => {
    const reporter = new TerminalReporter(runtime, { ...globals(), format: 'text' });
    const [{ apply }, { openSavedPlan }] = await Promise.all([
      import('../commands/apply.ts'),
      import('../commands/saved-plan.ts'),
    ]);
    try {
      const saved = isFile ? await openSavedPlan(runtime, path) : undefined;
      if (saved) refuseFlags(runtime, flags, saved);
      const outcome = await apply(
        runtime,
        {
          directory: saved?.directory ?? path,
          lockTimeoutMs: flags.lockTimeout,
          mode: saved?.mode ?? mode,
          saved,
          isApproved: flags.autoApprove === true,
          parallelism: flags.parallelism,
          capacityWaitMs: flags.capacityWait,
          wishes: readWishes(flags),
        },
        reporter,
      );
      exit(outcome === 'done' ? 0 : outcome === 'interrupted' ? 130 : 1);
    } finally {
      reporter.stop();
    }
  };
}
