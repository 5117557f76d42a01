import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { formatSourcePlace } from '../../model/source.ts';
import { findErrorDocsPage } from '../format/error-page.ts';
import { escapeMarkup } from '../../model/text/html.ts';

/**
 * Renders findings as JUnit XML: an error is a failed test, a warning a skipped test with its text, a note a passed
 * test. Without findings there is one passed test, since many readers take a report without tests for a broken one.
 */
export function renderFindingsJunit(diagnostics: readonly Diagnostic[]): string {
  const tests = Math.max(1, diagnostics.length);
  const counts = `tests="${tests}" failures="${countCases(diagnostics, 'error')}" errors="0" skipped="${countCases(diagnostics, 'warning')}"`;
  const cases =
    diagnostics.length === 0
      ? ['    <testcase classname="hostwright" name="no findings"/>']
      : diagnostics.map(drawCase);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="hostwright" ${counts}>`,
    `  <testsuite name="findings" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Counts test cases, and not members: readers count the cases themselves, and a folded finding is one. */
function countCases(diagnostics: readonly Diagnostic[], severity: Severity): number {
  return diagnostics.filter((one) => one.severity === severity).length;
}

function drawCase(diagnostic: Diagnostic): string {
  const { severity, code, summary, address, source } = diagnostic;
  const owner = address ?? source?.file ?? 'hostwright';
  const place = source ? ` file="${escapeMarkup(source.file)}" line="${source.line}"` : '';
  const head = `    <testcase classname="${escapeMarkup(owner)}" name="${escapeMarkup(`${code}: ${summary}`)}"${place}>`;
  const body = drawBody(diagnostic);
  const inner = {
    error: `<failure type="${escapeMarkup(code)}" message="${escapeMarkup(summary)}">${body}</failure>`,
    warning: `<skipped message="${escapeMarkup(summary)}"/><system-out>${body}</system-out>`,
    note: `<system-out>${body}</system-out>`,
  }[severity];
  return `${head}${inner}</testcase>`;
}

/** Writes the text of a finding for JUnit, one paragraph on each line. */
function drawBody({ code, summary, detail, hint, address, source }: Diagnostic): string {
  return [
    summary,
    ...(address === undefined ? [] : [`with ${address}`]),
    ...(source ? [`at ${formatSourcePlace(source)}`] : []),
    ...(detail ?? '').split('\n'),
    ...(hint === undefined ? [] : [`Hint: ${hint}`]),
    `See ${findErrorDocsPage(code)}`,
  ]
    .filter((line) => line !== '')
    .map(escapeMarkup)
    .join('\n');
}
