/** The likeness of a part of the contract and one of the document, from 0 to 1. */
export interface LikelyBindingPair<A, B> {
  readonly ours: A;
  readonly theirs: B;
  readonly score: number;
}

/** The one-to-one assignment of the contract's names to the service's, with the open questions. */
export interface AssignedBindingPairs<A, B> {
  readonly bound: ReadonlyMap<A, LikelyBindingPair<A, B>>;
  /** Possible pairs of the members that are not bound, the likeliest first. */
  readonly open: ReadonlyMap<A, readonly LikelyBindingPair<A, B>[]>;
}

/** Least score at which a pair is bound although another pair scores nearly as much. */
const sure = 0.7;
/** Least score of a bound pair that is far ahead of all rivals. */
const likely = 0.6;
/** Lead in score that a pair needs over the other pairs of its two sides to be bound without a question. */
const margin = 0.04;
/** Score below which two names are not considered a pair. */
const floor = 0.45;

/** Binds each part of the contract to at most one of the document, and the other way round. What is as likely as another is left open. */
export function assignBindingPairs<A, B>(
  pairs: readonly LikelyBindingPair<A, B>[],
): AssignedBindingPairs<A, B> {
  let active = pairs.filter(({ score }) => score >= floor);
  const bound = new Map<A, LikelyBindingPair<A, B>>();
  const accept = (from: number, distance: number) => {
    const found = active.filter(
      (pair) =>
        pair.score >= from &&
        !active.some(
          (other) =>
            other !== pair &&
            (other.ours === pair.ours || other.theirs === pair.theirs) &&
            other.score > pair.score - distance,
        ),
    );
    for (const pair of found) bound.set(pair.ours, pair);
    const taken = new Set(found.map(({ theirs }) => theirs));
    active = active.filter(({ ours, theirs }) => !bound.has(ours) && !taken.has(theirs));
    return found.length > 0;
  };
  // Pairs of identical names are accepted first, whatever else resembles them.
  while (accept(1, 1e-9));
  while (accept(sure, margin) || accept(likely, 0.2));
  const open = new Map<A, LikelyBindingPair<A, B>[]>();
  for (const pair of active.toSorted((one, other) => other.score - one.score)) {
    open.set(pair.ours, [...(open.get(pair.ours) ?? []), pair]);
  }
  return { bound, open };
}
