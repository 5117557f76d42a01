// The words in which two lines differ: marked in the removed line, and in the line that takes its place.
import { alignSequences } from './sequence-diff.ts';

/** A part of a line, for marking differing words. */
export interface MarkedLinePiece {
  readonly text: string;
  /** Tells whether the other line has other words in this part. */
  readonly isDifferent: boolean;
}

/** Longer lines are not compared word by word: nobody reads them so. */
const maxCharacters = 2_000;

const words = /[\p{L}\p{M}\p{N}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu;
const isWord = /[\p{L}\p{N}]/u;

/** Both lines in pieces, those that differ marked; lines without a common word are one unmarked piece each. */
export function markChangedWords(
  before: string,
  after: string,
): { before: MarkedLinePiece[]; after: MarkedLinePiece[] } {
  const whole = { before: [keep(before)], after: [keep(after)] };
  if (before.length + after.length > maxCharacters) return whole;
  const steps = alignSequences(
    before.match(words) ?? [],
    after.match(words) ?? [],
    (a, b) => a === b,
  );
  if (!steps.some((step) => step.before === step.after && isWord.test(step.after ?? ''))) {
    return whole;
  }
  const sides: { before: MarkedLinePiece[]; after: MarkedLinePiece[] } = { before: [], after: [] };
  for (const step of steps) {
    const isDifferent = step.before === undefined || step.after === undefined;
    if (step.before !== undefined) addSpan(sides.before, step.before, isDifferent);
    if (step.after !== undefined) addSpan(sides.after, step.after, isDifferent);
  }
  return sides;
}

function keep(text: string): MarkedLinePiece {
  return { text, isDifferent: false };
}

function addSpan(spans: MarkedLinePiece[], text: string, isDifferent: boolean): void {
  const last = spans.at(-1);
  if (last?.isDifferent === isDifferent) {
    spans[spans.length - 1] = { text: last.text + text, isDifferent };
  } else spans.push({ text, isDifferent });
}
