import { Option, type Command } from 'commander';
import { createCommandRefusal } from '../../commands/session/refuse.ts';
import type { RehearsalRequest } from '../../commands/rehearsal/rehearse-plan.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { PlanMode, PlanOptions } from '../../model/plan/plan.ts';
import type { Runtime } from '../../model/runtime.ts';
import { compactOption, verboseOption } from './global-options.ts';
import {
  lockTimeoutOption,
  parseAddressFlag,
  parseTargetAddressFlag,
  parseWholeNumberFlag,
} from './options.ts';
import { isFindingFormat } from '../output/finding-formats.ts';
import type { PlanFormat } from '../output/terminal-reporter.ts';
import { addEventStreamFlags, type EventStreamFlags } from '../output/with-reporter.ts';

/** The flags of `plan`. */
export interface PlanFlags extends PlanOptionFlags {
  readonly out?: string;
  readonly destroy?: boolean;
  readonly refreshOnly?: boolean;
  readonly detailedExitcode?: boolean;
  readonly rehearse?: boolean;
  readonly rehearsals?: number;
  readonly faults?: string;
  readonly explain?: readonly string[];
  readonly oneline?: boolean;
  readonly format: PlanFormat;
}

/** The flags of `apply` and `destroy`. */
export interface ApplyFlags extends PlanOptionFlags {
  readonly autoApprove?: boolean;
  readonly capacityWait?: number;
  readonly destroy?: boolean;
  readonly refreshOnly?: boolean;
}

/** The flags that `plan`, `apply` and `destroy` share. */
interface PlanOptionFlags extends EventStreamFlags {
  readonly parallelism: number;
  readonly lockTimeout: number;
  readonly adopt?: boolean;
  readonly force?: boolean;
  readonly allowDataLoss?: boolean;
  readonly removeDoubled?: boolean;
  readonly retryFailed?: boolean;
  readonly replace?: readonly string[];
  /** The resource to restore, which is the operand of `restore`; absent for other commands. */
  readonly restore?: ResourceAddress;
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Options of the plan by its flags. */
export function readPlanOptions(flags: PlanOptionFlags): PlanOptions {
  const { adopt, force, allowDataLoss, removeDoubled, retryFailed } = flags;
  const { replace, target, exclude } = flags;
  return {
    adoptsAll: adopt === true,
    isForced: force === true,
    ...(allowDataLoss && { allowsDataLoss: true }),
    ...(removeDoubled && { removesDoubled: true }),
    ...(retryFailed && { retriesFailed: true }),
    replace: replace ?? [],
    ...(flags.restore !== undefined && { restore: flags.restore }),
    selection: { targets: target ?? [], excludes: exclude ?? [] },
  };
}

/** Mode of the plan by its flags. */
export function readPlanMode(flags: { destroy?: boolean; refreshOnly?: boolean }): PlanMode {
  if (flags.refreshOnly) return 'refresh';
  return flags.destroy ? 'destroy' : 'apply';
}

/** `--refresh-only`. */
export const refreshOnlyOption = () =>
  new Option(
    '--refresh-only',
    'change nothing in the account: show what changed outside of Hostwright, and record it in the state',
  ).conflicts(['destroy', 'replace', 'adopt', 'target', 'exclude']);
/** The most rehearsals, trial runs against a copy of the account, that one plan may ask for. */
const mostRehearsals = 1_000;

/** Adds the flags of `plan` that ask for rehearsals: trial runs against a copy of the account. */
export function addRehearsalOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--rehearse',
        'apply the plan to a copy of the account in memory, and show the result',
      ).conflicts(['refreshOnly', 'explain']),
    )
    .addOption(
      new Option('--rehearsals <n>', 'how many times to rehearse, each with other random numbers')
        .argParser(parseWholeNumberFlag(1, mostRehearsals))
        .implies({ rehearse: true }),
    )
    .addOption(
      new Option('--faults <file>', 'rehearse with the faults of a fault script').implies({
        rehearse: true,
      }),
    );
}

/**
 * Reads the options of a rehearsal from the flags; undefined where no rehearsal is asked for.
 * @throws DiagnosticError for an output format that shows no rehearsal
 */
export function readRehearsalFlags({
  rehearse,
  rehearsals = 1,
  faults,
  parallelism,
  format,
}: PlanFlags): RehearsalRequest | undefined {
  if (!rehearse) return undefined;
  if (isFindingFormat(format)) {
    throw createCommandRefusal('rehearsal-format', `A rehearsal cannot be shown as ${format}`, {
      detail: 'The format holds findings, and a rehearsal is none.',
      hint: 'Use --format text, json, markdown or html, or omit --rehearse.',
    });
  }
  return { times: rehearsals, faults, parallelism };
}

/** A change that runs mostly waits, together with the others: what spares the service is the budget of requests. */
const parallelism = () =>
  new Option('--parallelism <n>', 'how many changes may run at once')
    .argParser(parseWholeNumberFlag(1, 10_000))
    .default(1_000);

/** A flag that takes an address and may be given several times. */
function addressOption(flag: string, words: string, parse: (text: string) => string): Option {
  return new Option(`${flag} <address>`, words).argParser(
    (text: string, before: readonly string[] | undefined) => [...(before ?? []), parse(text)],
  );
}

/** `--explain`. */
export const explainOption = () =>
  addressOption(
    '--explain',
    'show why this resource changes, and where its values come from; can be repeated',
    parseAddressFlag,
  ).conflicts(['json', 'oneline', 'verbose', 'compactWarnings']);

/**
 * Reads the addresses of the resources that `--explain` asks for; undefined where the whole plan is shown.
 * @throws DiagnosticError for an output format that shows no explanations
 */
export function readExplainFlagAddresses({
  explain,
  format,
}: PlanFlags): readonly string[] | undefined {
  if (!explain || format === 'text' || format === 'json') return explain;
  throw createCommandRefusal('explain-format', `--explain cannot be shown as ${format}`, {
    hint: 'Use --format text or --format json.',
  });
}

/** Adds the flags that select the part of a configuration to plan, and the kind of plan. */
export function addPlanOptions(
  command: Command,
  { hasConfiguration = true, hasSelection = true } = {},
): Command {
  if (hasConfiguration) {
    command
      .option('--adopt', 'adopt live resources with the same kind, project and name')
      .option('--force', 'allow a plan to exceed the guards, except guards.dataLoss')
      .option('--retry-failed', 'try rebuilds again that failed and were taken back')
      .addOption(
        addressOption(
          '--replace',
          'destroy and create this resource again; can be repeated',
          parseAddressFlag,
        ),
      );
  }
  if (hasSelection) {
    command
      .addOption(
        addressOption(
          '--target',
          'only this resource and its dependencies; can be repeated',
          parseTargetAddressFlag,
        ),
      )
      .addOption(
        addressOption(
          '--exclude',
          'all but this resource and its dependents; can be repeated',
          parseTargetAddressFlag,
        ),
      );
  }
  return addEventStreamFlags(command)
    .option('--allow-data-loss', 'allow a plan to lose data although guards.dataLoss is deny')
    .option('--remove-doubled', 'destroy the second resource where a create was carried out twice')
    .addOption(verboseOption())
    .addOption(compactOption())
    .addOption(parallelism())
    .addOption(lockTimeoutOption());
}

/** Refuses flags that would change the content of a plan beside a saved plan, whose content is fixed. */
export function refuseFlagsWithSavedPlan(
  { variables = [] }: Pick<Runtime, 'variables'>,
  flags: ApplyFlags,
  saved: { readonly isIncomplete: boolean },
): void {
  // Sensitive values are in no plan file: they are given once more.
  const isGiven = (kind: 'flag' | 'file') =>
    !saved.isIncomplete && variables.some((one) => kind in one);
  const given: Readonly<Record<string, unknown>> = {
    '--var': isGiven('flag'),
    '--var-file': isGiven('file'),
    '--destroy': flags.destroy,
    '--refresh-only': flags.refreshOnly,
    '--adopt': flags.adopt,
    '--force': flags.force,
    '--allow-data-loss': flags.allowDataLoss,
    '--remove-doubled': flags.removeDoubled,
    '--retry-failed': flags.retryFailed,
    '--replace': flags.replace,
    '--target': flags.target,
    '--exclude': flags.exclude,
  };
  const names = Object.keys(given).filter((name) => given[name]);
  if (names.length === 0) return;
  throw createCommandRefusal(
    'saved-plan-with-options',
    `A saved plan cannot be applied with ${names.join(', ')}`,
    {
      detail: 'A saved plan is applied as it was approved, with its own variables and options.',
      hint: 'Omit them, or make the plan again with them.',
    },
  );
}
