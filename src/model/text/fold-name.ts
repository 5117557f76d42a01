/** White space as JavaScript's `trim` knows it, and the control characters: some services remove those, too. */
const blank = /[\s\p{Cc}]/u;

const plain = /^[ -~]*$/;

/** The name without white space and control characters at its two ends. */
export function trimName(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && blank.test(name.charAt(start))) start += 1;
  while (end > start && blank.test(name.charAt(end - 1))) end -= 1;
  return name.slice(start, end);
}

/**
 * The form in which two names are compared that a service may have rewritten: trimmed, in one case and in Unicode's
 * normal form C. Two names with the same form may be the same name, kept by a service that trims, lower-cases,
 * upper-cases or normalises names.
 *
 * It does not depend on a locale, and comes as close to Unicode's full case folding as JavaScript can: `ß`, `ẞ` and `SS`
 * are one, so are `σ`, `ς` and `Σ`, and so are the four letters i (`I`, `i`, `İ`, `ı`), since a service may lower-case
 * by Turkish rules. Compatibility forms (`²` and `2`) stay different.
 */
export function foldNameForComparison(name: string): string {
  const trimmed = trimName(name);
  // Plain ASCII names take a fast way, as large configurations have many.
  if (plain.test(trimmed)) return trimmed.toLowerCase();
  return (
    trimmed
      .normalize('NFD')
      // `ẞ` has an upper case only by way of `ß`, and that one becomes `SS`: hence three steps.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replaceAll(/i\u0307+/g, 'i')
      .normalize('NFC')
  );
}
