/** Counts failed attempts by sender, in the memory of one process. */
export interface FailedAttemptLimit {
  /** Tells whether a sender may try again, as it has not failed too often lately. */
  isAllowed(who: string): boolean;
  /** Notes one more failed attempt of a sender. */
  noteFailure(who: string): void;
}

/** Number of failed attempts within the window from which a sender is refused. */
const most = 10;
const windowMs = 10 * 60_000;
/** Whoever has many addresses must not fill the memory: of more, the oldest is forgotten. */
const mostKept = 10_000;

/** Opens a limit of failed attempts; `now` tells the time in milliseconds. */
export function openFailedAttemptLimit(now: () => number): FailedAttemptLimit {
  const failures = new Map<string, readonly number[]>();
  const recent = (who: string) =>
    (failures.get(who) ?? []).filter((moment) => moment > now() - windowMs);
  return {
    isAllowed: (who) => recent(who).length < most,
    noteFailure(who) {
      const kept = [...recent(who), now()];
      failures.delete(who);
      failures.set(who, kept);
      const [oldest] = failures.keys();
      if (failures.size > mostKept && oldest !== undefined) failures.delete(oldest);
    },
  };
}
