// The things that hold others in the paths of a document.
import type { ApiOperation } from '../document/document.ts';
import { areNamesOutsideContract } from '../vocabulary/strangers.ts';
import { type BindingLexicon, findKindSense, type NameWords } from '../vocabulary/words.ts';
import { parseApiPath } from './paths.ts';

/** Kinds of resources that other resources' paths begin with. */
export const pathContainerKinds = ['project', 'vm', 'network', 'publicIp'];

/** Names by which each is known that has another name itself: of what it alone holds, or what is done with it. */
const heldBy: Readonly<Record<string, readonly string[]>> = {
  project: ['vm', 'network', 'publicIp', 'sshKey'],
  vm: ['start', 'stop', 'reboot', 'backup', 'rebuild'],
  network: ['vm', 'attach'],
  publicIp: ['portForward'],
};
/** The number of telling paths below a container that prove which kind it is. */
const proof: Readonly<Record<string, number>> = { project: 2, vm: 2, network: 1, publicIp: 1 };
/** The number of those of a VM that leave no doubt. What holds all others may be a region as well as a project. */
const certain = 4;

/** The kind of container that the literal path segment before a parameter names. */
export function findPathContainer(lexicon: BindingLexicon, words: NameWords): string | undefined {
  const scored = pathContainerKinds
    .map((kind) => ({ kind, score: lexicon.likeness(findKindSense(kind), words) }))
    .sort((one, other) => other.score - one.score);
  return scored[0] && scored[0].score > 0.9 ? scored[0].kind : undefined;
}

/** A name that says nothing, and whether what its things hold leaves no doubt. */
export interface PathContainerGuess {
  readonly words: NameWords;
  readonly isCertain: boolean;
}

/** The name of a container that is called as nothing, by what its things hold; undefined where two could be it as well. */
export function guessPathContainer(
  kind: string,
  operations: readonly ApiOperation[],
  lexicon: BindingLexicon,
): PathContainerGuess | undefined {
  const held = new Map<string, { readonly words: NameWords; readonly names: Set<string> }>();
  for (const { path } of operations) {
    const segments = parseApiPath(path);
    for (const [at, { isParam, words }] of segments.entries()) {
      if (isParam || segments[at + 1]?.isParam !== true) continue;
      if (areNamesOutsideContract(words) || findPathContainer(lexicon, words) !== undefined)
        continue;
      const key = words.join(' ');
      const one = held.get(key) ?? { words, names: new Set<string>() };
      held.set(key, one);
      const inner = segments[at + 2]?.words ?? [];
      for (const name of heldBy[kind] ?? [])
        if (lexicon.likeness(findKindSense(name), inner) > 0.9) one.names.add(name);
    }
  }
  const proven = [...held.values()]
    .filter(({ names }) => names.size >= (proof[kind] ?? 1))
    .toSorted((one, other) => other.names.size - one.names.size);
  const [best, next] = proven;
  if (!best || best.names.size <= (next?.names.size ?? 0)) return undefined;
  return { words: best.words, isCertain: kind === 'vm' && best.names.size >= certain };
}
