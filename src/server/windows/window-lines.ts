// Windows and freezes as a form has them: one on a line. What is wrong with a line, the contract of the API says.

/** A window as it was typed: it may be none. */
export interface TypedWindow {
  readonly days: string | readonly string[];
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

/** A freeze as it was typed. */
export interface TypedFreeze {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** Reads windows such as `Sat,Sun 02:00-05:00 Europe/Berlin`, one on a line. */
export function readWindowLines(text: string): readonly TypedWindow[] {
  return listWordsByLine(text).map(([days = '', times = '', ...zone]) => {
    const [from = '', to = ''] = times.split('-');
    return { days: days.includes(',') ? days.split(',') : days, from, to, zone: zone.join(' ') };
  });
}

/** Reads freezes such as `2026-12-20T00:00Z 2027-01-07T00:00Z Christmas`, one on a line. */
export function readFreezeLines(text: string): readonly TypedFreeze[] {
  return listWordsByLine(text).map(([from = '', to = '', ...reason]) => {
    return { from, to, reason: reason.join(' ') };
  });
}

function listWordsByLine(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => line.split(/\s+/));
}

/** Writes windows as they are typed. */
export function formatWindowLines(windows: readonly TypedWindow[]): string {
  return windows
    .map(({ days, from, to, zone }) => {
      return `${typeof days === 'string' ? days : days.join(',')} ${from}-${to} ${zone}`;
    })
    .join('\n');
}

/** Writes freezes as they are typed. */
export function formatFreezeLines(freezes: readonly TypedFreeze[]): string {
  return freezes.map(({ from, to, reason }) => `${from} ${to} ${reason}`).join('\n');
}
