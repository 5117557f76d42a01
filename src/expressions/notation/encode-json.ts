import type { Value } from '../../model/value.ts';
import { compareTexts } from './letters.ts';
import { formatNumberWithoutExponent } from './print-number.ts';

/** Characters that Terraform escapes beside those that JSON requires, so that the text is safe in HTML and JavaScript. */
const risky = /[<>&\u2028\u2029]/g;

function encodeText(text: string): string {
  return JSON.stringify(text).replace(
    risky,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Encodes a value as JSON on one line, with sorted keys, so that equal values have equal text. */
export function encodeJson(value: Value): string {
  if (typeof value === 'string') return encodeText(value);
  if (typeof value === 'number') return formatNumberWithoutExponent(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(encodeJson).join()}]`;
  const members = Object.keys(value)
    .sort(compareTexts)
    .map((key) => `${encodeText(key)}:${encodeJson(value[key] ?? null)}`);
  return `{${members.join()}}`;
}
