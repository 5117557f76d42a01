import type { LiveResource } from '../model/account/live.ts';

/** A live resource whose unreported attributes are filled in from another source; the same object where none is. */
export function fillUntoldAttributes(
  live: LiveResource,
  known: Partial<LiveResource>,
): LiveResource {
  const filled = Object.entries(known).filter(
    ([name, value]) =>
      value !== undefined && name in live && live[name as keyof LiveResource] === undefined,
  );
  return filled.length === 0 ? live : { ...live, ...Object.fromEntries(filled) };
}
