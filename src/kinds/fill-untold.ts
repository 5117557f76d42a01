import type { LiveResource } from '../model/account/live.ts';

/** A live resource with what is untold as it is known from elsewhere; the same one where nothing is. */
export function fillUntold(live: LiveResource, known: Partial<LiveResource>): LiveResource {
  const filled = Object.entries(known).filter(
    ([name, value]) =>
      value !== undefined && name in live && live[name as keyof LiveResource] === undefined,
  );
  return filled.length === 0 ? live : { ...live, ...Object.fromEntries(filled) };
}
