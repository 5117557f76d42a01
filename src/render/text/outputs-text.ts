import type { RememberedOutputs } from '../../model/state/state.ts';
import type { Value } from '../../model/value.ts';
import { escapeText, escapeLines, quoteText } from '../format/escape.ts';
import { measureWidth, padRight } from '../format/measure.ts';
import type { Layout } from '../format/style.ts';
import type { OutputView } from '../view/outline.ts';
import { drawMark } from '../view/symbols.ts';
import { drawValue } from './value-text.ts';

/** Draws the block `Changes to Outputs:` below a plan. */
export function drawOutputChanges(
  out: string[],
  outputs: readonly OutputView[],
  layout: Layout,
): void {
  if (outputs.length === 0) return;
  if (out.length > 0 && out.at(-1) !== '') out.push('');
  out.push(layout.style.bold('Changes to Outputs:'));
  const width = Math.max(...outputs.map(({ name }) => measureWidth(escapeText(name))));
  for (const { name, diff } of outputs) {
    const lead = `${drawMark(diff.mark, layout.style)} ${padRight(escapeText(name), width)} = `;
    drawValue(out, diff, { lead, indent: 0 }, layout);
  }
}

/** One value as `hostwright output NAME` prints it. It is never cut: somebody may copy it. */
export function renderOutputValue(value: Value): string {
  return `${formatOutputValue(value)}\n`;
}

/** Every output on lines of its own, as `hostwright output` prints them. */
export function renderOutputs(outputs: RememberedOutputs): string {
  return [...outputs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, { sensitive, value = null }]) =>
        `${escapeText(name)} = ${sensitive ? '<sensitive>' : formatOutputValue(value)}\n`,
    )
    .join('');
}

/** A value as `terraform output` prints it: two spaces a level, keys in quotes, several lines of text as they are. */
function formatOutputValue(value: Value): string {
  return typeof value === 'string' && value.includes('\n')
    ? `<<EOT\n${escapeLines(value)}\nEOT`
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
  return `<<-EOT\n${escapeLines(value.replace(/\n$/, ''), indent)}\n${indent}EOT`;
}
