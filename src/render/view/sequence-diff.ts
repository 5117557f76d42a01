import { diffArrays } from 'diff';

/** Pair of elements in the comparison of two lists: an element of both, of the first alone, or of the second alone. */
export interface AlignedPair<T> {
  readonly before?: T;
  readonly after?: T;
}

/** Most edits of a comparison: its time grows with their square, and no reader follows more. */
const maxEditLength = 2000;

/** Aligns two lists by their longest common subsequence; between common elements, removed ones come before added ones. */
export function alignSequences<T>(
  before: readonly T[],
  after: readonly T[],
  areEqual: (a: T, b: T) => boolean,
): AlignedPair<T>[] {
  const parts = diffArrays([...before], [...after], { comparator: areEqual, maxEditLength });
  if (parts === undefined) {
    return [...before.map((item) => ({ before: item })), ...after.map((item) => ({ after: item }))];
  }
  return parts.flatMap((part) =>
    part.value.map((item): AlignedPair<T> => {
      if (part.removed) return { before: item };
      return part.added ? { after: item } : { before: item, after: item };
    }),
  );
}
