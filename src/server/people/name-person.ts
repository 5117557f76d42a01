/** The words by which the server names itself, the administrator, and unknown callers. */
const ownWords = new Set(['administrator', 'administrators', 'admin', 'server', 'stranger']);

/**
 * Formats the name of a person for others to see. People choose their names at a provider or a git host, so a name that reads
 * like the administrator's or the server's own, or mixes similar letters of two scripts, is marked as a person's.
 */
export function formatPersonName(name: string): string {
  const plain = name.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
  const words = plain.toLowerCase().split(/[^\p{L}]+/u);
  const isMixed = words.some(
    (word) => /\p{Script=Latin}/u.test(word) && !/^\p{Script=Latin}+$/u.test(word),
  );
  return isMixed || words.some((word) => ownWords.has(word)) ? `${name} (a person)` : name;
}
