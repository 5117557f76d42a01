// The operations of a document, as things of the contract that their paths lead through.
import type { ApiDocument, ApiOperation } from '../document/document.ts';
import {
  findKindIdSense,
  findKindSense,
  type BindingLexicon,
  type NameWords,
} from '../vocabulary/words.ts';
import { findPathContainer } from './containers.ts';
import { pathCollectionKeyAt, canCollectionHoldKind } from './kinds.ts';
import { parseApiPath, type PathSegment } from './paths.ts';

/** A resource in an operation's path: a literal segment and the parameter behind it. */
export interface ApiPathResource {
  readonly kind: string;
  /** The name of its parameter; undefined where the path has all of them. */
  readonly param: string | undefined;
  /** Tells whether only the parameter's name says which kind of resource it is. */
  readonly isGuess: boolean;
}

/** An operation of the API document with what its path says about its resources. */
export interface OperationPathView {
  readonly operation: ApiOperation;
  readonly chain: readonly ApiPathResource[];
  /** Words in the path before its last resource, and those behind it. */
  readonly before: NameWords;
  readonly extra: NameWords;
  /** Path parameters that name resources unknown to the contract. */
  readonly strangers: readonly string[];
}

/** The kinds of resources that the path has before its last one. */
export function listParentKinds({ chain }: OperationPathView): readonly string[] {
  return chain.slice(0, -1).map(({ kind }) => kind);
}

/** Looks at every operation; `kindOf` is the kind of each collection by its key. */
export function readOperationPaths(
  { operations }: ApiDocument,
  kindOf: ReadonlyMap<string, string>,
  lexicon: BindingLexicon,
): readonly OperationPathView[] {
  const found = new Set(kindOf.values());
  const guess = (words: NameWords, param: NameWords) => {
    const container = findPathContainer(lexicon, words);
    return container !== undefined && !found.has(container)
      ? container
      : containerOfId(lexicon, param);
  };
  const placeOf = (segments: readonly PathSegment[], end: number) =>
    segments
      .slice(0, end + 1)
      .map(({ isParam, text }) => (isParam ? '{}' : text))
      .join('/');
  /** Kind of the parameter behind a collection at other paths, by the place of the collection. */
  const guessed = new Map<string, string>();
  for (const { path } of operations) {
    const segments = parseApiPath(path);
    for (const [at, { isParam, words }] of segments.entries()) {
      const next = segments[at + 1];
      const kind = !isParam && next?.isParam ? guess(words, next.words) : undefined;
      if (kind !== undefined) guessed.set(placeOf(segments, at), kind);
    }
  }
  return operations.map((operation) => {
    const segments = parseApiPath(operation.path);
    const chain: ApiPathResource[] = [];
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
      const known = kindOf.get(pathCollectionKeyAt(lexicon, segments, at).key);
      const kind = known ?? guessed.get(placeOf(segments, at));
      // A word behind a resource that is no collection is a deed: `/vms/{vmId}/actions/start`.
      const isWord =
        !param &&
        chain.at(-1)?.param !== undefined &&
        ((at < segments.length - 1 &&
          !canCollectionHoldKind(kind ?? '', [chain.at(-1)?.kind ?? ''])) ||
          (kind === 'operation' && operation.method !== 'GET'));
      // An entry of a catalog is part of a VM there: `/vms/{vmId}/flavor/{flavorId}`.
      const isPart = catalogKinds.has(kind ?? '') && chain.at(-1)?.kind === 'vm';
      if (kind !== undefined && !isWord && !isPart) {
        // Words before a collection only group it: `/projects/{projectId}/compute/vms`.
        before.push(...extra.splice(0));
        chain.push({ kind, param: param?.text, isGuess: known === undefined });
        if (param) at += 1;
      } else (chain.length === 0 ? before : extra).push(...segment.words);
    }
    return { operation, chain, before, extra, strangers };
  });
}

const catalogKinds: ReadonlySet<string> = new Set(['configuration', 'image', 'tariff']);

/** The kind whose id a parameter of a path is, by its own name: `{serverId}`, `{server}`. */
function containerOfId(lexicon: BindingLexicon, words: NameWords): string | undefined {
  return ['vm', 'network'].find((kind) =>
    [findKindIdSense(kind), findKindSense(kind)].some(
      (sense) => lexicon.likeness(sense, words) > 0.9,
    ),
  );
}
