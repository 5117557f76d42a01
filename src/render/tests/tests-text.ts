import {
  listTestFailures,
  type FinishedTestStep,
  type TestResult,
  type TestTally,
} from '../../model/test-result.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { measureTerminalWidth, wrapText } from '../format/measure.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';
import { renderDiagnosticsText } from '../text/diagnostics-text.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';

/** A time on this machine: in milliseconds below a second, then in tenths of one. */
export function formatTestTime(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)}ms` : `${(ms / 1_000).toFixed(1)}s`;
}

/** Writes the line above the tests of a file. */
export function renderTestFileLine(file: string, { style }: TextLayout): string {
  return `${style.bold(escapeUntrustedText(file))}\n`;
}

/** Writes the line of a test; below it, the failures of a failed test. */
export function renderTestResult(result: TestResult, layout: TextLayout): string {
  const { style, columns } = layout;
  const { name, status, elapsedMs } = result;
  const isPassed = status === 'pass';
  const word = isPassed ? style.green('pass') : style.red(style.bold('FAIL'));
  const time = formatTestTime(elapsedMs);
  const room = columns - measureTerminalWidth('  pass  ') - measureTerminalWidth(`  ${time}`);
  const [first = '', ...rest] = wrapText(escapeUntrustedText(name), room);
  const lines = [
    `  ${word}  ${first}  ${style.dim(time)}`,
    ...rest.map((line) => `        ${line}`),
  ];
  const head = `${lines.join('\n')}\n`;
  return isPassed ? head : head + renderFailures(result, layout);
}

/** Failures of a test, each below the step in which it came up. */
function renderFailures(result: TestResult, layout: TextLayout): string {
  const { steps, diagnostics } = result;
  const own = renderDiagnosticsText(diagnostics, layout);
  const ofSteps = steps.map((step, index) =>
    step.diagnostics.length === 0
      ? ''
      : `        ${nameStep(step, index, steps.length)}\n${renderDiagnosticsText(step.diagnostics, layout)}`,
  );
  return own + ofSteps.join('') + tellSkipped(steps, layout.style);
}

/** Names a step for people: `step 2 of 3, apply`. */
function nameStep({ name }: FinishedTestStep, index: number, count: number): string {
  return `step ${index + 1} of ${count}, ${name}`;
}

function tellSkipped(steps: readonly FinishedTestStep[], style: TextStyle): string {
  const skipped = steps.filter(({ status }) => status === 'skip').length;
  if (skipped === 0) return '';
  return style.dim(`        ${formatCountWithNoun('step', skipped)} did not run\n`);
}

/** Writes the last line of a test run: numbers of passed and failed tests. */
export function renderTestTally(
  { passed, failed, filtered, elapsedMs }: TestTally,
  style: TextStyle,
): string {
  const parts = [
    ...(passed > 0 ? [style.green(`${passed} passed`)] : []),
    ...(failed > 0 ? [style.red(style.bold(`${failed} failed`))] : []),
    ...(filtered > 0 ? [`${filtered} left out by --filter`] : []),
  ];
  return `${style.bold('Tests:')} ${parts.join(', ')} ${style.dim(`(${formatTestTime(elapsedMs)})`)}\n`;
}

/** Failed tests with their failures, for readers of a log beside a report for programs. */
export function renderFailedTests(results: readonly TestResult[], layout: TextLayout): string {
  return results
    .filter((result) => listTestFailures(result).length > 0)
    .map((result) => renderTestFileLine(result.file, layout) + renderTestResult(result, layout))
    .join('');
}
