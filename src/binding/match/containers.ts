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
  sale: ['renewal cancel', 'renewal resume'],
};
/** The number of telling paths below a container that prove which kind it is. */
const proof: Readonly<Record<string, number>> = {
  project: 2,
  vm: 2,
  network: 1,
  publicIp: 1,
  sale: 2,
};
/** Number of a VM's operations below one path that show without doubt that the path is of VMs. */
const certain = 4;
/** The number of kinds that a project holds, and no region does that people create and delete. */
const certainOfProject = 3;
/** Kinds whose paths prove them by what is done there, whatever their name means elsewhere: an invoice that renews is a sale. */
const provenByDeeds: ReadonlySet<string> = new Set(['sale']);

/** The kind of container that the literal path segment before a parameter names. */
export function findPathContainer(lexicon: BindingLexicon, words: NameWords): string | undefined {
  const scored = pathContainerKinds
    .map((kind) => ({ kind, score: lexicon.likeness(findKindSense(kind), words) }))
    .sort((one, other) => other.score - one.score);
  return scored[0] && scored[0].score > 0.9 ? scored[0].kind : undefined;
}

/** The service's own name for a container, guessed from what its paths hold, and whether that leaves no doubt. */
export interface ContainerNameGuess {
  readonly words: NameWords;
  readonly isCertain: boolean;
}

/** Guesses the service's own name for a container from what lies below it in the paths; undefined where two could be it. */
export function guessContainerName(
  kind: string,
  operations: readonly ApiOperation[],
  lexicon: BindingLexicon,
): ContainerNameGuess | undefined {
  const held = new Map<string, HeldPaths>();
  for (const { path, method } of operations) {
    const segments = parseApiPath(path);
    for (const [at, { isParam, words }] of segments.entries()) {
      if (isParam || findPathContainer(lexicon, words) !== undefined) continue;
      // A container by the name of something else may be a project all the same: its contents tell.
      if (areNamesOutsideContract(words) && !provenByDeeds.has(kind) && kind !== 'project')
        continue;
      const key = words.join(' ');
      const one = held.get(key) ?? newHeldPaths(words);
      held.set(key, one);
      const isOne = segments[at + 1]?.isParam === true;
      const end = at + (isOne ? 2 : 1);
      if (end === segments.length) one.methods.add(isOne ? `${method} one` : method);
      if (!isOne) continue;
      const inner = segments.slice(end);
      const said = provenByDeeds.has(kind) ? inner.flatMap((one) => one.words) : inner[0]?.words;
      for (const name of heldBy[kind] ?? []) {
        const likeness = lexicon.likeness(name.split(' '), said ?? []);
        if (likeness > 0.9) one.names.add(name);
        if (likeness > 0.6) one.near.add(name);
      }
    }
  }
  const proven = [...held.values()]
    .filter(
      (one) => provenByDeeds.has(kind) || !areNamesOutsideContract(one.words) || isSurely(one),
    )
    .map((one) => (isMadeByPeople(kind, one) ? { ...one, names: one.near } : one))
    .filter(({ names }) => names.size >= (proof[kind] ?? 1))
    .toSorted((one, other) => other.names.size - one.names.size);
  const [best, next] = proven;
  if (!best || best.names.size <= (next?.names.size ?? 0)) return undefined;
  const isCertain =
    !areNamesOutsideContract(best.words) &&
    (provenByDeeds.has(kind) ||
      isMadeByPeople(kind, best) ||
      (kind === 'vm' && best.names.size >= certain));
  return { words: best.words, isCertain };
}

/** Contents and own methods of the paths below a name. */
interface HeldPaths {
  readonly words: NameWords;
  /** Kinds, or deeds, that the words of the path surely name. */
  readonly names: Set<string>;
  /** Kinds, or deeds, that the words of the path may name. */
  readonly near: Set<string>;
  /** Methods of the name's own paths: `POST`, and `DELETE one` of one of its things. */
  readonly methods: Set<string>;
}

function newHeldPaths(words: NameWords): HeldPaths {
  return { words, names: new Set(), near: new Set(), methods: new Set() };
}

/** True for a project by what it holds, where people create and delete it: a region holds as much, and nobody deletes it. */
function isMadeByPeople(kind: string, { near, methods }: HeldPaths): boolean {
  const isMade = methods.has('POST') && methods.has('DELETE one');
  return kind === 'project' && isMade && near.size >= certainOfProject;
}

/** True for what people create and delete, and that surely holds the kinds that a project does. */
function isSurely({ names, methods }: HeldPaths): boolean {
  return isMadeByPeople('project', { words: [], names, near: names, methods });
}
