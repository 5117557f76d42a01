import type { ServiceDialect } from '../binding/dialect.ts';
import { parseJsonExactly } from '../../model/text/whole-numbers.ts';
import { readWireText } from '../../model/wire/decode-fields.ts';
import type { ProblemDetails } from '../errors/errors.ts';
import { isJsonObject } from '../../model/json-object.ts';

const longestExcerpt = 200;

/**
 * Tells whether an answer is an HTML page made for people: then a proxy, a captive portal or a web server has answered, not the
 * service.
 */
export function looksLikeHtml(text: string, contentType: string | null): boolean {
  if (/^\s*<(!doctype|html|head|body)\b/i.test(text)) return true;
  // Some services send their JSON under that name.
  return contentType?.includes('html') === true && !isJsonObject(parseJson(text));
}

/** The first words of a text: tags, scripts and styles stripped, white space drawn together, at most 200 characters. */
export function excerptHtmlText(text: string): string {
  const plain = text
    .slice(0, 20_000)
    .replaceAll(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/<[^>]*>?/g, ' ')
    // Control characters of a stranger's page have no business on a terminal.
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return plain.length <= longestExcerpt ? plain : `${plain.slice(0, longestExcerpt - 1)}…`;
}

/** Problem details from the body of a failure, as far as they are there. */
export interface ParsedProblemDetails {
  readonly problem: ProblemDetails;
  /** Tells whether the body is JSON with at least one member of problem details: the service itself speaks. */
  readonly isProblem: boolean;
}

/** Reads the body of a failure, which may be problem details, other JSON, HTML, plain text or nothing. */
export function readProblemDetails(text: string, dialect?: ServiceDialect): ParsedProblemDetails {
  const told = parseJson(text);
  const wire = dialect ? dialect.readProblem(told) : told;
  if (isJsonObject(wire)) {
    const problem: ProblemDetails = {
      title: readLine(wire.title) ?? readLine(wire.error),
      detail: readLine(wire.detail) ?? readLine(wire.message) ?? readLine(wire.error_description),
      errors: readFieldErrors(wire.errors),
      code: readLine(wire.code),
    };
    const isProblem =
      problem.title !== null ||
      problem.detail !== null ||
      problem.code !== null ||
      Object.keys(problem.errors).length > 0;
    return { problem, isProblem };
  }
  const words = typeof wire === 'string' ? wire : text;
  const detail =
    wire === undefined || typeof wire === 'string' ? excerptHtmlText(words) || null : null;
  return { problem: { title: null, detail, errors: {}, code: null }, isProblem: false };
}

/** `errors` as messages by field; also one message a field, and a bare list of messages. */
function readFieldErrors(wire: unknown): Record<string, readonly string[]> {
  const entries: [string, unknown][] = Array.isArray(wire)
    ? [['', wire]]
    : isJsonObject(wire)
      ? Object.entries(wire)
      : [];
  return Object.fromEntries(
    entries
      .map(([field, messages]): [string, string[]] => [
        field,
        (Array.isArray(messages) ? messages : [messages])
          .map(readLine)
          .filter((message) => message !== null),
      ])
      .filter(([, messages]) => messages.length > 0),
  );
}

/** A text of the service on one line; null when missing or blank. */
function readLine(value: unknown): string | null {
  const line = readWireText(value)
    ?.replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line === undefined || line === '' ? null : line;
}

/** Most values of one answer: parsed values take far more memory than their text. */
const mostValues = 5_000_000;
const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b];

/**
 * Tells whether a JSON text holds more values than are parsed, since parsed values take far more memory; the marks in its strings
 * are counted, too.
 */
export function isBeyondJsonLimit(text: string): boolean {
  if (text.length <= mostValues) return false;
  let values = 0;
  for (let at = 0; at < text.length && values <= mostValues; at += 1) {
    const mark = text.charCodeAt(at);
    if (mark === comma || mark === bracket || mark === brace) values += 1;
  }
  return values > mostValues;
}

/** Parsed JSON; undefined for a text that is not JSON, or holds too much. */
export function parseJson(text: string): unknown {
  try {
    return isBeyondJsonLimit(text) ? undefined : parseJsonExactly(text);
  } catch {
    return undefined;
  }
}
