import {
  countSeverity,
  isLiftedSafeguardFinding,
  isDataLossDiagnostic,
  type Diagnostic,
  type Severity,
} from '../../model/diagnostic.ts';
import type { SourceRange } from '../../model/source.ts';
import { drawDiagnosticBody } from '../text/diagnostics-text.ts';
import { fenceMarkdownLines } from './diff-fence.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import {
  foldMarkdownLines,
  maxUnfoldedFenceLines,
  countLineCharacters,
} from './markdown-blocks.ts';
import { createAnsiStyle } from '../format/style.ts';

const severityMarks: Readonly<Record<Severity, string>> = { error: '-', warning: '!', note: '#' };
const severities: readonly Severity[] = ['error', 'warning', 'note'];
/** With the four columns of the fence in front, as wide as the page of a pull request shows without scrolling. */
const layout = { columns: 94, style: createAnsiStyle(false) };

/** Findings that are seen without a click: errors, and lifted safeguards. */
const isUrgent = (one: Diagnostic) => one.severity === 'error' || isLiftedSafeguardFinding(one);
const isMinor = (one: Diagnostic) => !isUrgent(one);

interface Block {
  readonly finding: Diagnostic;
  readonly lines: readonly string[];
}

/**
 * Draws diagnostics in a fence, as many as fit into `room` characters, and the count of the others. Many diagnostics
 * are folded, except those that stop the plan: these are visible without a click.
 */
export function drawFindings(findings: readonly Diagnostic[], room: number): string[] {
  if (findings.length === 0) return [];
  const blocks = fitFindings(findings, room);
  const left = findings.length - blocks.length;
  const isLong = blocks.reduce((sum, { lines }) => sum + lines.length, 0) > maxUnfoldedFenceLines;
  const parts = isLong ? [[isUrgent], [isMinor]] : [[isUrgent, isMinor]];
  return [
    ...parts.flatMap((belongs) => {
      const isOfPart = (finding: Diagnostic) => belongs.some((one) => one(finding));
      const shown = blocks.filter(({ finding }) => isOfPart(finding));
      return drawPart(
        shown,
        countFindings(findings.filter(isOfPart)),
        isLong ? 0 : maxUnfoldedFenceLines,
      );
    }),
    ...(left > 0 ? [`**${formatCountWithNoun('more finding', left)} left out here.**`, ''] : []),
  ];
}

function drawPart(blocks: readonly Block[], summary: string, openLines: number): string[] {
  if (blocks.length === 0) return [];
  const lines = fenceMarkdownLines(blocks.flatMap((block) => block.lines).slice(0, -1));
  const isOpen = blocks.some(({ finding }) => isUrgent(finding));
  return foldMarkdownLines(summary, lines, isOpen ? { isOpen } : { openLines });
}

function fitFindings(findings: readonly Diagnostic[], room: number): readonly Block[] {
  const blocks: Block[] = [];
  let size = 0;
  for (const finding of findings) {
    const lines = drawFinding(finding, blocks.at(-1)?.finding);
    size += countLineCharacters(lines);
    if (size > room) break;
    blocks.push({ finding, lines });
  }
  return blocks;
}

/** A finding without the words that the finding before it has said: a policy may report hundreds of resources. */
function drawFinding(finding: Diagnostic, before: Diagnostic | undefined): string[] {
  const [first = '', ...rest] = drawDiagnosticBody(withoutRepetition(finding, before), layout);
  return [
    `${isDataLossDiagnostic(finding) ? '-' : severityMarks[finding.severity]} ${first}`,
    ...rest.map((line) => (line === '' ? '' : `    ${line}`)),
    '',
  ];
}

function withoutRepetition(finding: Diagnostic, before: Diagnostic | undefined): Diagnostic {
  if (before?.code !== finding.code) return finding;
  const { source, detail, hint, ...rest } = finding;
  const isSamePlace =
    source?.file === before.source?.file &&
    source?.line === before.source?.line &&
    source?.column === before.source?.column;
  return {
    ...rest,
    ...(source && { source: isSamePlace ? withoutFrame(source) : source }),
    ...(detail !== undefined && detail !== before.detail && { detail }),
    ...(hint !== undefined && hint !== before.hint && { hint }),
  };
}

function withoutFrame({ file, line, column, endLine, endColumn }: SourceRange): SourceRange {
  return { file, line, column, endLine, endColumn };
}

/** Counts findings in words: `1 error, 2 warnings`. */
function countFindings(findings: readonly Diagnostic[]): string {
  return severities
    .map((severity) => ({ severity, count: countSeverity(findings, severity) }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => formatCountWithNoun(severity, count))
    .join(', ');
}
