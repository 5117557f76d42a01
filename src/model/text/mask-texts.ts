import type { Diagnostic } from '../diagnostic.ts';
import type { Change } from '../plan/plan.ts';
import type { Value } from '../value.ts';

const defaultMark = '(sensitive)';

/** Secrets shorter than this are part of many words: they are masked only where nothing surrounds them. */
const shortLength = 4;

/** Shortest part of a base64 text that is taken for a secret: shorter parts occur in ordinary words. */
const shortestBase64 = 6;

/** Replacement of a secret that was found: a text, or a function of the text that it replaces. */
export type SecretReplacement = string | ((found: string) => string);

/** A function that replaces every secret in a text. */
export type SecretMask = (text: string) => string;

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A spelling in which a secret may occur: plain, escaped or encoded. */
interface Form {
  /** Part of every such text, looked for first: that is cheaper than the pattern. */
  readonly clue: Clue;
  readonly pattern: RegExp;
}

/** A part of the text; or of the text without white space, where lines may be broken; or what begins an escape. */
type Clue = { readonly in: 'text' | 'squeezed'; readonly part: string } | RegExp;

function writePlain(secret: string): Form {
  const escaped = escapePattern(secret);
  const isShort = secret.length < shortLength;
  return {
    clue: { in: 'text', part: secret },
    pattern: new RegExp(isShort ? `(?<![\\w-])${escaped}(?![\\w-])` : escaped, 'g'),
  };
}

/**
 * Matches the line break and the indentation that wrapped output may have between any two characters of a secret, or nothing:
 * put there, it finds a secret that was printed over several lines.
 */
const lineEnd = '(?:[^\\S\\n]*\\n\\s*)?';

/** Secrets shorter than this are not looked for across the ends of lines: their parts are ordinary words. */
const shortestBroken = 8;

/** The secret with a line end at any place, as wrapped output has it. */
function writeBroken(secret: string): Form[] {
  const core = secret.replace(/\s+/g, '');
  if (core.length < shortestBroken) return [];
  const broken = Array.from(secret, escapePattern).join(lineEnd);
  return [{ clue: { in: 'squeezed', part: core }, pattern: new RegExp(broken, 'g') }];
}

const entities: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** Pattern for hexadecimal digits in upper or lower case. */
function inAnyCase(digits: string): string {
  return digits.replace(/[a-f]/gi, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`);
}

const toHex = (code: number, width: number) => inAnyCase(code.toString(16).padStart(width, '0'));

/** The secret with any of its characters escaped: as in URLs and forms (a space is a plus), in JSON, or in HTML. */
function writeEscaped(secret: string): Form {
  const characters = Array.from(secret, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    const entity = entities[character];
    const ways = [
      [...new TextEncoder().encode(character)].map((byte) => `%${toHex(byte, 2)}`).join(''),
      units.map((unit) => `\\\\u${toHex(unit, 4)}`).join(''),
      ...(code < 0x100 ? [`\\\\x${toHex(code, 2)}`] : []),
      `&#(?:0*${code}|[xX]0*${toHex(code, 1)});`,
      ...(entity === undefined ? [] : [`&${entity};`]),
      ...(character === ' ' ? ['\\+'] : []),
      `\\\\?${escapePattern(character)}`,
    ];
    return `(?:${ways.join('|')})`;
  });
  // Keys and times are full of pluses, and the pattern is slow.
  const clue = secret.includes(' ') ? /[%\\&+]/ : /[%\\&]/;
  return { clue, pattern: new RegExp(characters.join(lineEnd), 'g') };
}

/** The characters of an encoding, whose lines may be broken anywhere. */
function writeInLines(core: string): string {
  return Array.from(core, escapePattern).join('\\s*');
}

/**
 * Base64 and base64url, of the secret alone or within a longer text (`user:secret`): there, the characters depend on
 * where in a group of three bytes it begins. Its first and last character may tell of what surrounds it, too.
 */
function writeBase64(bytes: Uint8Array): Form[] {
  const text = String.fromCharCode(...bytes);
  return [0, 1, 2].flatMap((offset) => {
    const encoded = btoa('\0'.repeat(offset) + text);
    const from = Math.ceil((offset * 8) / 6);
    const core = encoded.slice(from, Math.floor(((offset + bytes.length) * 8) / 6));
    if (core.length < shortestBase64) return [];
    const forUrl = core.replaceAll('+', '-').replaceAll('/', '_');
    return [...new Set([core, forUrl])].map((part): Form => ({
      clue: { in: 'squeezed', part },
      pattern: new RegExp(`[A-Za-z0-9+/_-]?${writeInLines(part)}[A-Za-z0-9+/_-]?={0,2}`, 'g'),
    }));
  });
}

/** Patterns for bytes written in hexadecimal digits. */
function writeHex(bytes: Uint8Array): Form[] {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [...new Set([digits, digits.toUpperCase()])].map((part) => ({
    clue: { in: 'squeezed', part },
    pattern: new RegExp(writeInLines(part), 'g'),
  }));
}

/** Secrets longer than this are looked for in plain text alone: nobody repeats them in a URL. */
const longestEncoded = 8_192;

/** A line of a secret is a secret of its own where it is as long as this: texts are shown line by line. */
const shortestLine = 16;

function listLines(secret: string): string[] {
  return secret.split(/\r?\n/).filter((line) => line.length >= shortestLine);
}

/** The ways in which a secret may be written; none for one that says nothing. */
function listForms(secret: string): Form[] {
  if (secret.trim() === '') return [];
  const plain = writePlain(secret);
  if (secret.length < shortLength || secret.length > longestEncoded) return [plain];
  const bytes = new TextEncoder().encode(secret);
  return [
    ...[plain, writeEscaped(secret), ...writeBroken(secret)],
    ...writeBase64(bytes),
    ...writeHex(bytes),
  ];
}

/**
 * Creates a mask of secrets in texts, in any spelling: plain, escaped as in URLs, forms, JSON and HTML, in base64, base64url
 * and hexadecimal digits, alone or as a part of a longer text. The one place that knows these encodings.
 */
export function createSecretMask(
  secrets: Iterable<string>,
  mark: SecretReplacement = defaultMark,
): SecretMask {
  const replace = typeof mark === 'string' ? () => mark : mark;
  const all = new Set([...secrets].flatMap((secret) => [secret, ...listLines(secret)]));
  // Longer secrets are masked first, as one may contain another.
  const forms = [...all].sort((a, b) => b.length - a.length).flatMap(listForms);
  if (forms.length === 0) return (text) => text;
  return (text) => {
    const squeezed = text.replace(/\s+/g, '');
    return forms.reduce((masked, { clue, pattern }) => {
      const isPossible =
        clue instanceof RegExp
          ? clue.test(text)
          : (clue.in === 'text' ? masked : squeezed).includes(clue.part);
      return isPossible ? masked.replace(pattern, replace) : masked;
    }, text);
  };
}

/** Masks every secret in the texts and names of a value. */
export function maskSecretsInValue<T>(value: T, mask: SecretMask): T;
export function maskSecretsInValue(value: unknown, mask: SecretMask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((one) => maskSecretsInValue<unknown>(one, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      mask(name),
      maskSecretsInValue<unknown>(one, mask),
    ]),
  );
}

/** Lines that come one after the other, masked as the one text that they are: as many as before. */
export function maskSecretsInLines(lines: readonly string[], mask: SecretMask): readonly string[] {
  return mask(lines.join('\n')).split('\n');
}

/** A mark with as many lines as the secret that it replaces, so that line numbers stay right. */
export const sameLineCountReplacement: SecretReplacement = (found) =>
  defaultMark + '\n'.repeat(found.split('\n').length - 1);

/** Masks every secret in the words of a diagnostic. */
export function maskDiagnosticTexts<T extends Pick<Diagnostic, 'summary' | 'detail' | 'hint'>>(
  diagnostic: T,
  mask: SecretMask,
): T {
  const { summary, detail, hint } = diagnostic;
  return {
    ...diagnostic,
    summary: mask(summary),
    ...(detail !== undefined && { detail: mask(detail) }),
    ...(hint !== undefined && { hint: mask(hint) }),
  };
}

/** Every text and number that the sensitive attributes of changes have or had. */
export function listSecretTexts(
  changes: readonly Pick<Change, 'sensitive' | 'before' | 'after' | 'drift'>[],
): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { sensitive, before, after, drift } of changes) {
    for (const name of sensitive) {
      for (const side of [before, after, drift]) {
        for (const text of listTextsInValue(side?.[name] ?? null)) texts.add(text);
      }
    }
  }
  return texts;
}

/** Lists every text and number within a value. */
export function* listTextsInValue(value: Value): Iterable<string> {
  if (typeof value === 'string' || typeof value === 'number') {
    if (String(value).trim() !== '') yield String(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const one of Object.values<Value>(value)) yield* listTextsInValue(one);
  }
}
