// Time zones by their names in the IANA database.
const formats = new Map<string, Intl.DateTimeFormat>();

/** Tells whether a text is the name of a time zone that this process knows. */
export function isTimeZone(zone: string): boolean {
  try {
    getTimeZoneFormat(zone);
    return true;
  } catch {
    return false;
  }
}

/** The format of the clock of a time zone, kept: to make one takes far longer than to use it. @throws RangeError for no time zone */
export function getTimeZoneFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const date = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const made = new Intl.DateTimeFormat('en-u-hc-h23', { timeZone, ...date, ...time });
  formats.set(timeZone, made);
  return made;
}
