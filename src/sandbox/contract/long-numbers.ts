// JSON with whole numbers that a float cannot hold: a service may number what it has.

/** A whole number in JSON that may be too long for a JavaScript number. */
export class LongJsonNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** Stands before the digits of a long number while JSON is read: no text that the sandbox takes begins so. */
const mark = '\0';

/** Matches whole strings, so that no digits in them count, and whole numbers of sixteen digits or more. */
const stringsAndLongNumbers = /"(?:\\.|[^"\\])*"|(?<![\w.+-])\d{16,}(?![\w.])/g;

/** Parses JSON. `revive` sees every value, as that of `JSON.parse`. @throws SyntaxError, and what `revive` throws */
export function parseJsonWithLongNumbers(
  text: string,
  revive: (key: string, value: unknown) => unknown,
): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text, revive);
  const marked = text.replaceAll(stringsAndLongNumbers, (part) =>
    part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"\\u0000${part}"`,
  );
  return JSON.parse(marked, (key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) && /^\d{16,}$/.test(value.slice(1))
      ? new LongJsonNumber(value.slice(1))
      : revive(key, value),
  );
}

/** Writes JSON with long numbers as their digits. */
export function formatJsonWithLongNumbers(value: unknown): string {
  if (value instanceof LongJsonNumber) return value.digits;
  if (Array.isArray(value)) return `[${value.map(formatJsonWithLongNumbers).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${formatJsonWithLongNumbers(one)}`).join(',')}}`;
}
