/** Longest text from a server that a message shows, in characters. */
const longestText = 300;

/** Cleans a text from a server for messages: one line of limited length, without control characters and secrets. */
export function cleanServerText(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
  clean = clean
    .slice(0, 4 * longestText)
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return clean.length > longestText ? `${clean.slice(0, longestText)}…` : clean;
}
