import { emptyWords, kinds, meanings } from './meanings.ts';

/** The words of a name, in lower case and the singular. */
export type Words = readonly string[];

const spelledAsOne: readonly (readonly [RegExp, string])[] = [
  [/IPv(\d)/g, 'Ipv$1'],
  [/vCPU/g, 'Vcpu'],
  [/([A-Z]{2,})s(?![a-z])/g, '$1S'],
  [/OAuth/g, 'Oauth'],
];
const endsInS = new Set(['cpus', 'vcpus', 'gpus', 'menus']);
const noPlural = /(?:ss|us|is|ies|dns|os|https|series|as)$/;

/** Splits camelCase, snake_case, kebab-case and everything alike into words. */
export function splitWords(name: string): Words {
  const known = splits.get(name);
  if (known) return known;
  const marked = spelledAsOne.reduce((text, [from, to]) => text.replaceAll(from, to), name);
  const words = marked
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .flatMap((word) => splitCompound(toSingular(word)));
  splits.set(name, words);
  return words;
}

const splits = new Map<string, Words>();

/** `addresses` as `address`. */
export function toSingular(word: string): string {
  if (endsInS.has(word)) return word.slice(0, -1);
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|tus)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && word.length > 2 && !noPlural.test(word) ? word.slice(0, -1) : word;
}

/** The names of a list of the table, as words. */
function readPhrases(list: string | undefined): readonly Words[] {
  return (list ?? '').split(',').flatMap((phrase) => {
    const words = phrase.trim().split(' ').filter(Boolean).map(toSingular);
    return words.length > 0 ? [words] : [];
  });
}

/** A name of a meaning, and how surely it means that. */
interface Phrase {
  readonly words: Words;
  readonly sureness: number;
}

const phrasesOf = new Map<string, readonly Phrase[]>(
  Object.entries(meanings).map(([meaning, { same, near }]) => [
    meaning,
    [
      ...readPhrases(same).map((words, at) => ({ words, sureness: at === 0 ? 1 : 0.95 })),
      ...readPhrases(near).map((words) => ({ words, sureness: 0.65 })),
    ].sort((one, other) => other.words.length - one.words.length || other.sureness - one.sureness),
  ]),
);
const empty = new Set(readPhrases(emptyWords).map((words) => words.join(' ')));
const knownWords = new Set(
  [...phrasesOf.values()].flatMap((phrases) => phrases.flatMap(({ words }) => words)),
);

/** Words that were written as one: `floatingips`. Only into words that the table has. */
function splitCompound(word: string): Words {
  if (knownWords.has(word) || word.length < 5) return [word];
  for (let at = word.length - 2; at >= 2; at -= 1) {
    const head = toSingular(word.slice(0, at));
    const tail = toSingular(word.slice(at));
    if (knownWords.has(head) && (knownWords.has(tail) || tail === 'gb' || tail === 'mb')) {
      return [head, tail];
    }
  }
  return [word];
}

/** What a name of the contract is about: meanings of the table, in order. */
export type Sense = readonly string[];

/** Says how surely words mean something, by the table and by what a document was found to call its things. */
export class Lexicon {
  readonly #learned = new Map<string, readonly Words[]>();
  readonly #known = new Map<string, number>();

  /** From now on these words mean that, and no other of `rivals`. */
  learn(meaning: string, words: Words): void {
    if (words.length === 0) return;
    this.#learned.set(meaning, [...(this.#learned.get(meaning) ?? []), words]);
    this.#known.clear();
  }

  /**
   * How surely words say the meanings of a sense, from 0 to 1. `kind` is what they are about: its own names say nothing
   * there.
   */
  likeness(sense: Sense, words: Words, kind = ''): number {
    if (words.length === 0) return 0;
    const key = `${sense.join(' ')}|${words.join(' ')}|${kind}`;
    const known = this.#known.get(key) ?? this.#consume(sense, 0, words, kind);
    this.#known.set(key, known);
    return known;
  }

  #consume(sense: Sense, from: number, words: Words, kind: string): number {
    const meaning = sense[from];
    if (meaning === undefined) {
      const own = wordsOfKind(kind);
      const left = words.filter((word) => !own.has(word) && !empty.has(word));
      return 0.55 ** left.length * 0.995 ** (words.length - left.length);
    }
    let best = 0;
    for (const phrase of this.#phrasesOf(meaning, kind)) {
      if (phrase.sureness <= best) continue;
      const at = indexOfPhrase(words, phrase.words);
      if (at === -1 || this.#meansAnother(phrase, meaning)) continue;
      const rest = [...words.slice(0, at), ...words.slice(at + phrase.words.length)];
      best = Math.max(best, phrase.sureness * this.#consume(sense, from + 1, rest, kind));
    }
    return best;
  }

  #phrasesOf(meaning: string, kind: string): readonly Phrase[] {
    const learned = (this.#learned.get(meaning) ?? []).map((words) => ({ words, sureness: 0.96 }));
    const within = readPhrases(meanings[meaning]?.within?.[kind]);
    return [
      ...learned,
      ...within.map((words) => ({ words, sureness: 0.93 })),
      ...(phrasesOf.get(meaning) ?? [{ words: [meaning], sureness: 1 }]),
    ];
  }

  /** True for a name that this document has for something else. */
  #meansAnother({ words, sureness }: Phrase, meaning: string): boolean {
    if (sureness > 0.95 || !kinds.has(meaning)) return false;
    const said = words.join(' ');
    return [...this.#learned].some(
      ([other, names]) => other !== meaning && names.some((name) => name.join(' ') === said),
    );
  }
}

const ownWords = new Map<string, ReadonlySet<string>>();

/** Each word of the names of a kind. */
function wordsOfKind(kind: string): ReadonlySet<string> {
  const words =
    ownWords.get(kind) ?? new Set(readPhrases(meanings[kind]?.same).flatMap((phrase) => phrase));
  ownWords.set(kind, words);
  return words;
}

function indexOfPhrase(words: Words, phrase: Words): number {
  for (let at = 0; at + phrase.length <= words.length; at += 1) {
    if (phrase.every((word, offset) => words[at + offset] === word)) return at;
  }
  return -1;
}
