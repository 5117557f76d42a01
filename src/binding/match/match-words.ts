import { enumWords } from '../../api/contract/shapes.ts';
import { splitWords, type NameWords } from '../vocabulary/words.ts';
import { vocabularyMeanings } from '../vocabulary/meanings.ts';
import { operationTypeNouns, enumWordSynonyms } from '../vocabulary/enum-words.ts';
import { isNameOutsideContract } from '../vocabulary/strangers.ts';

/** The document's words for an enum of the contract, matched with the contract's words. */
export interface MatchedEnumWords {
  /** The service's words by the contract's word, the one that is sent first. Equal words are among them. */
  readonly bound: ReadonlyMap<string, readonly string[]>;
  /** Words of the contract that no word of the document means. */
  readonly missing: readonly string[];
  /** Words of the document that mean none of the contract. */
  readonly unknown: readonly string[];
  /** The share of the document's words that means one of the contract. */
  readonly share: number;
}

const known = new Map<string, MatchedEnumWords>();

/** Matches the words of an enum of the contract with those of the document. */
export function matchEnumWords(name: string, theirs: readonly string[]): MatchedEnumWords {
  const key = `${name} ${theirs.join(' ')}`;
  const found = known.get(key) ?? match(name, theirs);
  known.set(key, found);
  return found;
}

function match(name: string, theirs: readonly string[]): MatchedEnumWords {
  const ours = enumWords[name] ?? [];
  const bound = new Map<string, string[]>();
  const unknown: string[] = [];
  const start = countShared(theirs);
  for (const word of theirs) {
    // French and Spanish say `en cours`; in the name of a member, `en` is English as a language.
    const own = splitWords(word)
      .slice(start)
      .map((one) => (one === 'en' ? 'in' : one))
      .join(' ');
    const scored = ours
      .map((one) => ({ one, score: scoreOf(one, word, own) }))
      .sort((a, b) => b.score - a.score);
    const [best, next] = scored;
    if (best === undefined || best.score < 0.6 || best.score === next?.score) unknown.push(word);
    else bound.set(best.one, [...(bound.get(best.one) ?? []), word]);
  }
  for (const [one, words] of bound) {
    const score = (word: string) => scoreOf(one, word, splitWords(word).slice(start).join(' '));
    const best = Math.max(...words.map(score));
    // Beside the surest word, one that is less sure may mean something else.
    const sure = words.filter((word) => score(word) >= Math.min(best, 0.9));
    bound.set(
      one,
      sure.toSorted((word, other) => score(other) - score(word)),
    );
  }
  return {
    bound,
    missing: ours.filter((one) => !bound.has(one)),
    unknown,
    share: theirs.length === 0 ? 0 : (theirs.length - unknown.length) / theirs.length,
  };

  function scoreOf(one: string, word: string, own: string): number {
    return Math.max(likenessOfWord(name, one, word), likenessOfWord(name, one, own));
  }
}

/** Enums of the contract whose words name kinds of resources. */
export const resourceKindEnums: ReadonlySet<string> = new Set([
  'resourceOperation',
  'resourceType',
  'tokenScope',
]);

/**
 * Replaces the service's noun for a kind of resource in a word of an enum by the contract's noun: `create_server` becomes `create
 * vm`.
 */
export function replaceServiceNouns(word: string, nouns: ReadonlyMap<string, NameWords>): string {
  const said = ` ${splitWords(word).join(' ')} `;
  for (const [thing, [noun = '']] of Object.entries(operationTypeNouns)) {
    const theirs = nouns.get(thing)?.join(' ');
    if (theirs === undefined || isThing.has(theirs) || !said.includes(` ${theirs} `)) continue;
    return said.replace(` ${theirs} `, ` ${noun} `).trim();
  }
  return word;
}

const isThing = new Set(Object.values(operationTypeNouns).flat());

/** Number of leading words that all of an enum's values share: `PowerState/running`, `PowerState/stopped`. */
function countShared(theirs: readonly string[]): number {
  const [first = [], ...others] = theirs.map(splitWords);
  if (others.length === 0) return 0;
  const shared = first.findIndex((word, at) => others.some((other) => other[at] !== word));
  return shared === -1 || others.some(({ length }) => length <= shared) ? 0 : shared;
}

/** Tells whether a word of the document's enum can mean a word of the contract's: not where it names another kind of resource. */
export function canEnumWordMean(name: string, ours: string, theirs: string): boolean {
  if (name !== 'resourceOperation') return true;
  const said = splitWords(theirs);
  const theirThings = thingsOf(said);
  const { same = '' } = enumWordSynonyms[name]?.[ours] ?? {};
  const ourThings = new Set(same.split(',').flatMap((phrase) => thingsOf(splitWords(phrase))));
  if (theirThings.length === 0) return !said.some((word) => isNameOutsideContract([word]));
  if (ourThings.size === 0) return true;
  return theirThings.some((thing) => ourThings.has(thing));
}

/** The kinds of things that the words of a name mention. */
function thingsOf(words: NameWords): readonly string[] {
  const text = ` ${words.join(' ')} `;
  return Object.entries(operationTypeNouns).flatMap(([thing, nouns]) => {
    const near = (vocabularyMeanings[thing]?.near ?? '').split(',').map((noun) => noun.trim());
    return [...nouns, ...near].some((noun) => text.includes(` ${noun} `)) ? [thing] : [];
  });
}

const sets = new Map<string, ReadonlyMap<string, number>>();

/** The certainty that a word of the document means one of the contract: 1 for the very word, 0.9 for one of the same meaning. */
function likenessOfWord(name: string, ours: string, theirs: string): number {
  if (ours.toLowerCase() === theirs.toLowerCase()) return 1;
  const said = fold(theirs);
  if (fold(ours) === said) return 0.98;
  const key = `${name} ${ours}`;
  let words = sets.get(key);
  if (!words) {
    const { same = '', near = '' } = enumWordSynonyms[name]?.[ours] ?? {};
    words = new Map([
      ...near.split(',').map((one) => [fold(one), 0.65] as const),
      ...same.split(',').map((one) => [fold(one), 0.9] as const),
    ]);
    sets.set(key, words);
  }
  return said === '' ? 0 : (words.get(said) ?? 0);
}

/** The words of a word, in order of the alphabet: `vm.create` is `create_vm`. */
function fold(word: string): string {
  const known = folded.get(word) ?? splitWords(word).toSorted().join(' ');
  folded.set(word, known);
  return known;
}

const folded = new Map<string, string>();
