// The words for what operations do.
import { areNamesOutsideContract } from '../vocabulary/strangers.ts';
import { type BindingLexicon, findKindSense, type NameWords } from '../vocabulary/words.ts';
import { parseApiPath } from './paths.ts';

/** Likelihood of an operation by its place alone: a person is asked about it, unless another is likelier. */
export const unnamedOperationLikelihood = 0.46;
/** HTTP methods that create or change a resource; DELETE is not among them. */
export const changingHttpMethods = ['POST', 'PUT', 'PATCH'];
/** Words that only say that something is done. */
export const meaninglessOperationWords = new Set(
  'action command do perform operation execute state status mark'.split(' '),
);
/** Verbs of the contract's operations: names of word meanings. */
export const contractVerbs =
  'list create get delete update rename start stop reboot rebuild resize restore attach detach renewal read metrics backup'.split(
    ' ',
  );

/** Likelihood, from 0 to 1, that an operation's words mean a given verb. */
export function operationWordLikelihood(
  lexicon: BindingLexicon,
  words: NameWords,
): (deed: string) => number {
  return (deed) => lexicon.likeness(findKindSense(deed), words);
}

/**
 * Raises the likelihood of an operation to `unnamedOperationLikelihood` where its words mean nothing known, neither a verb of the
 * contract nor anything else that services do.
 */
export function maxWithUnnamedLikelihood(
  lexicon: BindingLexicon,
  score: number,
  words: NameWords,
  kind?: string,
): number {
  const telling = words.filter((word) => !meaninglessOperationWords.has(word));
  const isHeardOf =
    words.length === 0 ||
    areNamesOutsideContract(words) ||
    [words, telling].some((said) =>
      contractVerbs.some((deed) => lexicon.likeness(findKindSense(deed), said, kind) > 0.6),
    );
  return isHeardOf ? score : Math.max(score, unnamedOperationLikelihood);
}

/** Deeds that are done with the things of one kind alone, by kind. */
const deedsOfKinds: Readonly<Record<string, readonly string[]>> = {
  vm: ['start', 'stop', 'reboot'],
};

/** Tells whether the paths below the things of a collection have all that is done with those of a kind. */
export function haveOperationsOfKind(
  kind: string,
  paths: readonly string[],
  lexicon: BindingLexicon,
): boolean {
  const deeds = deedsOfKinds[kind] ?? [];
  const last = paths.flatMap((path) => parseApiPath(path).slice(-1));
  const isDone = (deed: string) =>
    last.some(({ isParam, words }) => !isParam && lexicon.likeness([deed], words) > 0.9);
  return deeds.length > 0 && deeds.every(isDone);
}
