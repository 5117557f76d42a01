/**
 * The place of the first item that repeats an earlier text or number of its list; -1 where none does. Lists and objects are
 * not compared: where each item is to be different they are of the wrong type, and may be hostile, with a key `valueOf` or
 * in tens of thousands.
 */
export function findTwin(items: readonly unknown[]): number {
  const seen = new Set<unknown>();
  return items.findIndex((item) => {
    if (typeof item === 'object' && item !== null) return false;
    if (seen.has(item)) return true;
    seen.add(item);
    return false;
  });
}
