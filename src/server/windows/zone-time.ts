// The clock of a time zone: the moments at which it shows a date and a time.
import { getTimeZoneFormat } from '../../model/time-zones.ts';

/** Milliseconds of a day of 24 hours. */
export const dayMs = 86_400_000;

/** Date and time that the clock of a zone shows at a moment, as milliseconds of the same date and time in UTC. */
export function readZoneClock(atMs: number, zone: string): number {
  const parts = getTimeZoneFormat(zone).formatToParts(atMs);
  const read = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value);
  const date = [read('year'), read('month') - 1, read('day')] as const;
  const shown = Date.UTC(...date, read('hour'), read('minute'), read('second'));
  return shown + (((atMs % 1_000) + 1_000) % 1_000);
}

/**
 * First moment at which the clock of a zone shows a date and time. Where it skips them, as in the night in which summer time
 * begins, that is the moment of the skip.
 * @param clockMs the date and time, as of `readZoneClock`
 */
export function findZoneMoment(clockMs: number, zone: string): number {
  const offsets = [clockMs - dayMs, clockMs + dayMs].map((at) => readZoneClock(at, zone) - at);
  let [before, after] = [clockMs - Math.max(...offsets), clockMs - Math.min(...offsets)];
  for (const moment of [before, after]) if (readZoneClock(moment, zone) === clockMs) return moment;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (readZoneClock(middle, zone) < clockMs) before = middle;
    else after = middle;
  }
  return after;
}

/** Writes a moment by the clock of a zone: `Sat 2026-12-05 02:00 (Europe/Berlin)`. */
export function formatZoneTime(atMs: number, zone: string): string {
  const shown = new Date(readZoneClock(atMs, zone));
  const text = shown.toISOString().slice(0, 16).replace('T', ' ');
  return `${weekdayNames[shown.getUTCDay()] ?? ''} ${text} (${zone})`;
}

/** The days of a week, as `Date` counts them. */
export const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
