// The operations of a document, as things of the contract that their paths lead through.
import type { ApiDocument, ApiOperation } from '../document/document.ts';
import { idOfKind, type Lexicon, type Words } from '../vocabulary/words.ts';
import { containerOf } from './containers.ts';
import { keyAt, mayHold } from './kinds.ts';
import { parsePath } from './paths.ts';

/** A thing in a path. */
export interface Link {
  readonly kind: string;
  /** The name of its parameter; undefined where the path has all of them. */
  readonly param: string | undefined;
  /** True where only its name says what it is. */
  readonly isGuess: boolean;
}

/** An operation and what its path says. */
export interface View {
  readonly operation: ApiOperation;
  readonly chain: readonly Link[];
  /** Words before the first thing, and behind it. */
  readonly before: Words;
  readonly extra: Words;
  /** Parameters of things that the contract does not have. */
  readonly strangers: readonly string[];
}

/** Looks at every operation; `kindOf` is the kind of each collection by its key. */
export function viewOperations(
  { operations }: ApiDocument,
  kindOf: ReadonlyMap<string, string>,
  lexicon: Lexicon,
): readonly View[] {
  const found = new Set(kindOf.values());
  const guess = (words: Words, param: Words) => {
    const container = containerOf(lexicon, words);
    return container !== undefined && !found.has(container)
      ? container
      : containerOfId(lexicon, param);
  };
  return operations.map((operation) => {
    const segments = parsePath(operation.path);
    const chain: Link[] = [];
    const before: string[] = [];
    const extra: string[] = [];
    const strangers: string[] = [];
    for (let at = 0; at < segments.length; at += 1) {
      const segment = segments[at];
      if (!segment) break;
      if (segment.isParam) {
        strangers.push(segment.text);
        continue;
      }
      const next = segments[at + 1];
      const param = next?.isParam ? next : undefined;
      const known = kindOf.get(keyAt(lexicon, segments, at).key);
      const kind = known ?? (param && guess(segment.words, param.words));
      // Behind one thing, a word that holds nothing is what is done with it: `/vms/{vmId}/actions/start`.
      const isWord =
        !param &&
        chain.at(-1)?.param !== undefined &&
        ((at < segments.length - 1 && !mayHold(kind ?? '', [chain.at(-1)?.kind ?? ''])) ||
          (kind === 'operation' && operation.method !== 'GET'));
      if (kind !== undefined && !isWord) {
        chain.push({ kind, param: param?.text, isGuess: known === undefined });
        if (param) at += 1;
      } else (chain.length === 0 ? before : extra).push(...segment.words);
    }
    return { operation, chain, before, extra, strangers };
  });
}

/** The kind whose id a parameter of a path is, by its own name. */
function containerOfId(lexicon: Lexicon, words: Words): string | undefined {
  return ['vm', 'network'].find((kind) => lexicon.likeness(idOfKind(kind), words) > 0.9);
}
