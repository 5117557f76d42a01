// Values and their differences, written on one line.
import { quoteText, formatValueAsJsonLine } from '../format/escape.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import type { ValueDiff } from '../view/value-diff.ts';
import { drawYamlKey } from './value-text.ts';

/** Draws a whole value on one line: as it is after the change, or as it was where it is removed. */
export function drawInlineValue(diff: ValueDiff): string {
  switch (diff.kind) {
    case 'scalar':
      return formatValueAsJsonLine(diff.after);
    case 'text':
      return quoteText(diff.lines.map(({ text }) => text).join('\n'));
    case 'list':
      return `[${diff.elements.map(drawInlineValue).join(', ')}]`;
    case 'map': {
      const entries = diff.entries.map(
        ({ key, diff: one }) => `${drawYamlKey(key)}: ${drawInlineValue(one)}`,
      );
      return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
    }
    case 'unknown':
      return '(known after apply)';
    case 'sensitive':
      return '(sensitive value)';
    case 'various':
      return `(${diff.count} different values)`;
    case 'swap':
      return drawInlineValue(diff.after);
  }
}

/**
 * Describes the change of a value on one line behind its name: `power: "running" -> "stopped"`, `networks: + "front", -
 * "back"`.
 */
export function describeInlineDiff(name: string, diff: ValueDiff): string {
  if (diff.mark === 'create') return `${name}: ${drawInlineValue(diff)}`;
  if (diff.mark === 'delete') return `${name}: ${drawInlineValue(diff)} -> null`;
  switch (diff.kind) {
    case 'scalar':
      return `${name}: ${formatValueAsJsonLine(diff.before)} -> ${formatValueAsJsonLine(diff.after)}`;
    case 'swap':
      return `${name}: ${drawInlineValue(diff.before)} -> ${drawInlineValue(diff.after)}`;
    case 'text': {
      const count = diff.lines.filter(({ mark }) => mark !== 'none').length;
      return `${name}: (${formatCountWithNoun('changed line', count)})`;
    }
    case 'map':
      return diff.entries
        .filter((entry) => entry.diff.mark !== 'none')
        .map((entry) => describeInlineDiff(`${name}.${drawYamlKey(entry.key)}`, entry.diff))
        .join(', ');
    case 'list':
      return `${name}: ${diff.elements.flatMap(describeElement).join(', ')}`;
    default:
      return `${name}: ${drawInlineValue(diff)}`;
  }
}

function describeElement(diff: ValueDiff): string[] {
  if (diff.mark === 'none') return [];
  if (diff.mark === 'update') return [`~ ${drawInlineValue(diff)}`];
  return [`${diff.mark === 'create' ? '+' : '-'} ${drawInlineValue(diff)}`];
}
