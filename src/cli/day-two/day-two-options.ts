import { InvalidArgumentError } from 'commander';

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: dayMs,
  w: 7 * dayMs,
};

/** Expiry of an access token: after a duration, or at a time of the UTC calendar. */
export type TokenExpiry =
  { readonly kind: 'after'; readonly ms: number } | { readonly kind: 'at'; readonly at: number };

/**
 * Parses the expiry of an access token: `90d`, `12h`, `2w`; `2027-01-31`, to the end of that day in UTC; or a full time with its
 * zone.
 */
export function parseTokenExpiry(text: string): TokenExpiry {
  const [, amount, unit = ''] = /^([1-9]\d{0,5})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return { kind: 'after', ms: Number(amount) * (unitMs[unit] ?? 0) };
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const at = isDay ? readDay(text) : isTime ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return { kind: 'at', at };
  throw new InvalidArgumentError(
    'Give a duration such as 90d, 12h or 2w, a day such as 2027-01-31, or a time such as 2027-01-31T18:00:00Z.',
  );
}

/** The last second of a day; no number for one that the calendar has not. */
function readDay(text: string): number {
  const start = Date.parse(`${text}T00:00:00Z`);
  // A day that does not exist, as 31 February, is refused: `Date` would turn it into a day of March.
  const isReal = !Number.isNaN(start) && new Date(start).toISOString().startsWith(text);
  return isReal ? start + dayMs - 1_000 : Number.NaN;
}

/** Collects the words of a list flag, given as `a,b` or repeated; each word once. */
export function collectListFlag(text: string, before: readonly string[] = []): string[] {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (words.length === 0) throw new InvalidArgumentError('Give at least one.');
  return [...new Set([...before, ...words])];
}

/**
 * Collects switches given as `name=true` or `name=false`, several in one flag or in repeated flags. Of one name, the last counts.
 */
export function collectSwitchesFlag(
  text: string,
  before: Readonly<Record<string, boolean>> = {},
): Record<string, boolean> {
  const [, name, value = ''] = /^\s*([^=\s]+)=(\w+)\s*$/.exec(text) ?? [];
  if (name === undefined || !Object.hasOwn(switchValues, value.toLowerCase())) {
    throw new InvalidArgumentError('Write it as NAME=true or NAME=false.');
  }
  return { ...before, [name]: switchValues[value.toLowerCase()] === true };
}

const switchValues: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  on: true,
  off: false,
  yes: true,
  no: false,
};
