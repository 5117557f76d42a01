/** A time as people read it: `2026-11-21 12:00:05 UTC`; a dash for none. */
export function formatTime(at: number | null): string {
  if (at === null) return '-';
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Formats a time whose day is known: `12:00:05 UTC`. */
export function formatTimeOfDay(at: number): string {
  return formatTime(at).replace(/^\S+ /, '');
}

/** Formats the day of a time: `2026-11-21`; a dash for none. */
export function formatDay(at: number | null): string {
  return at === null ? '-' : new Date(at).toISOString().slice(0, 10);
}

/** Formats a time as ISO 8601 in UTC, for programs; null stays null. */
export function formatIsoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

const steps = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** Age of a moment, in the largest unit that fits: `3m`. A moment ahead of `now` is `0s`, since clocks differ. */
export function formatAge(at: number | null, now: number): string {
  if (at === null) return '-';
  const age = Math.max(0, now - at);
  const [unit, size] = steps.find(([, ms]) => age >= ms) ?? (['s', 1_000] as const);
  return `${Math.floor(age / size)}${unit}`;
}
