import { ExpressionError } from './expression-fault.ts';

/** A piece of a pattern. */
export type Piece =
  | { readonly kind: 'char'; readonly test: (character: string) => boolean }
  | { readonly kind: 'assert'; readonly at: 'start' | 'end' | 'word' | 'notWord' }
  | { readonly kind: 'sequence'; readonly items: readonly Piece[] }
  | { readonly kind: 'choice'; readonly options: readonly Piece[] }
  | { readonly kind: 'repeat'; readonly item: Piece; readonly min: number; readonly max: number };

/** More repetitions are refused: each is written out. */
const maxRepeat = 1_000;

function refuse(summary: string): ExpressionError {
  return new ExpressionError(
    'unsafe-pattern',
    summary,
    'Patterns are those of RE2: no look-ahead, no look-behind, no back references.',
  );
}

/** Reads a pattern as RE2 has them. What could take exponential time does not exist in it. */
class PatternParser {
  readonly #text: string;
  readonly #flags: string;
  #at = 0;

  constructor(text: string) {
    const flags = /^\(\?([is]+)\)/.exec(text);
    this.#text = flags ? text.slice(flags[0].length) : text;
    this.#flags = `u${flags?.[1] ?? ''}`;
  }

  parse(): Piece {
    const piece = this.#choice();
    if (this.#at < this.#text.length) throw refuse('The pattern closes a group that is not open');
    return piece;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(pattern.source, 'uy');
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.#text) ?? undefined;
    if (match) this.#at += match[0].length;
    return match;
  }

  #choice(): Piece {
    const options = [this.#sequence()];
    while (this.#take(/\|/)) options.push(this.#sequence());
    return options.length === 1 ? (options[0] as Piece) : { kind: 'choice', options };
  }

  #sequence(): Piece {
    const items: Piece[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#text.charAt(this.#at))) {
      items.push(this.#repeated());
    }
    return { kind: 'sequence', items };
  }

  #repeated(): Piece {
    let item = this.#atom();
    for (;;) {
      const counted = this.#take(/(?:([*+?])|\{(\d{1,6})(,(\d{0,6}))?\})\??/);
      if (!counted) return item;
      const [, sign, least = '0', comma, most = ''] = counted;
      const min = sign === undefined ? Number(least) : Number(sign === '+');
      const limit = comma === undefined ? min : most === '' ? Infinity : Number(most);
      const max = sign === undefined ? limit : sign === '?' ? 1 : Infinity;
      if (min > maxRepeat || (max !== Infinity && max > maxRepeat) || max < min) {
        throw refuse(`The pattern repeats something more than ${maxRepeat} times`);
      }
      item = { kind: 'repeat', item, min, max };
    }
  }

  #atom(): Piece {
    if (this.#take(/\((?:\?:|\?P?<[A-Za-z_]\w*>)?(?!\?)/)) {
      const inner = this.#choice();
      if (!this.#take(/\)/)) throw refuse('The pattern does not close a group');
      return inner;
    }
    if (this.#take(/\^|\\A/)) return { kind: 'assert', at: 'start' };
    if (this.#take(/\$|\\z/)) return { kind: 'assert', at: 'end' };
    if (this.#take(/\\b/)) return { kind: 'assert', at: 'word' };
    if (this.#take(/\\B/)) return { kind: 'assert', at: 'notWord' };
    const piece = this.#take(
      /\[\^?(?:\\[^]|[^\]\\])(?:\\[^]|[^\]\\])*\]|\\[pP]\{\w+\}|\\x[0-9A-Fa-f]{2}|\\[dDwWsStnrfv]|\\[^A-Za-z0-9]|[^\\()[*+?]/,
    );
    // A class within a class would read as its letters.
    if (!piece || piece[0].includes('[:')) {
      throw refuse('The pattern holds something that is not supported');
    }
    return this.#char(piece[0]);
  }

  #char(source: string): Piece {
    const escaped = /^[{}\]/]$/.test(source)
      ? `\\${source}`
      : source.replace(/^\\([^\w^$\\.*+?()[\]{}|/-])$/, '$1');
    let single: RegExp;
    try {
      single = new RegExp(`^(?:${escaped})$`, this.#flags);
    } catch {
      throw refuse('The pattern holds something that is not supported');
    }
    return { kind: 'char', test: (character) => single.test(character) };
  }
}

/** Takes a pattern apart. @throws ExpressionError for what RE2 does not know */
export function parsePattern(text: string): Piece {
  return new PatternParser(text).parse();
}
