import type { SourceRange } from '../../model/source.ts';
import { drawSourceFrame } from './frame.ts';
import type { SecretMasker } from './secrets.ts';

/** Range of text in one file, as offsets in UTF-16 units; `end` is the offset behind its last character. */
export interface SourceTextRange {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

type Range = Pick<SourceTextRange, 'start' | 'end'>;

/** A range with its frame drawn when somebody asks for it: most places are never shown. */
class LazyRange implements SourceRange {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly #source: SourceFile;

  constructor(source: SourceFile, start: number, end: number) {
    const from = source.positionOf(start);
    const to = source.positionOf(Math.max(start, end));
    this.file = source.path;
    this.line = from.line;
    this.column = from.column;
    this.endLine = to.line;
    this.endColumn = to.column;
    this.#source = source;
  }

  get frame(): string | undefined {
    if (!this.#source.isQuotable) return undefined;
    return drawSourceFrame(this, (line) => this.#source.printableLine(line));
  }
}

/** Limits on quoting a configuration file in messages. */
interface Quoting {
  /** Secrets to mask wherever they occur; more of them may become known later. */
  readonly secrets?: SecretMasker;
  /** Unset for a file that is not the configuration's own: no message may show a line of it. */
  readonly isQuotable?: boolean;
}

/** The text of a configuration file, with its lines for messages. */
export class SourceFile {
  /** Path as messages show it: relative to the working directory. */
  readonly path: string;
  readonly text: string;
  /** Tells whether messages may show lines of the file; one that may hold secrets is not quoted. */
  readonly isQuotable: boolean;
  readonly #secrets: SecretMasker | undefined;
  #lineStarts: number[] | undefined;
  /** The masked text, with the number of secrets that were known then. */
  #masked: { readonly text: string; readonly secrets: number } | undefined;
  readonly #hidden: Range[] = [];
  readonly #revealed: Range[] = [];

  constructor(path: string, text: string, { secrets, isQuotable = true }: Quoting = {}) {
    this.path = path;
    this.text = text;
    this.isQuotable = isQuotable;
    this.#secrets = secrets;
  }

  /** Offsets in the file at which lines begin. */
  get lineStarts(): readonly number[] {
    if (!this.#lineStarts) {
      this.#lineStarts = [0];
      for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) {
        this.#lineStarts.push(at + 1);
      }
    }
    return this.#lineStarts;
  }

  /** Converts an offset into line and column, both from 1. */
  positionOf(offset: number): { line: number; column: number } {
    const starts = this.lineStarts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  /** A line without its line break and with its secrets masked; undefined behind the last. */
  printableLine(line: number): string | undefined {
    const start = this.lineStarts[line - 1];
    // There is no line behind the last line break of the file.
    if (start === undefined || (start > 0 && start === this.text.length)) return undefined;
    const end = this.lineStarts[line] ?? this.text.length + 1;
    return this.#maskedText.slice(start, end - 1).replace(/\r$/, '');
  }

  /** Keeps a range out of every frame from now on: the value of a sensitive variable. */
  hide({ start, end }: Range): void {
    this.#hidden.push({ start, end });
    this.#masked = undefined;
  }

  /** Shows a range although the key before it is masked; a text that by itself resembles a secret stays masked. */
  reveal({ start, end }: Range): void {
    this.#revealed.push({ start, end });
    this.#masked = undefined;
  }

  get #maskedText(): string {
    const secrets = this.#secrets?.size ?? 0;
    if (this.#masked?.secrets !== secrets) {
      const whole = this.#revealIn(this.#maskAll(this.text));
      const text = this.#hidden.reduce(
        (all, { start, end }) =>
          all.slice(0, start) + all.slice(start, end).replace(/\S/g, '*') + all.slice(end),
        whole,
      );
      this.#masked = { text, secrets };
    }
    return this.#masked.text;
  }

  /** Masks known secrets and texts that look like secrets in a quoted line. */
  #maskAll(text: string): string {
    return maskSecretsInSource(this.#secrets?.maskFrame(text) ?? text);
  }

  #revealIn(masked: string): string {
    let at = 0;
    let shown = '';
    for (const { start, end } of this.#revealed.sort((a, b) => a.start - b.start)) {
      if (start < at) continue;
      shown += masked.slice(at, start) + this.#maskAll(this.text.slice(start, end));
      at = end;
    }
    return shown + masked.slice(at);
  }

  /** Tells whether a range of the file must not be quoted in a message. */
  isSecret(start: number, end: number): boolean {
    return !this.isQuotable || this.#maskedText.slice(start, end) !== this.text.slice(start, end);
  }
}

/** Converts a range of a file to the form that diagnostics have. */
export function toSourceRange(place: SourceTextRange): SourceRange {
  return new LazyRange(place.file, place.start, place.end);
}

// Masks of secrets in a quoted file: values of telling keys, private keys, and credentials in URLs.

/** The end of a key that holds a secret. */
const secretKey =
  /[\w-]*(?:token|password|secret|passphrase|passphrase_previous|access_?key)["']?[ \t]*:/.source;
/** A key that holds a secret, with the rest of its line. */
const secretLine = new RegExp(String.raw`((?:^|[\s{,"'])${secretKey}[ \t]+)([^\n]*)`, 'gim');
/** A line that begins with such a key. */
const secretStart = new RegExp(String.raw`^[ \t-]*["']?${secretKey}`, 'im');
/** Private keys: PEM and OpenSSH, PuTTY, and the encoded part of an OpenSSH one without its frame. */
const privateKeys = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$(?![\s\S]))/g,
  /Private-Lines:[\s\S]*?(?:Private-MAC:|$(?![\s\S]))/g,
  /b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]*/g,
];
const urlCredentials = /(:\/\/)([^\s/@'"]+)(@)/g;

function mask(text: string): string {
  return text.replace(/\S/g, '*');
}

/** Masks the lines below a key that are indented more than the key: the block of `token: |`. */
function maskBlocks(text: string): string {
  if (!secretStart.test(text)) return text;
  let secretIndent: number | undefined;
  const lines = text.split('\n').map((line) => {
    const indent = line.length - line.trimStart().length;
    if (secretIndent !== undefined && (indent > secretIndent || line.trim() === '')) {
      return mask(line);
    }
    secretIndent = secretStart.test(line) ? indent : undefined;
    return line;
  });
  return lines.join('\n');
}

/**
 * Masks tokens, passwords, private keys and the credentials of URLs by `*`, keeping length and lines. Works on text
 * instead of parsed YAML, so that it also serves where the YAML is broken.
 */
export function maskSecretsInSource(text: string): string {
  const withoutKeys = privateKeys.reduce((all, key) => all.replace(key, mask), text);
  return maskBlocks(withoutKeys)
    .replace(secretLine, (_all, key: string, value: string) => key + mask(value))
    .replace(urlCredentials, (_all, before: string, value: string, after: string) => {
      return before + mask(value) + after;
    });
}
