// Values and their differences, written on one line.
import { quoteText, quoteValue } from '../format/escape.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import type { ValueDiff } from '../view/value-diff.ts';
import { drawKey } from './value-text.ts';

/** A whole value, as it is after the change, or as it was where it goes. */
export function drawDiffValue(diff: ValueDiff): string {
  switch (diff.kind) {
    case 'scalar':
      return quoteValue(diff.after);
    case 'text':
      return quoteText(diff.lines.map(({ text }) => text).join('\n'));
    case 'list':
      return `[${diff.elements.map(drawDiffValue).join(', ')}]`;
    case 'map': {
      const entries = diff.entries.map(
        ({ key, diff: one }) => `${drawKey(key)}: ${drawDiffValue(one)}`,
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
      return drawDiffValue(diff.after);
  }
}

/** Change of a value on one line, behind its name: `power: "running" -> "stopped"`, `networks: + "front", - "back"`. */
export function describeDiff(name: string, diff: ValueDiff): string {
  if (diff.mark === 'create') return `${name}: ${drawDiffValue(diff)}`;
  if (diff.mark === 'delete') return `${name}: ${drawDiffValue(diff)} -> null`;
  switch (diff.kind) {
    case 'scalar':
      return `${name}: ${quoteValue(diff.before)} -> ${quoteValue(diff.after)}`;
    case 'swap':
      return `${name}: ${drawDiffValue(diff.before)} -> ${drawDiffValue(diff.after)}`;
    case 'text': {
      const count = diff.lines.filter(({ mark }) => mark !== 'none').length;
      return `${name}: (${countNoun('changed line', count)})`;
    }
    case 'map':
      return diff.entries
        .filter((entry) => entry.diff.mark !== 'none')
        .map((entry) => describeDiff(`${name}.${drawKey(entry.key)}`, entry.diff))
        .join(', ');
    case 'list':
      return `${name}: ${diff.elements.flatMap(describeElement).join(', ')}`;
    default:
      return `${name}: ${drawDiffValue(diff)}`;
  }
}

function describeElement(diff: ValueDiff): string[] {
  if (diff.mark === 'none') return [];
  if (diff.mark === 'update') return [`~ ${drawDiffValue(diff)}`];
  return [`${diff.mark === 'create' ? '+' : '-'} ${drawDiffValue(diff)}`];
}
