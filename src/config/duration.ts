const pattern = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/** Longest timeout of a change, in milliseconds: a week. */
export const maxChangeTimeoutMs = 7 * 24 * 3_600_000;

/** Parses `90s`, `20m` or `1h30m` as milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match || text === '') return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
}
