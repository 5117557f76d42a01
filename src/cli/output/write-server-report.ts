// Writes the forms of a plan that a server keeps beside the plan itself. The process that made the plan does so: it has
// loaded all that is needed, and to start another process for each form takes longer than the plan.
import { writeFile } from 'node:fs/promises';
import {
  compareSavedPlans,
  digestApprovablePlanParts,
  keepsBackupsFresh,
} from '../../commands/lifecycle/compare-saved-plans.ts';
import { showPlanFile } from '../../commands/lifecycle/show.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { GlobalOptions } from '../command-context.ts';
import { createPlanReporter } from './plan-reporter.ts';
import type { PlanFormat } from './terminal-reporter.ts';
import { foldPlanDifferences } from '../../render/text/differences-text.ts';

/** The variable of the environment that names an older saved plan, to compare with. */
const lastPlanVariable = 'HOSTWRIGHT_SERVER_LAST_PLAN';

/** A saved plan, and the file for its report. */
interface ServerPlanReportOrder {
  readonly file: string;
  readonly report: string;
  /** Expected time of its apply, in milliseconds. */
  readonly expectedMs?: number;
}

/** Writes a saved plan in several forms to a file, as one object of JSON. */
export async function writeServerPlanReport(
  runtime: Runtime,
  globals: GlobalOptions,
  { file: planFile, report: target, expectedMs }: ServerPlanReportOrder,
): Promise<void> {
  const older = runtime.env[lastPlanVariable];
  const show = (format: PlanFormat) => capture(runtime, globals, planFile, format);
  const report = {
    plan: JSON.parse(await show('json')),
    page: await show('html'),
    comment: await show('markdown'),
    approved: await digestApprovablePlanParts(runtime, planFile),
    expectedMs,
    keepsBackupsFresh: await keepsBackupsFresh(runtime, planFile),
    ...(older !== undefined && { differences: await compare(runtime, planFile, older) }),
  };
  await writeFile(target, JSON.stringify(report), { mode: 0o600 });
}

async function capture(
  runtime: Runtime,
  globals: GlobalOptions,
  planFile: string,
  format: PlanFormat,
): Promise<string> {
  const pieces: string[] = [];
  const stdout = { ...noTerminal, write: (text: string) => void pieces.push(text) };
  const quiet = { ...runtime, stdout };
  await showPlanFile(quiet, planFile, await createPlanReporter(quiet, globals, format));
  return pieces.join('');
}

const noTerminal = {
  isTTY: false,
  columns: undefined,
  rows: undefined,
  ready: () => Promise.resolve(true),
};

/** Undefined where the older plan cannot be read: another version made it, or another passphrase encrypts it. */
async function compare(
  runtime: Pick<Runtime, 'cwd' | 'env' | 'execute'>,
  planFile: string,
  older: string,
): Promise<readonly string[] | undefined> {
  try {
    return foldPlanDifferences(await compareSavedPlans(runtime, planFile, older));
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}
