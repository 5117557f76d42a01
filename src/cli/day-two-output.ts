import { Option } from 'commander';
import { describeFailure } from '../commands/describe-failure.ts';
import type { Runtime } from '../model/runtime.ts';
import { renderDiagnosticsJson } from '../render/diagnostics-json.ts';
import type { Layout } from '../render/style.ts';
import { DayTwoTerminal } from './day-two-reporter.ts';
import { parseDuration } from './options.ts';
import type { Exit, GlobalOptions } from './program.ts';
import { layoutFor } from './terminal.ts';

/** What every day-two command is made with. */
export interface DayTwo {
  readonly runtime: Runtime;
  readonly exit: Exit;
  readonly globals: () => GlobalOptions;
}

/** How a result is shown: one of the two is asked for. */
export interface Shown {
  readonly text: (layout: Layout) => string;
  readonly json: () => object;
  /** False ends the process with 1. */
  readonly isGood?: boolean;
}

/** Runs one command and shows its result: one JSON document on standard output, or text for people. */
export async function runDayTwo(
  { runtime, exit, globals }: DayTwo,
  isJson: boolean | undefined,
  work: (reporter: DayTwoTerminal) => Promise<Shown>,
): Promise<void> {
  const { stdout, env, interrupted } = runtime;
  const { isColorRefused } = globals();
  const reporter = new DayTwoTerminal(runtime, isColorRefused);
  const printJson = (value: object) => stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  try {
    const { text, json, isGood = true } = await work(reporter);
    reporter.stop();
    if (isJson) printJson(json());
    else stdout.write(text(layoutFor(stdout, env, isColorRefused)));
    exit(interrupted.aborted ? 130 : isGood ? 0 : 1);
  } catch (error) {
    reporter.stop();
    // Whoever reads JSON finds what people find on standard error.
    const diagnostics = isJson ? describeFailure(error) : undefined;
    if (diagnostics) {
      const { format_version, diagnostics: listed } = renderDiagnosticsJson(diagnostics);
      printJson({ format_version, outcome: 'failed', diagnostics: listed });
    }
    throw error;
  }
}

/** `--json` */
export const jsonOption = () => new Option('--json', 'print the result as JSON');

/** `--auto-approve` */
export const autoApproveOption = () =>
  new Option('--auto-approve', 'go on without asking, whatever is lost');

/** `--lock-timeout` */
export const lockTimeoutOption = () =>
  new Option('--lock-timeout <duration>', 'how long to wait for the lock of the state, e.g. 30s')
    .argParser(parseDuration)
    .default(0, '0s');
