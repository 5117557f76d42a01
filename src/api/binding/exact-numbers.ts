// JSON whose whole numbers may be ids. JSON.parse makes floats of them, and two ids beyond 2^53 would be one.
import { isJsonObject } from '../../model/json-object.ts';

/** A whole number of sixteen digits or more, wherever it stands. */
const longNumber = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** Parses JSON; a whole number that is no safe integer becomes the text that it was. @throws SyntaxError */
export function parseJsonExactly(text: string): unknown {
  if (!hasLongDigits(text)) return JSON.parse(text);
  let quoted = '';
  let copied = 0;
  let behind = 0;
  for (const { 0: digits, index } of text.matchAll(longNumber)) {
    behind = passStrings(text, behind, index);
    // Digits within a JSON string are text, not a number that would lose digits.
    if (behind > index || Number.isSafeInteger(Number(digits))) continue;
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

/** A whole number too long for a JavaScript number, kept as its digits: some services have such ids. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** A text as the whole number that it is; any other as it came. */
export function toExactNumber(text: string): ExactNumber | string {
  return /^-?(?:0|[1-9]\d*)$/.test(text) ? new ExactNumber(text) : text;
}

/** Writes JSON with the digits of each `ExactNumber`, so that long numeric ids lose no digit. */
export function writeJsonExactly(value: unknown): string {
  if (value instanceof ExactNumber) return value.digits;
  if (Array.isArray(value)) return `[${value.map(writeJsonExactly).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJsonExactly(member)}`).join(',')}}`;
}
