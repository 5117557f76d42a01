import type { RememberedOutputs } from '../../model/state/state.ts';
import type { Value } from '../../model/value.ts';
import { escapeUntrustedText, escapeUntrustedLines, quoteText } from '../format/escape.ts';
import { measureTerminalWidth, padRight } from '../format/measure.ts';
import type { TextLayout } from '../format/style.ts';
import type { OutputChangeView } from '../view/outline.ts';
import { drawValueMark } from '../view/symbols.ts';
import { drawValueDiff } from './value-text.ts';

/** Draws the block `Changes to Outputs:` below a plan. */
export function drawOutputChanges(
  out: string[],
  outputs: readonly OutputChangeView[],
  layout: TextLayout,
): void {
  if (outputs.length === 0) return;
  if (out.length > 0 && out.at(-1) !== '') out.push('');
  out.push(layout.style.bold('Changes to Outputs:'));
  const width = Math.max(
    ...outputs.map(({ name }) => measureTerminalWidth(escapeUntrustedText(name))),
  );
  for (const { name, diff } of outputs) {
    const lead = `${drawValueMark(diff.mark, layout.style)} ${padRight(escapeUntrustedText(name), width)} = `;
    drawValueDiff(out, diff, { lead, indent: 0 }, layout);
  }
}

/** Renders one value as `hostwright output NAME` prints it: never cut, since people copy it. */
export function renderOutputValue(value: Value): string {
  return `${formatOutputValue(value)}\n`;
}

/** Every output on lines of its own, as `hostwright output` prints them. */
export function renderOutputs(outputs: RememberedOutputs): string {
  return [...outputs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, { sensitive, value = null }]) =>
        `${escapeUntrustedText(name)} = ${sensitive ? '<sensitive>' : formatOutputValue(value)}\n`,
    )
    .join('');
}

/** A value as `terraform output` prints it: two spaces a level, keys in quotes, several lines of text as they are. */
function formatOutputValue(value: Value): string {
  return typeof value === 'string' && value.includes('\n')
    ? `<<EOT\n${escapeUntrustedLines(value)}\nEOT`
    : formatNested(value, '');
}

function formatNested(value: Value, indent: string): string {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${deeper}${formatNested(item, deeper)},\n`);
    return items.length === 0 ? '[]' : `[\n${items.join('')}${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => `${deeper}${quoteText(key)} = ${formatNested(item, deeper)}\n`);
    return entries.length === 0 ? '{}' : `{\n${entries.join('')}${indent}}`;
  }
  if (typeof value !== 'string') return String(value);
  if (!value.includes('\n')) return quoteText(value);
  return `<<-EOT\n${escapeUntrustedLines(value.replace(/\n$/, ''), indent)}\n${indent}EOT`;
}
