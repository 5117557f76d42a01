// Functions that work on timestamps. None tells the time: a plan made twice would be two plans.
import { defineFunction } from './define.ts';
import { FunctionError } from '../parse/expression-fault.ts';

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,18}))?(Z|[-+]\d\d:\d\d)$/;

/** Date and time of a timestamp as written, in its own time zone. */
interface ClockTime {
  /** Shifted, so that the UTC fields are those of its own clock; without the part of a second. */
  readonly shown: Date;
  readonly nanoseconds: bigint;
  readonly offsetMinutes: number;
}

/** The nanoseconds of what is written behind the point of seconds. */
function readFraction(digits: string): bigint {
  return BigInt(digits.slice(0, 9).padEnd(9, '0'));
}

function readTimestamp(name: string, text: string): ClockTime {
  const [, , , day, , , , fraction = '', zone = ''] = rfc3339.exec(text) ?? [];
  const instant = zone === '' ? Number.NaN : Date.parse(text.replace(/\.\d+/, ''));
  const [hours = 0, minutes = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number);
  const offsetMinutes = (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
  const shown = new Date(instant + offsetMinutes * 60_000);
  // `Date` turns 30 February into a day of March, so such dates are refused.
  if (!Number.isNaN(instant) && shown.getUTCDate() === Number(day)) {
    return { shown, nanoseconds: readFraction(fraction), offsetMinutes: offsetMinutes + 0 };
  }
  throw new FunctionError(
    `${name}() takes a timestamp of RFC 3339`,
    'Write for example "2026-11-24T09:30:00Z".',
  );
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function padded(number: number, width: number): string {
  return String(number).padStart(width, '0');
}

/** Writes the offset from UTC, as `+02:00`. */
function printOffset(minutes: number, separator: string): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${padded(Math.floor(size / 60), 2)}${separator}${padded(size % 60, 2)}`;
}

/** Text for a run of one letter in a time format, such as `YYYY` or `hh`; undefined for an unknown one. */
function printField(letters: string, { shown, offsetMinutes }: ClockTime): string | undefined {
  const month = shown.getUTCMonth();
  const hour = shown.getUTCHours();
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  const day = days[shown.getUTCDay()] ?? '';
  const name = months[month] ?? '';
  const fields: Readonly<Record<string, string>> = {
    YYYY: padded(shown.getUTCFullYear(), 4),
    YY: padded(shown.getUTCFullYear() % 100, 2),
    MMMM: name,
    MMM: name.slice(0, 3),
    MM: padded(month + 1, 2),
    M: String(month + 1),
    DD: padded(shown.getUTCDate(), 2),
    D: String(shown.getUTCDate()),
    EEEE: day,
    EEE: day.slice(0, 3),
    hh: padded(hour, 2),
    h: String(hour),
    HH: padded(twelve, 2),
    H: String(twelve),
    AA: hour < 12 ? 'AM' : 'PM',
    aa: hour < 12 ? 'am' : 'pm',
    mm: padded(shown.getUTCMinutes(), 2),
    m: String(shown.getUTCMinutes()),
    ss: padded(shown.getUTCSeconds(), 2),
    s: String(shown.getUTCSeconds()),
    ZZZZZ: printOffset(offsetMinutes, ':'),
    ZZZZ: printOffset(offsetMinutes, ''),
    ZZZ: offsetMinutes === 0 ? 'UTC' : printOffset(offsetMinutes, ''),
    Z: offsetMinutes === 0 ? 'Z' : printOffset(offsetMinutes, ':'),
  };
  return Object.hasOwn(fields, letters) ? fields[letters] : undefined;
}

function formatDate(template: string, timestamp: string): string {
  const time = readTimestamp('formatDate', timestamp);
  const parts = /'((?:[^']|'')*)'|'|([A-Za-z])\2*/g;
  return template.replace(parts, (run, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted.replaceAll("''", "'");
    const field = printField(run, time);
    if (field !== undefined) return field;
    throw new FunctionError(
      run === "'"
        ? 'formatDate() was given a quote that is not closed'
        : `formatDate() does not know the letters \`${run.slice(0, 20)}\``,
      "Write for example `YYYY-MM-DD'T'hh:mm:ssZ`: put other letters in single quotes.",
    );
  });
}

const nanosecondsOf: Readonly<Record<string, bigint>> = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ns: 1n,
};
/** Longest duration in Go, 292 years: Terraform refuses longer ones, too. */
const maxNanoseconds = 2n ** 63n - 1n;

/** Reads a duration in nanoseconds; undefined for a text that is none. */
function readDuration(text: string): bigint | undefined {
  const [, sign, parts = ''] =
    /^([-+])?((?:(?:\d+\.?\d*|\.\d+)(?:ms|us|µs|μs|ns|h|m|s)){1,20}|0)$/.exec(text.slice(0, 200)) ??
    [];
  if (parts === '') return undefined;
  const found = [...parts.matchAll(/(\d*)\.?(\d*)(ms|us|µs|μs|ns|h|m|s)/g)];
  const total = found.reduce((sum, [, whole = '', part = '', unit = '']) => {
    const size = nanosecondsOf[unit] ?? 0n;
    return sum + BigInt(whole) * size + (BigInt(part) * size) / 10n ** BigInt(part.length);
  }, 0n);
  if (total > maxNanoseconds) return undefined;
  return sign === '-' ? -total : total;
}

const nanosecondsPerSecond = 1_000_000_000n;

function addTime(timestamp: string, duration: string): string {
  const { shown, nanoseconds, offsetMinutes } = readTimestamp('timeAdd', timestamp);
  const added = readDuration(duration);
  if (added === undefined) {
    throw new FunctionError(
      'timeAdd() takes a duration as its second argument',
      'Write for example "1h30m", or "-10m".',
    );
  }
  const total = nanoseconds + added;
  const isPartBelow = total < 0n && total % nanosecondsPerSecond !== 0n;
  const seconds = Number(total / nanosecondsPerSecond) - (isPartBelow ? 1 : 0);
  const later = new Date(shown.getTime() + seconds * 1_000);
  const year = later.getUTCFullYear();
  if (year < 0 || year > 9999) {
    throw new FunctionError(
      'timeAdd() leaves the years from 0 to 9999',
      'Give a shorter duration.',
    );
  }
  const zone = offsetMinutes === 0 ? 'Z' : printOffset(offsetMinutes, ':');
  return later.toISOString().replace(/\.000Z$/, zone);
}

export const timeFunctions = [
  defineFunction(
    {
      is: 'formatDate(template: text, timestamp: text): text',
      does: 'A timestamp in another form. `YYYY MM DD` is the date, `MMM` and `EEE` are names, `hh mm ss` is the time and `Z` the zone. Letters between single quotes stay.',
      example: ['formatDate("DD MMM YYYY hh:mm", "2026-11-24T09:30:00Z")', '24 Nov 2026 09:30'],
    },
    formatDate,
  ),
  defineFunction(
    {
      is: 'timeAdd(timestamp: text, duration: text): text',
      does: 'A later timestamp, or an earlier one if the duration begins with `-`. The units are `h`, `m`, `s`, `ms`, `us` and `ns`.',
      example: ['timeAdd("2026-11-24T09:30:00Z", "1h30m")', '2026-11-24T11:00:00Z'],
    },
    addTime,
  ),
];
