import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import { describeCommandFailure } from '../../commands/session/describe-failure.ts';
import { openEventFile } from '../../commands/session/event-file.ts';
import type { Reporter } from '../../commands/session/reporter.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { renderFailureMarkdown } from '../../render/markdown/markdown.ts';
import { isFindingFormat, renderFindingsFile } from './finding-formats.ts';
import { createPlanReporter } from './plan-reporter.ts';
import type { GlobalOptions } from '../command-context.ts';
import type { PlanFormat } from './terminal-reporter.ts';

/** Flags for the stream of a command's events. */
export interface EventStreamFlags {
  /** True with `--json`: events go to standard output in place of the text. */
  readonly json?: boolean;
  /** Path of `--json-into`: a file that gets the events beside the normal output. */
  readonly jsonInto?: string;
}

/** Flags for a command's output to people. */
interface ShownFlags extends EventStreamFlags {
  readonly format: PlanFormat;
  readonly oneline?: boolean;
  /** Directory of the configuration, as given: a comment on a pull request is recognised by it. */
  readonly directory?: string;
}

/** Adds the flags `--json` and `--json-into`, which ask for a command's events. */
export function addEventStreamFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--json',
        'print a stream of events, one JSON object per line, instead of text',
      ).conflicts('format'),
    )
    .option('--json-into <file>', 'write the stream of events to a file, in addition to the text');
}

/**
 * Does a command's work with a reporter for people, for programs, or for both. An error that stops the work is reported to
 * programs here; for people, the program itself prints it.
 * @param work does the command's work and gives the exit code
 * @returns the exit code
 */
export async function runWithReporter(
  runtime: Runtime,
  globals: GlobalOptions,
  flags: ShownFlags,
  work: (reporter: Reporter) => Promise<number>,
): Promise<number> {
  const { json, jsonInto, format, oneline } = flags;
  if (!json && jsonInto === undefined) {
    return await showPeople(runtime, globals, flags, work);
  }
  const { EventReporter } = await import('./event-reporter.ts');
  const onStdout = json ? new EventReporter(runtime.clock, runtime.stdout) : undefined;
  const shown = onStdout ?? (await createPlanReporter(runtime, globals, format, oneline));
  const complain = (diagnostic: Diagnostic) => shown.showDiagnostics([diagnostic]);
  const file =
    jsonInto === undefined
      ? undefined
      : await openEventFile(resolve(runtime.cwd, jsonInto), complain);
  const beside = file && new EventReporter(runtime.clock, file);
  try {
    return await work(beside ? joinReporters(shown, beside) : shown);
  } catch (error) {
    if (runtime.interrupted.aborted && !(error instanceof DiagnosticError)) throw error;
    for (const stream of [onStdout, beside]) stream?.showFailure(error);
    if (json && describeCommandFailure(error)) return 1;
    if (!json) await showFailureInFormat(runtime, flags, error);
    throw error;
  } finally {
    shown.stop();
    beside?.stop();
    file?.close();
  }
}

async function showPeople(
  runtime: Runtime,
  globals: GlobalOptions,
  flags: ShownFlags,
  work: (reporter: Reporter) => Promise<number>,
): Promise<number> {
  const reporter = await createPlanReporter(runtime, globals, flags.format, flags.oneline);
  try {
    return await work(reporter);
  } catch (error) {
    await showFailureInFormat(runtime, flags, error);
    throw error;
  } finally {
    reporter.stop();
  }
}

/**
 * Prints the diagnostics that stop a command in the chosen output format too, so that a code host or a reader of the HTML page
 * gets them. For JSON, the program does so elsewhere.
 */
export async function showFailureInFormat(
  runtime: Pick<Runtime, 'cwd' | 'env' | 'stdout'>,
  { format, directory = '.' }: Pick<ShownFlags, 'format' | 'directory'>,
  error: unknown,
): Promise<void> {
  const diagnostics = describeCommandFailure(error);
  if (!diagnostics) return;
  if (isFindingFormat(format)) runtime.stdout.write(renderFindingsFile(diagnostics, format));
  if (format !== 'markdown' && format !== 'html') return;
  const { identifyPlan } = await import('../../commands/planning/identify-plan.ts');
  const identity = await identifyPlan(runtime, resolve(runtime.cwd, directory));
  if (format === 'markdown') runtime.stdout.write(renderFailureMarkdown(diagnostics, identity));
  else {
    const { composeFailureReport } = await import('./compose-report.ts');
    runtime.stdout.write(composeFailureReport(diagnostics, identity));
  }
}

/** Combines two reporters into one; only the first is asked for approval. */
function joinReporters(first: Reporter, second: Reporter): Reporter {
  const both = (tell: (reporter: Reporter) => void) => {
    tell(first);
    tell(second);
  };
  return {
    showDiagnostics: (diagnostics) => both((one) => one.showDiagnostics(diagnostics)),
    async showPlan(planned) {
      // Both reporters work at once, so that a slow one does not hold the other up.
      await Promise.all([first.showPlan(planned), second.showPlan(planned)]);
    },
    approve: (planned) => first.approve(planned),
    showEvent: (event) => both((one) => one.showEvent(event)),
    showSummary: (summary, mode) => both((one) => one.showSummary(summary, mode)),
  };
}
