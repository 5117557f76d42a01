// Windows and freezes as a form has them: one on a line. What is wrong with a line, the contract of the API says.

/** An apply window as a person typed it into a form; it may be invalid. */
export interface ApplyWindowInput {
  readonly days: string | readonly string[];
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

/** An apply freeze as a person typed it into a form; it may be invalid. */
export interface ApplyFreezeInput {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** Parses apply windows such as `Sat,Sun 02:00-05:00 Europe/Berlin`, one on a line. */
export function parseApplyWindowLines(text: string): readonly ApplyWindowInput[] {
  return listWordsByLine(text).map(([days = '', times = '', ...zone]) => {
    const [from = '', to = ''] = times.split('-');
    return { days: days.includes(',') ? days.split(',') : days, from, to, zone: zone.join(' ') };
  });
}

/** Parses apply freezes such as `2026-12-20T00:00Z 2027-01-07T00:00Z Christmas`, one on a line. */
export function parseApplyFreezeLines(text: string): readonly ApplyFreezeInput[] {
  return listWordsByLine(text).map(([from = '', to = '', ...reason]) => {
    return { from, to, reason: reason.join(' ') };
  });
}

function listWordsByLine(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => line.split(/\s+/));
}

/** Formats apply windows as a person types them into the form. */
export function formatApplyWindowLines(windows: readonly ApplyWindowInput[]): string {
  return windows
    .map(({ days, from, to, zone }) => {
      return `${typeof days === 'string' ? days : days.join(',')} ${from}-${to} ${zone}`;
    })
    .join('\n');
}

/** Formats apply freezes as a person types them into the form. */
export function formatApplyFreezeLines(freezes: readonly ApplyFreezeInput[]): string {
  return freezes.map(({ from, to, reason }) => `${from} ${to} ${reason}`).join('\n');
}
