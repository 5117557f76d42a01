// Windows and freezes of a workspace: when its applies may run. All of it is arithmetic; nothing here reads a clock.
import type { Schemas } from '../contract.ts';
import { isTimeZone } from '../../model/time-zones.ts';
import { dayMs, findZoneMoment, formatZoneTime, readZoneClock, weekdayNames } from './zone-time.ts';

/** A time of the week at which applies may run. */
export type ApplyWindow = Schemas['ApplyWindow'];
/** A period in which no apply of a workspace may run, and the reason. */
export type ApplyFreeze = Schemas['ApplyFreeze'];

/** Schedule for the applies of a workspace: its windows and freezes. Without any, an apply may run at any time. */
export interface ApplySchedule {
  readonly windows: readonly ApplyWindow[];
  readonly freezes: readonly ApplyFreeze[];
}

/** An apply to be checked against a schedule: the present time, and the expected duration. */
export interface RequestedApplyTime {
  readonly nowMs: number;
  /** Expected duration of the apply; undefined where it is unknown, so that the shortest rest of a window is enough. */
  readonly takesMs: number | undefined;
}

/** Reason why an apply has to wait, and the time when it can start. */
export interface ApplyWait {
  readonly why: string;
  /** Start of the apply; undefined where it fits into no window. */
  readonly startsAtMs: number | undefined;
}

/** After so long, windows repeat: a week in which summer time skips one, and the next. */
const cycleDays = 15;
/** Windows that go on for so long without a gap are always open. */
const endlessMs = 8 * dayMs;

const dayWords: Readonly<Record<string, readonly string[]>> = {
  daily: weekdayNames,
  weekdays: weekdayNames.slice(1, 6),
  weekends: ['Sat', 'Sun'],
};

/** Explains the first fault of windows and freezes that the schema of the API cannot find; undefined where there is none. */
export function explainInvalidApplySchedule({
  windows,
  freezes,
}: Partial<ApplySchedule>): string | undefined {
  for (const [index, { zone }] of (windows ?? []).entries())
    if (!isTimeZone(zone))
      return `windows[${index}].zone must be a time zone, for example Europe/Berlin.`;
  for (const [index, { from, to }] of (freezes ?? []).entries())
    if (Date.parse(to) <= Date.parse(from))
      return `freezes[${index}].to must be later than its from.`;
  return undefined;
}

/** Finds the time at which the presently open windows close; undefined where none is open, infinite where one is always open. */
export function findApplyWindowClosing(
  windows: readonly ApplyWindow[],
  atMs: number,
): number | undefined {
  if (windows.length === 0) return Number.POSITIVE_INFINITY;
  let closesMs: number | undefined;
  for (;;) {
    const within: number = closesMs ?? atMs;
    if (within - atMs > endlessMs) return Number.POSITIVE_INFINITY;
    const ends = windows
      .flatMap((window) => listSpans(window, within, -2, 0))
      .filter(({ opensMs, endMs }) => opensMs <= within && within < endMs)
      .map(({ endMs }) => endMs);
    if (ends.length === 0) return closesMs;
    closesMs = Math.max(...ends);
  }
}

/** Finds the next time at which a window opens; undefined where none ever does. */
export function findApplyWindowOpening(
  windows: readonly ApplyWindow[],
  afterMs: number,
): number | undefined {
  const openings = windows
    .flatMap((window) => listSpans(window, afterMs, -1, cycleDays))
    .map(({ opensMs }) => opensMs)
    .filter((opensMs) => opensMs > afterMs);
  return openings.length === 0 ? undefined : Math.min(...openings);
}

/** Times at which a window is open that begin on one of the days around a moment. One that the clock of its zone skips is none. */
function listSpans(
  { days, from, to, zone }: ApplyWindow,
  atMs: number,
  firstDay: number,
  lastDay: number,
): readonly { readonly opensMs: number; readonly endMs: number }[] {
  const named = typeof days === 'string' ? (dayWords[days] ?? [days]) : days;
  const today = Math.floor(readZoneClock(atMs, zone) / dayMs) * dayMs;
  const spans = [];
  for (let day = firstDay; day <= lastDay; day += 1) {
    const midnight = today + day * dayMs;
    const weekday = weekdayNames[new Date(midnight).getUTCDay()] ?? '';
    if (!named.includes(weekday)) continue;
    const [opens, closes] = [readClockTime(from), readClockTime(to)];
    const opensMs = findZoneMoment(midnight + opens, zone);
    const endMs = findZoneMoment(midnight + closes + (closes <= opens ? dayMs : 0), zone);
    if (endMs > opensMs) spans.push({ opensMs, endMs });
  }
  return spans;
}

function readClockTime(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60_000;
}

/** Finds the time from which an apply can run to its end: now, or later; undefined where it fits into no window. */
export function findApplyStart(
  { windows, freezes }: ApplySchedule,
  { nowMs, takesMs = 0 }: RequestedApplyTime,
): number | undefined {
  const ends = freezes.map(({ to }) => Date.parse(to));
  const lastMs = Math.max(nowMs, ...ends) + cycleDays * dayMs;
  let atMs = nowMs;
  while (atMs <= lastMs) {
    const frozen = findFreeze(freezes, atMs);
    const closesMs = findApplyWindowClosing(windows, atMs);
    if (frozen) atMs = Date.parse(frozen.to);
    else if (closesMs === undefined) {
      const opensMs = findApplyWindowOpening(windows, atMs);
      if (opensMs === undefined) return undefined;
      atMs = opensMs;
    } else {
      const endMs = Math.min(closesMs, findNextFreeze(freezes, atMs));
      if (takesMs <= endMs - atMs) return atMs;
      atMs = endMs;
    }
  }
  return undefined;
}

function findFreeze(freezes: readonly ApplyFreeze[], atMs: number): ApplyFreeze | undefined {
  return freezes.find(({ from, to }) => Date.parse(from) <= atMs && atMs < Date.parse(to));
}

/** Begin of the next freeze after a moment; infinite where there is none. */
function findNextFreeze(freezes: readonly ApplyFreeze[], atMs: number): number {
  const begins = freezes.map(({ from }) => Date.parse(from)).filter((from) => from > atMs);
  return Math.min(Number.POSITIVE_INFINITY, ...begins);
}

/** Reason why an apply waits, and until when; undefined where it may start now. */
export function explainApplyWait(
  times: ApplySchedule,
  asked: RequestedApplyTime,
): ApplyWait | undefined {
  const startsAtMs = findApplyStart(times, asked);
  if (startsAtMs === asked.nowMs) return undefined;
  return { startsAtMs, why: `${explainObstacle(times, asked)} ${explainStart(times, startsAtMs)}` };
}

function explainObstacle(
  { windows, freezes }: ApplySchedule,
  { nowMs, takesMs = 0 }: RequestedApplyTime,
): string {
  const zone = nameZone(windows);
  const frozen = findFreeze(freezes, nowMs);
  if (frozen)
    return `The workspace is frozen until ${formatZoneTime(Date.parse(frozen.to), zone)}: ${endSentence(frozen.reason)}`;
  const closesMs = findApplyWindowClosing(windows, nowMs);
  if (closesMs === undefined) return 'No window of the workspace is open.';
  const freezeMs = findNextFreeze(freezes, nowMs);
  const [left, end] =
    freezeMs < closesMs ? [freezeMs, 'next freeze begins'] : [closesMs, 'window closes'];
  return `It takes about ${formatApplyDuration(takesMs)}, and the ${end} in ${formatApplyDuration(left - nowMs)}.`;
}

function explainStart({ windows }: ApplySchedule, startsAtMs: number | undefined): string {
  if (startsAtMs === undefined)
    return 'It fits into no window. Give the workspace a longer window, or split the change.';
  return `It starts on ${formatZoneTime(startsAtMs, nameZone(windows))}.`;
}

/** Says whether the apply of a plan can run now, or when; undefined for a workspace without windows and freezes. */
export function describeApplyWindowFit(
  times: ApplySchedule,
  asked: RequestedApplyTime,
): string | undefined {
  if (times.windows.length + times.freezes.length === 0) return undefined;
  const wait = explainApplyWait(times, asked);
  if (wait) return wait.why;
  const { windows, freezes } = times;
  const closesMs = findApplyWindowClosing(windows, asked.nowMs) ?? asked.nowMs;
  const endMs = Math.min(closesMs, findNextFreeze(freezes, asked.nowMs));
  if (endMs === Number.POSITIVE_INFINITY) return 'It can start now.';
  return `It fits into the time until ${formatZoneTime(endMs, nameZone(windows))}.`;
}

function nameZone([first]: readonly ApplyWindow[]): string {
  return first?.zone ?? 'UTC';
}

const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Writes how long an apply takes, to the minute: `38 min`. */
export function formatApplyDuration(ms: number): string {
  return ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} min`;
}
