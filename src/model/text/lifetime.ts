const pattern = /^(?=\d)(?:(\d{1,5})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?$/;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Reads `90d`, `12h` or `1d12h30m` as milliseconds; undefined when the text is no lifetime. */
export function parseLifetime(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, days = '0', hours = '0', minutes = '0'] = match;
  return Number(days) * dayMs + Number(hours) * hourMs + Number(minutes) * minuteMs;
}

/** Writes milliseconds as a lifetime that `parseLifetime` reads, to the minute; one minute at least. */
export function formatLifetime(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / minuteMs));
  const parts = [
    [Math.floor(minutes / (24 * 60)), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'm'],
  ] as const;
  return parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
}
