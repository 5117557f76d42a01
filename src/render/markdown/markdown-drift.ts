import type { DriftChoice } from '../../model/plan/drift-choice.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import {
  acceptCommand,
  describeAccept,
  describeDriftChoice,
  describeIgnore,
  describePutBack,
} from '../drift/drift-words.ts';
import { fenceLines } from './diff-fence.ts';
import { foldLines } from './markdown-blocks.ts';

/** The most drifted values that a comment shows; further ones are counted. */
const mostDrifts = 20;

/** Drift with its three ways, folded: the changes of the plan show that it is there. */
export function drawDriftChoices(choices: readonly DriftChoice[]): string[] {
  if (choices.length === 0) return [];
  const lines = choices
    .slice(0, mostDrifts)
    .flatMap((choice) => [
      `! ${describeDriftChoice(choice)}`,
      `    put back: ${describePutBack(choice)}`,
      `    accept: ${describeAccept(choice.accept)}`,
      ...(choice.accept.kind === 'edits' ? [`    accept: ${acceptCommand(choice)}`] : []),
      `    ignore: ${describeIgnore(choice)}`,
    ]);
  const left = choices.length - mostDrifts;
  const rest = left > 0 ? [`# and ${left} more: hostwright drift`] : [];
  const title = `${countNoun('value', choices.length)} changed outside: put back, accept or ignore`;
  return foldLines(title, fenceLines([...lines, ...rest]), { openLines: 0 });
}
