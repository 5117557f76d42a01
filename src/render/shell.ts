/** A text in single quotes, which keep everything as it is in each shell; one in the text ends them for a moment. */
export function singleQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** An argument to be pasted into a shell; quoted where it needs to be. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : singleQuote(text);
}
