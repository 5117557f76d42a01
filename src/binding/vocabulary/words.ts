import { toEnglishWords } from './languages.ts';
import { meaninglessNameWords, resourceKindMeanings, vocabularyMeanings } from './meanings.ts';

/** Words of a name, in lower case and singular, so that spellings of one name compare equal. */
export type NameWords = readonly string[];

const spelledAsOne: readonly (readonly [RegExp, string])[] = [
  [/IPv(\d)/g, 'Ipv$1'],
  [/[vV]C(?:PU|pu)/g, 'Vcpu'],
  [/([A-Z]{2,})s(?![a-z])/g, '$1S'],
  [/([KMGT])iB(?![a-z])/g, '$1ib'],
  [/OAuth/g, 'Oauth'],
  [/VNet(?=s?(?![a-z]))/g, 'Vnet'],
  [/VLan(?=s?(?![a-z]))/g, 'Vlan'],
];
const endsInS = new Set(['cpus', 'vcpus', 'gpus', 'menus', 'isos']);
const noPlural = /(?:ss|us|is|ies|dns|os|https|series|alias|gas|has|vps)$/;

/** Splits camelCase, snake_case, kebab-case and everything alike into words. */
export function splitWords(name: string): NameWords {
  const known = splits.get(name);
  if (known) return known;
  const plain = inPlainLetters(name);
  const marked = spelledAsOne.reduce((text, [from, to]) => text.replaceAll(from, to), plain);
  const words = marked
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .flatMap((word) => toEnglishWords(word) ?? splitCompound(toSingular(word)));
  splits.set(name, words);
  return words;
}

const splits = new Map<string, NameWords>();

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** A name without accents: `réseau` is `reseau`, `größe` is `groesse`, and `GRÖSSE` is `GROESSE`. */
function inPlainLetters(name: string): string {
  if (/^[ -~]*$/.test(name)) return name;
  const isShouted = !/\p{Ll}/u.test(name.normalize('NFC'));
  const spelled = name.normalize('NFC').replaceAll(/[äöüß]/gi, (letter) => {
    const small = umlauts[letter.toLowerCase()] ?? letter;
    if (isShouted) return small.toUpperCase();
    return letter === letter.toLowerCase() ? small : small.charAt(0).toUpperCase() + small.slice(1);
  });
  return spelled.normalize('NFD').replaceAll(/\p{M}/gu, '');
}

/** Makes a plural English word singular: `addresses` to `address`. */
export function toSingular(word: string): string {
  if (endsInS.has(word)) return word.slice(0, -1);
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|tus|vps)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && word.length > 2 && !noPlural.test(word) ? word.slice(0, -1) : word;
}

/** Splits a comma-separated list of names from the table of meanings into words. */
function readPhrases(list: string | undefined): readonly NameWords[] {
  return (list ?? '').split(',').flatMap((phrase) => {
    const words = phrase.trim().split(' ').filter(Boolean).map(toSingular);
    return words.length > 0 ? [words] : [];
  });
}

/** A name with its meaning and the likelihood that it means that. */
interface Phrase {
  readonly words: NameWords;
  readonly sureness: number;
}

const phrasesOf = new Map<string, readonly Phrase[]>(
  Object.entries(vocabularyMeanings).map(([meaning, { same, near }]) => [
    meaning,
    [
      ...readPhrases(same).map((words, at) => ({ words, sureness: at === 0 ? 1 : 0.95 })),
      ...readPhrases(near).map((words) => ({ words, sureness: 0.65 })),
    ].sort((one, other) => other.words.length - one.words.length || other.sureness - one.sureness),
  ]),
);
/** The contract's own name of each meaning. */
const firstNames = new Map(
  Object.entries(vocabularyMeanings).map(([meaning, { same }]) => [
    meaning,
    readPhrases(same)[0] ?? [],
  ]),
);
const empty = new Set(readPhrases(meaninglessNameWords).map((words) => words.join(' ')));
/** True for words that say nothing about what a name means in a record of a kind. */
export function areMeaninglessWords(words: NameWords, kind: string): boolean {
  const own = wordsOfKind(kind);
  return words.every((word) => empty.has(word) || own.has(word));
}

const knownWords = new Set(
  [...phrasesOf.values()].flatMap((phrases) => phrases.flatMap(({ words }) => words)),
);

/** True for a word that names of the table are made of, or that says nothing. */
export function isKnownWord(word: string): boolean {
  return knownWords.has(word) || empty.has(word);
}

/** Words that were written as one: `floatingips`. Only into words that the table has. */
function splitCompound(word: string): NameWords {
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

/** The meaning of a name of the contract: entries of the table, in order. */
export type NameSense = readonly string[];

const sureNames = new Map<NameSense, Map<string, boolean>>();

/** True for words that are sure names of the meanings of a sense by the table, and of nothing else. */
export function isNameOfSense(sense: NameSense, words: NameWords): boolean {
  const known = sureNames.get(sense) ?? new Map<string, boolean>();
  sureNames.set(sense, known);
  const phrase = words.join(' ');
  const found = known.get(phrase) ?? areAllConsumed(sense, words);
  known.set(phrase, found);
  return found;
}

function areAllConsumed([meaning, ...others]: NameSense, words: NameWords): boolean {
  if (meaning === undefined) return words.length === 0;
  const phrases = phrasesOf.get(meaning) ?? [{ words: [meaning], sureness: 1 }];
  return phrases.some(({ words: own, sureness }) => {
    const at = sureness > 0.9 ? indexOfPhrase(words, own) : -1;
    const rest = [...words.slice(0, at), ...words.slice(at + own.length)];
    return at !== -1 && areAllConsumed(others, rest);
  });
}

/** Says how surely words mean something, by the table and by what a document was found to call its things. */
export class BindingLexicon {
  /** Meanings that were learned from the document itself, by phrase. */
  readonly #learned = new Map<string, readonly [string]>();
  /** Names of the document for its things, those with the table's own names among them. */
  readonly #nouns = new Map<string, string>();
  readonly #known = new Map<NameSense, Map<string, number>>();
  readonly #phrases = new Map<string, readonly Phrase[]>();
  readonly #own = new Map<string, NameWords>();
  /** The names of `#nouns` with the contract's own, the longest first; undefined until they are asked for. */
  #renamed: readonly { readonly own: NameWords; readonly ours: NameWords }[] | undefined;

  /** Learns a meaning of words, in place of any other. True where it is new. */
  learn(meaning: string, words: NameWords): boolean {
    const phrase = words.join(' ');
    if (this.#nouns.get(phrase) !== meaning) {
      this.#nouns.set(phrase, meaning);
      this.#renamed = undefined;
      this.#known.clear();
    }
    const isKnown = phrasesOf
      .get(meaning)
      ?.some(({ words: own, sureness }) => sureness > 0.9 && own.join(' ') === phrase);
    const isShared = [...resourceKindMeanings].some(
      (kind) =>
        kind !== meaning && phrasesOf.get(kind)?.some(({ words: own }) => own.join(' ') === phrase),
    );
    if (this.#learned.get(phrase)?.[0] === meaning || (isKnown === true && !isShared)) return false;
    this.#learned.set(phrase, [meaning]);
    this.#known.clear();
    this.#phrases.clear();
    this.#own.clear();
    return true;
  }

  /**
   * Sureness, from 0 to 1, that words have the meanings of a sense. `kind` is the kind that they are about: the names of that
   * kind tell nothing there.
   */
  likeness(sense: NameSense, words: NameWords, kind = ''): number {
    if (words.length === 0) return 0;
    let known = this.#known.get(sense);
    if (!known) this.#known.set(sense, (known = new Map<string, number>()));
    const key = `${words.join(' ')}|${kind}`;
    let found = known.get(key);
    if (found === undefined) {
      const ours = this.inWordsOfContract(words);
      const said = ours === words ? 0 : 0.96 * this.#consume(sense, 0, ours, kind);
      known.set(key, (found = Math.max(said, this.#consume(sense, 0, words, kind))));
    }
    return found;
  }

  /** A name with the contract's nouns for the things that this document calls otherwise: `taskFailed` is `operationFailed`. */
  inWordsOfContract(words: NameWords): NameWords {
    this.#renamed ??= [...this.#nouns]
      .map(([phrase, meaning]) => ({ own: phrase.split(' '), ours: firstNames.get(meaning) ?? [] }))
      .filter(({ own, ours }) => !isSamePhrase(own, ours))
      .toSorted((one, other) => other.own.length - one.own.length);
    let said = words;
    for (const { own, ours } of this.#renamed) {
      const at = indexOfPhrase(said, own);
      if (at === -1) continue;
      said = [...said.slice(0, at), ...ours, ...said.slice(at + own.length)];
    }
    return said;
  }

  #consume(sense: NameSense, from: number, words: NameWords, kind: string): number {
    const meaning = sense[from];
    if (meaning === undefined) {
      const own = wordsOfKind(kind);
      const learned = this.#learnedWords(kind);
      const left = words.filter(
        (word) => !own.has(word) && !learned.includes(word) && !empty.has(word),
      );
      return 0.55 ** left.length * 0.995 ** (words.length - left.length);
    }
    let best = 0;
    for (const phrase of this.#phrasesOf(meaning, kind)) {
      if (phrase.sureness <= best) continue;
      const at = indexOfPhrase(words, phrase.words);
      if (at === -1) continue;
      const rest = [...words.slice(0, at), ...words.slice(at + phrase.words.length)];
      best = Math.max(best, phrase.sureness * this.#consume(sense, from + 1, rest, kind));
    }
    return best;
  }

  /** All words of the names that this document has for a kind of resource. */
  #learnedWords(kind: string): NameWords {
    let words = this.#own.get(kind);
    if (!words) {
      words = [...this.#learned].flatMap(([phrase, [of]]) =>
        of === kind ? phrase.split(' ') : [],
      );
      this.#own.set(kind, words);
    }
    return words;
  }

  #phrasesOf(meaning: string, kind: string): readonly Phrase[] {
    const key = `${meaning} ${kind}`;
    let phrases = this.#phrases.get(key);
    if (!phrases) this.#phrases.set(key, (phrases = this.#listPhrases(meaning, kind)));
    return phrases;
  }

  #listPhrases(meaning: string, kind: string): readonly Phrase[] {
    const learned = [...this.#learned].flatMap(([phrase, [of]]) =>
      of === meaning ? [{ words: phrase.split(' '), sureness: 0.96 }] : [],
    );
    const within = readPhrases(vocabularyMeanings[meaning]?.within?.[kind]);
    const all = [
      ...learned,
      ...within.map((words) => ({ words, sureness: 0.93 })),
      ...(phrasesOf.get(meaning) ?? [{ words: [meaning], sureness: 1 }]),
    ];
    // A name that this document has for something else means nothing but that.
    return all.filter(({ words, sureness }) => {
      const of = this.#learned.get(words.join(' '))?.[0];
      return (
        sureness === 1 || !resourceKindMeanings.has(meaning) || of === undefined || of === meaning
      );
    });
  }
}

const kindSenses = new Map<string, NameSense>();

/** The meaning of the name of a kind of resource. */
export function findKindSense(kind: string): NameSense {
  return senseFrom(kind, [kind]);
}

/** The meaning of the id of a kind of resource. */
export function findKindIdSense(kind: string): NameSense {
  return senseFrom(`${kind} id`, [kind, 'id']);
}

function senseFrom(key: string, sense: NameSense): NameSense {
  const known = kindSenses.get(key) ?? sense;
  kindSenses.set(key, known);
  return known;
}

const ownWords = new Map<string, ReadonlySet<string>>();

/** All words that occur in the names of a kind of resource. */
function wordsOfKind(kind: string): ReadonlySet<string> {
  const words =
    ownWords.get(kind) ??
    new Set(readPhrases(vocabularyMeanings[kind]?.same).flatMap((phrase) => phrase));
  ownWords.set(kind, words);
  return words;
}

function isSamePhrase(one: NameWords, other: NameWords): boolean {
  return one.join(' ') === other.join(' ');
}

function indexOfPhrase(words: NameWords, phrase: NameWords): number {
  for (let at = 0; at + phrase.length <= words.length; at += 1) {
    if (phrase.every((word, offset) => words[at + offset] === word)) return at;
  }
  return -1;
}
