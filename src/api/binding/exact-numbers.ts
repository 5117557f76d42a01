// Whole numbers of bodies that no number of JavaScript holds: two ids beyond 2^53 would be one.
import { isJsonObject } from '../../model/json-object.ts';

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
