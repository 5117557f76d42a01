import type { Diagnostic, Severity } from '../model/diagnostic.ts';
import { drawDiagnosticBody } from './diagnostics-text.ts';
import { fence } from './diff-fence.ts';
import { countNoun } from './labels.ts';
import { fold, sizeOf } from './markdown-blocks.ts';
import { createStyle } from './style.ts';

const severityMarks: Readonly<Record<Severity, string>> = { error: '-', warning: '!', note: '#' };
const severities: readonly Severity[] = ['error', 'warning', 'note'];
const layout = { columns: 118, style: createStyle(false) };

/** Diagnostics in a fence, folded where they are many: as many as `room` characters hold, and how many more there are. */
export function drawFindings(findings: readonly Diagnostic[], room: number): string[] {
  const lines: string[] = [];
  let size = 0;
  let shown = 0;
  for (const finding of findings) {
    const [first = '', ...rest] = drawDiagnosticBody(finding, layout);
    const block = [
      `${severityMarks[finding.severity]} ${first}`,
      ...rest.map((line) => (line === '' ? '' : `    ${line}`)),
      '',
    ];
    size += sizeOf(block);
    if (size > room) break;
    lines.push(...block);
    shown += 1;
  }
  if (findings.length === 0) return [];
  const left = findings.length - shown;
  return [
    ...fold(countFindings(findings), fence(lines.slice(0, -1))),
    ...(left > 0 ? [`**${countNoun('more finding', left)} left out here.**`, ''] : []),
  ];
}

/** `1 error, 2 warnings`. */
function countFindings(findings: readonly Diagnostic[]): string {
  const counts = severities.map((severity) => ({
    severity,
    count: findings.filter((finding) => finding.severity === severity).length,
  }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => countNoun(severity, count))
    .join(', ');
}
