/** The words by which the server names itself, the administrator, and unknown callers. */
const ownWords = new Set(['administrator', 'administrators', 'admin', 'server', 'stranger']);

/**
 * The name that people are shown for a person, who has chosen it at a provider or a git host. One that reads as the
 * administrator's or the server's own, or mixes Latin letters with others that look like them, says that it is a person's.
 */
export function formatPersonName(name: string): string {
  const plain = name.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
  const words = plain.toLowerCase().split(/[^\p{L}]+/u);
  const isMixed = words.some(
    (word) => /\p{Script=Latin}/u.test(word) && !/^\p{Script=Latin}+$/u.test(word),
  );
  return isMixed || words.some((word) => ownWords.has(word)) ? `${name} (a person)` : name;
}
