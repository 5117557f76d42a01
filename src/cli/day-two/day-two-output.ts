import { describeFailure } from '../../commands/session/describe-failure.ts';
import { renderDiagnosticsJson } from '../../render/json/diagnostics-json.ts';
import type { Layout } from '../../render/format/style.ts';
import type { CommandContext } from '../command-context.ts';
import { DayTwoTerminal } from './day-two-reporter.ts';
import { printJson } from '../output/print-json.ts';
import { layoutFor } from '../output/terminal.ts';

/** How a result is shown: one of the two is asked for. */
export interface Shown {
  readonly text: (layout: Layout) => string;
  readonly json: () => object;
  /** False ends the process with 1. */
  readonly isGood?: boolean;
}

/** Runs one command and shows its result: one JSON document on standard output, or text for people. */
export async function runDayTwo(
  { runtime, exit, globals }: CommandContext,
  isJson: boolean | undefined,
  work: (reporter: DayTwoTerminal) => Promise<Shown>,
): Promise<void> {
  const { stdout, env, interrupted } = runtime;
  const { isColorRefused } = globals;
  const reporter = new DayTwoTerminal(runtime, isColorRefused);
  try {
    const { text, json, isGood = true } = await work(reporter);
    reporter.stop();
    if (isJson) printJson(stdout, json());
    else stdout.write(text(layoutFor(stdout, env, isColorRefused)));
    exit(interrupted.aborted ? 130 : isGood ? 0 : 1);
  } catch (error) {
    reporter.stop();
    // Whoever reads JSON finds what people find on standard error.
    const diagnostics = isJson ? describeFailure(error) : undefined;
    if (diagnostics) {
      const { format_version, diagnostics: listed } = renderDiagnosticsJson(diagnostics);
      printJson(stdout, { format_version, outcome: 'failed', diagnostics: listed });
    }
    throw error;
  }
}
