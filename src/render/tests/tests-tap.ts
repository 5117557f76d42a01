import { formatSourcePlace } from '../../model/source.ts';
import { listTestFailures, type TestResult } from '../../model/test-result.ts';
import { escapeUntrustedText, quoteText } from '../format/escape.ts';

/** The start of a report by the Test Anything Protocol, version 14. */
export const tapReportStart = 'TAP version 14\n';

/** Writes the last line of a TAP report: the number of its tests. */
export function renderTapPlan(count: number): string {
  return `1..${count}\n`;
}

/** One test, numbered from 1, with a block of YAML for its failures. */
export function renderTapTest(result: TestResult, number: number): string {
  const { status, file, name, elapsedMs } = result;
  const isPassed = status === 'pass';
  const lines = [
    `${isPassed ? 'ok' : 'not ok'} ${number} - ${escapeTap(`${file}: ${name}`)}`,
    '  ---',
    `  duration_ms: ${Math.round(elapsedMs)}`,
    ...(isPassed ? [] : ['  severity: fail', '  failures:', ...describeFailures(result)]),
    '  ...',
  ];
  return `${lines.join('\n')}\n`;
}

function describeFailures(result: TestResult): readonly string[] {
  return listTestFailures(result).flatMap(({ summary, code, detail, hint, source }) => [
    `    - message: ${quoteText(summary)}`,
    `      code: ${code}`,
    ...(detail === undefined ? [] : [`      detail: ${quoteText(detail)}`]),
    ...(hint === undefined ? [] : [`      hint: ${quoteText(hint)}`]),
    ...(source ? [`      at: ${quoteText(formatSourcePlace(source))}`] : []),
  ]);
}

/** A description, escaped so that no part of it is taken for a directive. */
function escapeTap(text: string): string {
  return escapeUntrustedText(text).replace(/[\\#]/g, (one) => `\\${one}`);
}
