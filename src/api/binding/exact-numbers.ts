// JSON whose whole numbers may be ids. JSON.parse makes floats of them, and two ids beyond 2^53 would be one.
import { isRecord } from '../../model/wire/decode-fields.ts';

/** Strings, which are passed over whole, and whole numbers of sixteen digits or more. */
const stringOrLongNumber = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** Parses JSON; a whole number that is no safe integer becomes the text that it was. @throws SyntaxError */
export function parseExactly(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text) as unknown;
  const quoted = text.replaceAll(stringOrLongNumber, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
  );
  return JSON.parse(quoted) as unknown;
}

/** A whole number of any length. */
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

/** JSON, each `ExactNumber` in it as its digits. */
export function writeExactly(value: unknown): string {
  if (value instanceof ExactNumber) return value.digits;
  if (Array.isArray(value)) return `[${value.map(writeExactly).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeExactly(member)}`).join(',')}}`;
}
