const pattern = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/** The longest time a change may take, in milliseconds: a week. */
export const maxDurationMs = 7 * 24 * 3_600_000;

/** Reads `90s`, `20m` or `1h30m` as milliseconds; undefined when the text is none of the kind. */
export function parseDuration(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match || text === '') return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
}
