import { nameDrift, type DriftChoice } from '../../model/plan/drift-choice.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { formatSourcePlace } from '../../model/source.ts';
import { wrapText } from '../format/measure.ts';
import type { TextLayout } from '../format/style.ts';
import {
  formatDriftAcceptCommand,
  describeDriftAcceptance,
  describeDriftLine,
  describeDriftIgnore,
  describeDriftRevert,
} from './drift-words.ts';

/**
 * Renders each drifted value with the three ways to resolve it (revert, accept, ignore), then the number of values that
 * can be accepted.
 */
export function renderDriftText(
  choices: readonly DriftChoice[],
  { columns, style }: TextLayout,
): string {
  if (choices.length === 0) return 'No drift. What is configured is as it was last applied.\n';
  const blocks = choices.map((choice) => {
    const ways = [
      ['put back', describeDriftRevert(choice)],
      ['accept', describeDriftAcceptance(choice.accept)],
      ...(choice.accept.kind === 'edits' ? [['', formatDriftAcceptCommand(choice)]] : []),
      ['ignore', describeDriftIgnore(choice)],
    ] as const;
    const lines = ways.flatMap(([label = '', text = '']) => {
      const [first = '', ...rest] = wrapText(text, columns - 12);
      const head = `  ${style.bold(label.padEnd(8))}  ${first}`;
      return [head, ...rest.map((line) => `            ${line}`)];
    });
    return [style.bold(describeDriftLine(choice)), ...lines].join('\n');
  });
  const accepted = choices.filter(({ accept }) => accept.kind === 'edits').length;
  const count = `Drift: ${choices.length}, of which ${accepted} can be accepted.`;
  return `${blocks.join('\n\n')}\n\n${count}\n`;
}

/** Renders the accepted values of drift, one on each line. */
export function renderAcceptedDriftText(
  choices: readonly DriftChoice[],
  { style }: TextLayout,
): string {
  const lines = choices.flatMap((choice) => {
    const edits = choice.accept.kind === 'edits' ? choice.accept.edits : [];
    const places = [...new Set(edits.map(({ source }) => formatSourcePlace(source)))];
    return `  ${nameDrift(choice)}  ${style.dim(places.join(', '))}`;
  });
  const title = `Accepted ${formatCountWithNoun('value', choices.length)} into the configuration:`;
  return `${[title, ...lines].join('\n')}\n\nRun "hostwright plan" to see what is left.\n`;
}
