import { escapeLineEnds } from './unsafe-text.ts';

/** Edits (insert, delete, replace, swap neighbours) that turn one text into the other; `limit + 1` when more. */
function countEdits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const editsAt = (row: readonly number[], column: number) => row[column] ?? Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        editsAt(last, column) + 1,
        editsAt(current, column - 1) + 1,
        editsAt(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? editsAt(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return editsAt(last, b.length);
}

/** Candidates are compared at most so often: a suggestion is not worth more time than the run. */
const maxCandidates = 2000;

function normalize(text: string): string {
  return text.toLowerCase().replace(/[-_\s]/g, '');
}

/** The candidate that was most likely meant; undefined when none is near. */
export function suggestNearestName(
  written: string,
  candidates: Iterable<string>,
): string | undefined {
  const wanted = normalize(written);
  if (wanted.length > 64) return undefined;
  let limit = Math.min(4, Math.floor((wanted.length + 1) / 3));
  let best: string | undefined;
  let compared = 0;
  for (const candidate of candidates) {
    compared += 1;
    if (compared > maxCandidates) break;
    const edits = countEdits(wanted, normalize(candidate), limit);
    if (edits <= limit) {
      best = candidate;
      limit = edits - 1;
    }
    if (limit < 0) break;
  }
  return best;
}

/** The candidates that are as near as the nearest one, three at most. */
export function suggestNearestNames(
  written: string,
  candidates: Iterable<string>,
): readonly string[] {
  const left = new Set(candidates);
  const found: string[] = [];
  const wanted = normalize(written);
  for (let next = suggestNearestName(written, left); next !== undefined && found.length < 3;) {
    const limit = countEdits(wanted, normalize(found[0] ?? next), wanted.length);
    if (countEdits(wanted, normalize(next), wanted.length) > limit) break;
    found.push(next);
    left.delete(next);
    next = suggestNearestName(written, left);
  }
  return found;
}

/** Lists names for a sentence: quoted, and cut when there are many. */
export function formatNameList(names: Iterable<string>, shown = 12): string {
  const all = [...names];
  const first = all.slice(0, shown).map((name) => `\`${escapeLineEnds(name)}\``);
  const rest = all.length - first.length;
  return rest > 0 ? `${first.join(', ')} and ${rest} more` : first.join(', ');
}
