// Whole numbers that no number of JavaScript holds stay the text that they are: two ids beyond 2^53 would be one.

/** A whole number of sixteen digits or more, wherever it stands. */
const longNumber = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** Tells whether a number of JavaScript may stand for a whole number of these digits: by `isSafeNumber` or `isExactNumber`. */
type HoldsDigits = (digits: string) => boolean;

/** True for what two numbers of JavaScript tell from its neighbours, as ids must be. */
const isSafeNumber: HoldsDigits = (digits) => Number.isSafeInteger(Number(digits));

/** Tells whether a whole number with these digits is exact, to the last digit, as a JavaScript number. */
export const isExactNumber: HoldsDigits = (digits) => {
  const number = Number(digits);
  return Number.isFinite(number) && BigInt(number) === BigInt(digits);
};

/**
 * Parses JSON; a whole number that a JavaScript number could not hold exactly becomes a text with its digits. @throws SyntaxError
 */
export function parseJsonExactly(text: string, holds: HoldsDigits = isSafeNumber): unknown {
  if (!hasLongDigits(text)) return JSON.parse(text);
  let quoted = '';
  let copied = 0;
  let behind = 0;
  for (const { 0: digits, index } of text.matchAll(longNumber)) {
    behind = passStrings(text, behind, index);
    // Digits within a JSON string are text, not a number that would lose digits.
    if (behind > index || holds(digits)) continue;
    quoted += `${text.slice(copied, index)}"${digits}"`;
    copied = index + digits.length;
  }
  return JSON.parse(quoted + text.slice(copied));
}

/** True where sixteen digits may stand in a row: such a row has a digit at one of any sixteen places, which are all looked at. */
function hasLongDigits(text: string): boolean {
  for (let at = 15; at < text.length; at += 16) {
    if (isDigit(text.charCodeAt(at)) && /\d{16}/.test(text.slice(at - 15, at + 16))) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/**
 * Offset behind the last string that begins before `to`; `from` is in none. Strings are skipped whole: long texts have
 * many.
 */
function passStrings(text: string, from: number, to: number): number {
  let behind = from;
  for (;;) {
    const begin = text.indexOf('"', behind);
    if (begin === -1 || begin > to) return behind;
    behind = begin + 1;
    for (;;) {
      const end = text.indexOf('"', behind);
      if (end === -1) return text.length;
      behind = end + 1;
      let slashes = 0;
      while (text[end - 1 - slashes] === '\\') slashes += 1;
      if (slashes % 2 === 0) break;
    }
  }
}

/** A number of YAML as it was read, or its text where it is a whole number that a JavaScript number could not hold exactly. */
export function keepLongNumberAsText(
  value: number,
  written: string | undefined,
  holds: HoldsDigits = isSafeNumber,
): number | string {
  return written === undefined || !/^[-+]?\d+$/.test(written) || holds(written) ? value : written;
}
