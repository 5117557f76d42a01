/** A token of its own for each number. */
export const tokenOf = (at: number): string => `hwk_${'0123456789abcdefghijkl'.repeat(2)}_${at}`;

/** A text with each of its characters escaped, as in an address. */
export const escape = (text: string): string[] =>
  Array.from(text, (one) => `%${one.charCodeAt(0).toString(16)}`);
