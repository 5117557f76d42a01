/** A text as runs of digits and runs of anything else: `ubuntu-`, `24`, `.`, `04`. */
function split(text: string): readonly string[] {
  return text.match(/\d+|\D+/g) ?? [];
}

function isNumber(part: string): boolean {
  return /^\d/.test(part);
}

function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')];
  return left.length - right.length || compareTexts(left, right);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The natural order of names with versions in them: numbers by their value, all other characters by their letters. `9.10`
 * comes after `9.9`, and `24.04.1` after `24.04`. Zero means that neither comes first.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [split(a.toLowerCase()), split(b.toLowerCase())];
  for (const [at, part] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const order =
      isNumber(part) && isNumber(other) ? compareNumbers(part, other) : compareTexts(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
