import type { Value } from '../../model/value.ts';
import { escapeLines, quoteText } from './escape.ts';

/** A value as `terraform output` prints it: two spaces a level, keys in quotes, several lines of text as they are. */
export function formatOutputValue(value: Value): string {
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
