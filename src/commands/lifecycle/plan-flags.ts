// The options of a plan, as words of a command line. An unsealed plan is applied only with the same options.
import type { PlanMode, PlanOptions } from '../../model/plan/plan.ts';
import type { Value } from '../../model/value.ts';
import { quoteForShell } from '../../render/format/shell.ts';

/** Settings of the command line that a plan is made with: directory, mode and options. */
export interface PlanRequest {
  /** Directory of the configuration, relative to the working directory. */
  readonly directory: string;
  readonly mode: PlanMode;
  readonly planOptions: PlanOptions;
}

/** Flags by which `apply FILE` makes the same plan again, quoted so that they can be pasted into a shell. */
export function listPlanFlags({ directory, mode, planOptions }: PlanRequest): readonly string[] {
  const { adoptsAll, isForced, allowsDataLoss, removesDoubled, retriesFailed } = planOptions;
  const { replace, selection } = planOptions;
  const flags: Readonly<Record<string, boolean | undefined>> = {
    '--destroy': mode === 'destroy',
    '--refresh-only': mode === 'refresh',
    '--adopt': adoptsAll,
    '--force': isForced,
    '--allow-data-loss': allowsDataLoss,
    '--remove-doubled': removesDoubled,
    '--retry-failed': retriesFailed,
  };
  const list = (flag: string, values: readonly string[]) =>
    values.map((value) => `${flag} ${quoteForShell(value)}`);
  return [
    ...(directory === '.' ? [] : [quoteForShell(directory)]),
    ...Object.keys(flags).filter((flag) => flags[flag] === true),
    ...list('--replace', replace),
    ...list('--target', selection.targets),
    ...list('--exclude', selection.excludes),
  ];
}

/** Writes the `--var` flag that sets a variable to a value. */
export function formatVariableFlag(name: string, value: Value): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `--var ${quoteForShell(`${name}=${text}`)}`;
}
