import type { DriftChoice } from '../../model/plan/drift-choice.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import {
  formatDriftAcceptCommand,
  describeDriftAcceptance,
  describeDriftLine,
  describeDriftIgnore,
  describeDriftRevert,
} from '../drift/drift-words.ts';
import { fenceMarkdownLines } from './diff-fence.ts';
import { foldMarkdownLines } from './markdown-blocks.ts';

/** The most drifted values that a comment shows; further ones are counted. */
const mostDrifts = 20;

/** Draws drift with the three ways to resolve it, folded, since the changes of the plan already show that there is drift. */
export function drawDriftMarkdown(choices: readonly DriftChoice[]): string[] {
  if (choices.length === 0) return [];
  const lines = choices
    .slice(0, mostDrifts)
    .flatMap((choice) => [
      `! ${describeDriftLine(choice)}`,
      `    put back: ${describeDriftRevert(choice)}`,
      `    accept: ${describeDriftAcceptance(choice.accept)}`,
      ...(choice.accept.kind === 'edits'
        ? [`    accept: ${formatDriftAcceptCommand(choice)}`]
        : []),
      `    ignore: ${describeDriftIgnore(choice)}`,
    ]);
  const left = choices.length - mostDrifts;
  const rest = left > 0 ? [`# and ${left} more: hostwright drift`] : [];
  const title = `${formatCountWithNoun('value', choices.length)} changed outside: put back, accept or ignore`;
  return foldMarkdownLines(title, fenceMarkdownLines([...lines, ...rest]), { openLines: 0 });
}
