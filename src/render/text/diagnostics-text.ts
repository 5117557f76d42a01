import {
  hasErrors,
  isDataLossDiagnostic,
  isShortenedFinding,
  type Diagnostic,
  type Severity,
} from '../../model/diagnostic.ts';
import type { SourceRange } from '../../model/source.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { breakLine } from '../format/break-line.ts';
import { cutCodeFrame, isCaretLine } from '../format/frame.ts';
import { severityLabels } from '../view/labels.ts';
import { wrapText } from '../format/measure.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';

function pickPaint(
  diagnostic: Pick<Diagnostic, 'severity' | 'code'>,
  style: TextStyle,
): (text: string) => string {
  return isDataLossDiagnostic(diagnostic) ? style.red : paintSeverity(diagnostic.severity, style);
}

function paintSeverity(severity: Severity, style: TextStyle): (text: string) => string {
  switch (severity) {
    case 'error':
      return style.red;
    case 'warning':
      return style.yellow;
    case 'note':
      return style.cyan;
  }
}

/** Renders every diagnostic in a box of its own, in the given order; empty for none. */
export function renderDiagnosticsText(
  diagnostics: readonly Diagnostic[],
  layout: TextLayout,
): string {
  const out: string[] = [];
  drawDiagnostics(out, diagnostics, layout);
  return out.length === 0 ? '' : `${out.join('\n')}\n`;
}

/** Draws the boxes of `renderDiagnosticsText`, as lines. */
export function drawDiagnostics(
  out: string[],
  diagnostics: readonly Diagnostic[],
  layout: TextLayout,
): void {
  if (layout.isCompact && !hasErrors(diagnostics)) {
    drawCompact(out, diagnostics, layout);
    return;
  }
  const { room = Infinity } = layout;
  for (const diagnostic of diagnostics) {
    const paint = pickPaint(diagnostic, layout.style);
    if (isShortenedFinding(diagnostic) && diagnostic.detail === undefined) {
      out.push(...drawTitle(diagnostic, paint, layout.columns, layout.style));
      continue;
    }
    out.push(paint('╷'));
    for (const line of drawDiagnosticBody(diagnostic, layout)) {
      if (line === '') out.push(paint('│'));
      // An address may be wider than a terminal. YAML to be copied stays whole.
      else if (isYamlEntry(line)) out.push(`${paint('│')} ${line}`);
      else out.push(...breakLine(`${paint('│')} ${line}`, room));
    }
    out.push(paint('╵'));
  }
}

/** Diagnostics as a line each, by severity: for readers who have seen them before. */
function drawCompact(out: string[], diagnostics: readonly Diagnostic[], layout: TextLayout): void {
  const { columns, style } = layout;
  for (const severity of ['warning', 'note'] as const) {
    const summaries = diagnostics.filter((one) => one.severity === severity);
    if (summaries.length === 0) continue;
    if (out.length > 0 && out.at(-1) !== '') out.push('');
    out.push(style.bold(paintSeverity(severity, style)(`${severityLabels[severity]}s:`)), '');
    for (const diagnostic of summaries) {
      const { summary, code } = diagnostic;
      const paint = isDataLossDiagnostic(diagnostic) ? style.red : (text: string) => text;
      const lines = wrapText(`${escapeUntrustedText(summary)} [${code}]`, columns - 2).map(paint);
      out.push(...lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`)));
    }
  }
  if (diagnostics.length === 0) return;
  out.push('', ...wrapText('To see them in full, leave --compact-warnings out.', columns));
}

/** Draws a diagnostic without the box around it, in lines two cells narrower than the layout. */
export function drawDiagnosticBody(
  diagnostic: Diagnostic,
  { columns, style }: TextLayout,
): string[] {
  const paint = pickPaint(diagnostic, style);
  const room = columns - 2;
  const { address, source, detail, hint } = diagnostic;
  const place: string[] = [];
  if (address !== undefined)
    place.push(`  with ${escapeUntrustedText(address)}${source ? ',' : ''}`);
  if (source) place.push(...drawPlace(source, paint, room));
  const blocks = [drawTitle(diagnostic, paint, room, style), place];
  if (detail !== undefined) blocks.push(drawParagraph(detail, room));
  if (hint !== undefined) blocks.push(drawHint(hint, room, style));
  const filled = blocks.filter((block) => block.length > 0);
  return filled.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

function drawTitle(
  { severity, summary, code }: Diagnostic,
  paint: (text: string) => string,
  room: number,
  style: TextStyle,
): string[] {
  const title = `${severityLabels[severity]}: `;
  const lines = wrapText(`${title}${escapeUntrustedText(summary)} [${code}]`, room);
  return lines.map((line, index) => {
    const isFirst = index === 0;
    const text = isFirst ? line.slice(title.length) : line;
    const mark = `[${code}]`;
    const hasCode = index === lines.length - 1 && text.endsWith(mark);
    const words = hasCode ? text.slice(0, -mark.length) : text;
    return (
      (isFirst ? style.bold(paint(title)) : '') +
      style.bold(words) +
      (hasCode ? style.dim(mark) : '')
    );
  });
}

function drawPlace(source: SourceRange, paint: (text: string) => string, room: number): string[] {
  const { file, line, column, frame } = source;
  const end = frame === undefined ? '' : ':';
  const place = wrapText(
    `  on ${escapeUntrustedText(file)} line ${line}, column ${column}${end}`,
    room,
  );
  const lines = frame === undefined ? [] : cutCodeFrame(frame, room - 4);
  return [...place, ...lines.map((text) => drawFrameLine(text, paint))];
}

function drawFrameLine(text: string, paint: (text: string) => string): string {
  if (!isCaretLine(text)) return `    ${text}`.trimEnd();
  return `    ${text.replace(/\^+/, paint)}`;
}

/** Tells whether a line is an indented entry of YAML, which is not broken, so that it can be copied. */
export function isYamlEntry(line: string): boolean {
  return /^ +(- )?\w+: /.test(line);
}

function drawParagraph(text: string, room: number): string[] {
  return text
    .split('\n')
    .map(escapeUntrustedText)
    .flatMap((line) => (isYamlEntry(line) ? [line] : wrapText(line, room)));
}

function drawHint(hint: string, room: number, style: TextStyle): string[] {
  const [first = '', ...rest] = drawParagraph(`Hint: ${hint}`, room);
  return [`${style.bold('Hint:')}${first.slice('Hint:'.length)}`, ...rest];
}
