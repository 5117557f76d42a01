import type { Diagnostic } from '../../model/diagnostic.ts';
import { addToGroup } from '../../model/group-by.ts';
import { formatSourcePlace } from '../../model/source.ts';
import { listTestFailures, type TestResult } from '../../model/test-result.ts';
import { escapeMarkup } from '../../model/text/html.ts';

/** The results as JUnit XML: a suite for each file, a case for each test. */
export function renderTestsJunit(results: readonly TestResult[]): string {
  const files = new Map<string, TestResult[]>();
  for (const result of results) addToGroup(files, result.file, result);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="hostwright test" ${count(results)}>`,
    ...[...files].flatMap(([file, own]) => [
      `  <testsuite name="${escapeMarkup(file)}" ${count(own)}>`,
      ...own.map(drawCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function count(results: readonly TestResult[]): string {
  const failures = results.filter(({ status }) => status === 'fail').length;
  const elapsedMs = results.reduce((sum, one) => sum + one.elapsedMs, 0);
  return `tests="${results.length}" failures="${failures}" errors="0" skipped="0" time="${inSeconds(elapsedMs)}"`;
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(3);

function drawCase(result: TestResult): string {
  const { file, name, elapsedMs, source } = result;
  const start = `    <testcase classname="${escapeMarkup(file)}" name="${escapeMarkup(name)}" file="${escapeMarkup(file)}" line="${source.line}" time="${inSeconds(elapsedMs)}"`;
  const failures = listTestFailures(result);
  if (failures.length === 0) return `${start}/>`;
  return [`${start}>`, ...failures.map(drawFailure), '    </testcase>'].join('\n');
}

function drawFailure({ code, summary, detail, hint, source }: Diagnostic): string {
  const body = [
    ...(source ? [`at ${formatSourcePlace(source)}`] : []),
    ...(source?.frame ?? '').split('\n'),
    ...(detail ?? '').split('\n'),
    ...(hint === undefined ? [] : [`Hint: ${hint}`]),
  ]
    .filter((line) => line !== '')
    .map(escapeMarkup)
    .join('\n');
  return `      <failure type="${escapeMarkup(code)}" message="${escapeMarkup(summary)}">${body}</failure>`;
}
