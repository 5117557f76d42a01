import type { Diagnostic } from './diagnostic.ts';
import type { Change } from './plan.ts';
import type { Value } from './value.ts';

const defaultMark = '(sensitive)';

/** Shorter ones are part of many a word: they are masked only where nothing surrounds them. */
const shortLength = 4;

/** The shortest part of a base64 text that is taken for a secret: a shorter one is part of ordinary words. */
const shortestBase64 = 6;

/** What a secret that was found is replaced with: a text, or a function of what stood there. */
export type Mark = string | ((found: string) => string);

/** Gives a text back with every secret in it replaced. */
export type Mask = (text: string) => string;

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** One way in which a secret may be written. */
interface Form {
  /** A text without this does not hold it: cheaper to look for than the pattern. */
  readonly clue: string;
  readonly pattern: RegExp;
}

function writePlain(secret: string): Form {
  const escaped = escapePattern(secret);
  const isShort = secret.length < shortLength;
  return {
    clue: secret,
    pattern: new RegExp(isShort ? `(?<![\\w-])${escaped}(?![\\w-])` : escaped, 'g'),
  };
}

/** In a URL or a form, any character may be written as it is or by its bytes, and a space as a plus. */
function writeForUrl(secret: string): Form {
  const characters = Array.from(secret, (character) => {
    const bytes = [...new TextEncoder().encode(character)];
    const encoded = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    const plain = escapePattern(character);
    return `(?:${encoded}|${encoded.toUpperCase()}|${plain}${character === ' ' ? '|\\+' : ''})`;
  });
  const clue = secret.includes(' ') ? '' : '%';
  return { clue, pattern: new RegExp(characters.join(''), 'g') };
}

/**
 * Base64 and base64url, of the secret alone or within a longer text (`user:secret`): there, the characters depend on
 * where in a group of three bytes it begins. Its first and last character may tell of what surrounds it, too.
 */
function writeBase64(secret: string): Form[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret));
  return [0, 1, 2].flatMap((offset) => {
    const encoded = btoa('\0'.repeat(offset) + bytes);
    const from = Math.ceil((offset * 8) / 6);
    const core = encoded.slice(from, Math.floor(((offset + bytes.length) * 8) / 6));
    if (core.length < shortestBase64) return [];
    const forUrl = core.replaceAll('+', '-').replaceAll('/', '_');
    return [...new Set([core, forUrl])].map((clue) => ({
      clue,
      pattern: new RegExp(`[A-Za-z0-9+/_-]?${escapePattern(clue)}[A-Za-z0-9+/_-]?={0,2}`, 'g'),
    }));
  });
}

/** Longer ones are looked for as they are: nobody repeats them in a URL. */
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
  return [plain, writeForUrl(secret), ...writeBase64(secret)];
}

/**
 * Makes what keeps secrets out of texts, however they are written: plain, percent-encoded as in URLs and forms, in
 * base64 and base64url, alone or as a part of a longer text. The one place that knows these encodings.
 */
export function createMask(secrets: Iterable<string>, mark: Mark = defaultMark): Mask {
  const replace = typeof mark === 'string' ? () => mark : mark;
  const all = new Set([...secrets].flatMap((secret) => [secret, ...listLines(secret)]));
  // The longest first: one may be a part of another.
  const forms = [...all].sort((a, b) => b.length - a.length).flatMap(listForms);
  return (text) =>
    forms.reduce(
      (masked, { clue, pattern }) =>
        masked.includes(clue) ? masked.replace(pattern, replace) : masked,
      text,
    );
}

/** The words of a diagnostic with every secret in them masked. */
export function maskTexts<T extends Pick<Diagnostic, 'summary' | 'detail' | 'hint'>>(
  diagnostic: T,
  mask: Mask,
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
        for (const text of listTexts(side?.[name] ?? null)) texts.add(text);
      }
    }
  }
  return texts;
}

function* listTexts(value: Value): Iterable<string> {
  if (typeof value === 'string' || typeof value === 'number') {
    if (String(value).trim() !== '') yield String(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const one of Object.values<Value>(value)) yield* listTexts(one);
  }
}
