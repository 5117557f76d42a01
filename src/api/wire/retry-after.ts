/** The longest wait that the service can ask for at a time, in milliseconds: a day would stop everything for a day. */
const longestRetryAfterMs = 120_000;

const httpDate = /^[A-Z][a-z]{2,8},? /;

/**
 * A `Retry-After` header in milliseconds from `nowMs`: seconds, or an HTTP date (in the past: 0), two minutes at the
 * most. Null when missing or neither.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Math.min(longestRetryAfterMs, Math.ceil(Number(text) * 1000));
  }
  const time = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.min(longestRetryAfterMs, Math.max(0, time - nowMs));
}
