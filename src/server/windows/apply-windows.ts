// Windows and freezes of a workspace: when its applies may run. All of it is arithmetic; nothing here reads a clock.
import type { Schemas } from '../contract.ts';
import { isTimeZone } from '../../model/time-zones.ts';
import { dayMs, findZoneMoment, formatZoneTime, readZoneClock, weekdayNames } from './zone-time.ts';

/** A time of the week at which applies may run. */
export type ApplyWindow = Schemas['ApplyWindow'];
/** A time at which no apply may run, and its reason. */
export type ApplyFreeze = Schemas['ApplyFreeze'];

/** Times at which the applies of a workspace may run: at any where it has neither. */
export interface ApplyTimes {
  readonly windows: readonly ApplyWindow[];
  readonly freezes: readonly ApplyFreeze[];
}

/** An apply that somebody asks for: at what time, and how long it takes. */
export interface TimedApply {
  readonly nowMs: number;
  /** Expected time of the apply; undefined where nobody knows, so that any time that is left is enough. */
  readonly takesMs: number | undefined;
}

/** Reason why an apply does not start now. */
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

/** The first fault of windows and freezes that the contract cannot see, as a sentence; undefined where there is none. */
export function explainApplyTimes({ windows, freezes }: Partial<ApplyTimes>): string | undefined {
  for (const [index, { zone }] of (windows ?? []).entries())
    if (!isTimeZone(zone))
      return `windows[${index}].zone must be a time zone, for example Europe/Berlin.`;
  for (const [index, { from, to }] of (freezes ?? []).entries())
    if (Date.parse(to) <= Date.parse(from))
      return `freezes[${index}].to must be later than its from.`;
  return undefined;
}

/** Moment at which the windows that are open at a moment close; undefined where none is open, infinite where one always is. */
export function findWindowClosing(
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

/** The next moment after another one at which a window opens; undefined where none ever does. */
export function findWindowOpening(
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

/** Moment from which an apply may run to its end: now, or later; undefined where it fits into no window. */
export function findApplyStart(
  { windows, freezes }: ApplyTimes,
  { nowMs, takesMs = 0 }: TimedApply,
): number | undefined {
  const ends = freezes.map(({ to }) => Date.parse(to));
  const lastMs = Math.max(nowMs, ...ends) + cycleDays * dayMs;
  let atMs = nowMs;
  while (atMs <= lastMs) {
    const frozen = findFreeze(freezes, atMs);
    const closesMs = findWindowClosing(windows, atMs);
    if (frozen) atMs = Date.parse(frozen.to);
    else if (closesMs === undefined) {
      const opensMs = findWindowOpening(windows, atMs);
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
export function explainApplyWait(times: ApplyTimes, asked: TimedApply): ApplyWait | undefined {
  const startsAtMs = findApplyStart(times, asked);
  if (startsAtMs === asked.nowMs) return undefined;
  return { startsAtMs, why: `${explainObstacle(times, asked)} ${explainStart(times, startsAtMs)}` };
}

function explainObstacle(
  { windows, freezes }: ApplyTimes,
  { nowMs, takesMs = 0 }: TimedApply,
): string {
  const zone = nameZone(windows);
  const frozen = findFreeze(freezes, nowMs);
  if (frozen)
    return `The workspace is frozen until ${formatZoneTime(Date.parse(frozen.to), zone)}: ${endSentence(frozen.reason)}`;
  const closesMs = findWindowClosing(windows, nowMs);
  if (closesMs === undefined) return 'No window of the workspace is open.';
  const freezeMs = findNextFreeze(freezes, nowMs);
  const [left, end] =
    freezeMs < closesMs ? [freezeMs, 'next freeze begins'] : [closesMs, 'window closes'];
  return `It takes about ${formatSpan(takesMs)}, and the ${end} in ${formatSpan(left - nowMs)}.`;
}

function explainStart({ windows }: ApplyTimes, startsAtMs: number | undefined): string {
  if (startsAtMs === undefined)
    return 'It fits into no window. Give the workspace a longer window, or split the change.';
  return `It starts on ${formatZoneTime(startsAtMs, nameZone(windows))}.`;
}

/** Says whether the apply of a plan can run now, or when; undefined for a workspace without windows and freezes. */
export function describePlanFit(times: ApplyTimes, asked: TimedApply): string | undefined {
  if (times.windows.length + times.freezes.length === 0) return undefined;
  const wait = explainApplyWait(times, asked);
  if (wait) return wait.why;
  const { windows, freezes } = times;
  const closesMs = findWindowClosing(windows, asked.nowMs) ?? asked.nowMs;
  const endMs = Math.min(closesMs, findNextFreeze(freezes, asked.nowMs));
  if (endMs === Number.POSITIVE_INFINITY) return 'It can start now.';
  return `It fits into the time until ${formatZoneTime(endMs, nameZone(windows))}.`;
}

function nameZone([first]: readonly ApplyWindow[]): string {
  return first?.zone ?? 'UTC';
}

const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Writes how long an apply takes, to the minute: `38 min`. */
export function formatSpan(ms: number): string {
  return ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} min`;
}
