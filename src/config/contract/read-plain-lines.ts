// Reader of the part of YAML that contract files are made of: maps, texts and numbers. A start of the program waits for it, and
// the full reader takes ten times as long. Whatever else a file has in it is left to the full one, and so is every fault.

/** Deeper than any contract file; the reader is recursive. */
const maxPlainDepth = 16;

/** Characters that YAML does not allow, or that break and indent lines otherwise. */
const strangeCharacter = /[^\n\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufdff]/;

const blankLines = /(?: *(?:#[^\n]*)?\n)*/y;
const indentation = / */y;
const gap = /[ \n]*/y;
const lineEnd = / *(?: #[^\n]*)?\n/y;
const mapKey = /(?:([A-Za-z/][\w/~.*-]{0,200})|"([^"\\\n]{0,200})"|'([^'\n]{0,200})'):(?=[ \n])/y;
const spaces = / +/y;
const quotedText = /"([^"\\\n]*)"|'([^'\n]*)'/y;
const flowText = /[A-Za-z0-9/](?:[^\n,[\]{}:# ]| (?=[^\n,[\]{}:# ]))*/y;
const lineText = /[A-Za-z0-9/](?:[^\n:# ]|:(?=[^\n ])|[ ]+(?=[^\n:# ]))*/y;

/** Words of YAML for something other than a text. */
const typedWord = /^(?:null|true|false)$/i;
const plainNumber = /^(?:0|[1-9]\d{0,14})$/;
/** A digest: no form of a number has such a letter in it without another one before. */
const hexadecimal = /^[\da-f]*[a-df][\da-f]*$/;

/** Thrown where the text has more of YAML than this reader knows. */
class NotPlainError extends Error {}

/**
 * Reads YAML that has only maps, texts, numbers and lists in brackets, which is faster than the general parser;
 * undefined for any other text.
 */
export function readSimpleYaml(text: string): unknown {
  if (strangeCharacter.test(text)) return undefined;
  try {
    return new PlainYamlReader(text.endsWith('\n') ? text : `${text}\n`).read();
  } catch (error) {
    if (error instanceof NotPlainError) return undefined;
    throw error;
  }
}

class PlainYamlReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    this.#match(blankLines);
    const value = this.#readLines(0, 0);
    // A line that no map has: a text that goes on in it, or one that is indented otherwise.
    if (this.#at < this.#text.length) throw new NotPlainError();
    return value;
  }

  /** The map whose keys are indented by so many spaces; it ends before a line with fewer. */
  #readLines(indent: number, depth: number): unknown {
    if (depth > maxPlainDepth) throw new NotPlainError();
    const entries = new Map<string, unknown>();
    while (this.#countSpaces() === indent && this.#at < this.#text.length) {
      this.#at += indent;
      const name = this.#readKey(entries);
      const isBelow = this.#match(lineEnd) !== undefined;
      this.#expect(isBelow ? blankLines : spaces);
      const inner = isBelow ? this.#countSpaces() : 0;
      if (isBelow && inner <= indent) throw new NotPlainError();
      if (isBelow && this.#text[this.#at + inner] !== '{') {
        entries.set(name, this.#readLines(inner, depth + 1));
        continue;
      }
      this.#at += inner;
      entries.set(name, this.#readValue(indent, depth, lineText));
      this.#expect(lineEnd);
      this.#match(blankLines);
    }
    if (entries.size === 0) throw new NotPlainError();
    return Object.fromEntries(entries);
  }

  #readValue(indent: number, depth: number, plain: RegExp): unknown {
    if (depth > maxPlainDepth) throw new NotPlainError();
    const first = this.#text[this.#at];
    if (first === '{') return this.#readFlowMap(indent, depth + 1);
    if (first === '[') return this.#readFlowList(indent, depth + 1);
    const quoted = this.#match(quotedText);
    if (quoted) return quoted[1] ?? quoted[2];
    const [text] = this.#expect(plain);
    if (plainNumber.test(text)) return Number(text);
    const isOther = /^\d/.test(text) ? !hexadecimal.test(text) : typedWord.test(text);
    if (isOther) throw new NotPlainError();
    return text;
  }

  #readFlowMap(indent: number, depth: number): unknown {
    const entries = new Map<string, unknown>();
    this.#readItems('}', indent, () => {
      const name = this.#readKey(entries);
      this.#skipGap(indent);
      entries.set(name, this.#readValue(indent, depth, flowText));
    });
    return Object.fromEntries(entries);
  }

  #readFlowList(indent: number, depth: number): unknown {
    const items: unknown[] = [];
    this.#readItems(']', indent, () => items.push(this.#readValue(indent, depth, flowText)));
    return items;
  }

  #readItems(close: string, indent: number, readItem: () => void): void {
    this.#at += 1;
    this.#skipGap(indent);
    while (this.#text[this.#at] !== close) {
      readItem();
      this.#skipGap(indent);
      if (this.#text[this.#at] === ',') this.#at += 1;
      else if (this.#text[this.#at] !== close) throw new NotPlainError();
      this.#skipGap(indent);
    }
    this.#at += 1;
  }

  /** Steps over spaces and line breaks in brackets: each line there is indented more than the key before them. */
  #skipGap(indent: number): void {
    const [passed] = this.#expect(gap);
    const lastBreak = passed.lastIndexOf('\n');
    if (lastBreak >= 0 && passed.length - 1 - lastBreak <= indent) throw new NotPlainError();
  }

  #readKey(known: ReadonlyMap<string, unknown>): string {
    const [, plain, double, single] = this.#expect(mapKey);
    const name = plain ?? double ?? single ?? '';
    if (known.has(name) || name === '<<') throw new NotPlainError();
    return name;
  }

  #countSpaces(): number {
    indentation.lastIndex = this.#at;
    return indentation.exec(this.#text)?.[0].length ?? 0;
  }

  #expect(pattern: RegExp): RegExpExecArray {
    const found = this.#match(pattern);
    if (!found) throw new NotPlainError();
    return found;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }
}
