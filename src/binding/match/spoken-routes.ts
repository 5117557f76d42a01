// Paths that say in words what others say by method and path: `POST /Instance.Delete`, `GET /vps/{id}/info`, `/lan/list`.
import type { ApiDocument, ApiOperation, ApiSchema } from '../document/document.ts';
import {
  areMeaninglessWords,
  type BindingLexicon,
  findKindIdSense,
  findKindSense,
  type NameWords,
  splitWords,
} from '../vocabulary/words.ts';
import { resourceKindMeanings } from '../vocabulary/meanings.ts';
import { parseApiPath, type PathSegment } from './paths.ts';

/** An operation as method and path would say it, where other operations are not said so. */
interface SpokenRoute {
  readonly method: ApiOperation['method'];
  readonly segments: readonly string[];
  /** The id that is sent in the query or the body, by the name that it has there. */
  readonly id?: string;
}

/**
 * The document with method and path of each operation as they would be without words for what is done. An operation keeps the
 * route that it is requested by. Where two would have the same method and path, both stay as they are.
 */
export function readSpokenRoutes(
  { operations }: ApiDocument,
  lexicon: BindingLexicon,
): ApiDocument {
  const isDeletingByWord = operations.every(({ method }) => method !== 'DELETE');
  const reader = new SpokenRouteReader(lexicon, isDeletingByWord);
  const spoken = operations.map((operation) => ({ operation, said: reader.read(operation) }));
  const taken = new Map<string, number>();
  const shapeOf = (method: string, segments: readonly string[]) =>
    `${method} ${segments.map((one) => (one.startsWith('{') ? '{}' : splitWords(one).join(' '))).join('/')}`;
  const plainOf = ({ path, method }: ApiOperation) => shapeOf(method, writeSegments(path));
  for (const { operation, said } of spoken) {
    const shape = said ? shapeOf(said.method, said.segments) : plainOf(operation);
    taken.set(shape, (taken.get(shape) ?? 0) + 1);
  }
  return {
    operations: spoken.map(({ operation, said }) =>
      said && taken.get(shapeOf(said.method, said.segments)) === 1
        ? rewrite(operation, said)
        : operation,
    ),
  };
}

function writeSegments(path: string): readonly string[] {
  return parseApiPath(path).map(({ text, isParam }) => (isParam ? `{${text}}` : text));
}

function rewrite(operation: ApiOperation, { method, segments, id }: SpokenRoute): ApiOperation {
  const { parameters, body } = operation;
  const isInQuery = parameters.some(({ name, in: place }) => place === 'query' && name === id);
  const sent = id === undefined ? {} : { [id]: isInQuery ? `query ${id}` : `body /${id}` };
  return {
    ...operation,
    method,
    path: `/${segments.join('/')}`,
    route: { method: operation.method, path: operation.path },
    sentElsewhere: sent,
    parameters: parameters.filter(({ name, in: place }) => place !== 'query' || name !== id),
    body: isInQuery || id === undefined ? body : withoutMember(body, id),
  };
}

function withoutMember(body: ApiSchema | undefined, name: string): ApiSchema | undefined {
  const members = new Map([...(body?.members ?? [])].filter(([one]) => one !== name));
  return body && members.size > 0 ? { ...body, members } : undefined;
}

/** Likelihood from which on a word says what is done. */
const sure = 0.9;

class SpokenRouteReader {
  readonly #lexicon: BindingLexicon;
  /** True for a document without any DELETE: its words are all that tells of a deletion. Elsewhere a person is asked. */
  readonly #isDeletingByWord: boolean;

  constructor(lexicon: BindingLexicon, isDeletingByWord: boolean) {
    this.#lexicon = lexicon;
    this.#isDeletingByWord = isDeletingByWord;
  }

  /** The route as method and path would say it; undefined for one that says nothing in words. */
  read(operation: ApiOperation): SpokenRoute | undefined {
    const parts = parseApiPath(operation.path);
    const [noun, verb] = parts.slice(-2);
    if (noun === undefined || verb === undefined || verb.isParam) return undefined;
    const before = writeSegments(operation.path).slice(0, -1);
    if (operation.method === 'DELETE') return undefined;
    return noun.isParam
      ? this.#readOfOne(operation, before, verb)
      : this.#readOfNoun(operation, before, noun, verb);
  }

  /** What is done to the thing of a path: `GET /vps/{id}/info`, `POST /vps/{id}/delete`. */
  #readOfOne(
    operation: ApiOperation,
    segments: readonly string[],
    verb: PathSegment,
  ): SpokenRoute | undefined {
    const method = this.#methodOfOne(operation, verb.words, operation.body);
    return method && { method, segments };
  }

  #readOfNoun(
    operation: ApiOperation,
    segments: readonly string[],
    noun: PathSegment,
    { words, text }: PathSegment,
  ): SpokenRoute | undefined {
    const isRead = operation.method === 'GET';
    const said = (name: string) => this.#lexicon.likeness(findKindSense(name), words) > sure;
    const isMaking = !isRead && said('create');
    const id = isMaking ? undefined : this.#findId(operation, noun.words);
    if (id !== undefined) {
      const rest = withoutMember(operation.body, id);
      const method = this.#methodOfOne(operation, words, rest);
      const one = [...segments, `{${id}}`];
      return method
        ? { method, segments: one, id }
        : { method: operation.method, segments: [...one, text], id };
    }
    if (isMaking && operation.method === 'POST') return { method: 'POST', segments };
    const isOfAll = said('list') || said('all') || said('get') || isOnlyData(words);
    return isRead && isOfAll ? { method: 'GET', segments } : undefined;
  }

  /** The method that says as much as the last words of a path do; undefined for an action of its own. */
  #methodOfOne(
    { method }: ApiOperation,
    words: NameWords,
    body: ApiSchema | undefined,
  ): ApiOperation['method'] | undefined {
    const said = (name: string) => this.#lexicon.likeness(findKindSense(name), words) > sure;
    if (method === 'GET') return said('get') || isOnlyData(words) ? 'GET' : undefined;
    // Beside the id of something else, what is removed may be that: a VM from a network.
    const isAlone = [...(body?.members.values() ?? [])].every(
      ({ schema: { type } }) => type === 'boolean',
    );
    const isEnd = said('delete') && (isAlone || !said('detach'));
    if (this.#isDeletingByWord && isEnd) return 'DELETE';
    return said('update') ? 'PATCH' : undefined;
  }

  /** The id of the things of a noun in the query of a read, or in the body of a change. */
  #findId({ method, parameters, body }: ApiOperation, noun: NameWords): string | undefined {
    const names =
      method === 'GET'
        ? parameters.filter((one) => one.in === 'query' && one.isRequired).map(({ name }) => name)
        : [...(body?.members ?? [])]
            .filter(([, { isRequired, isUnsaid }]) => isRequired || isUnsaid)
            .map(([name]) => name);
    const found = names.filter((name) => this.#isIdOf(noun, splitWords(name)));
    return found.length === 1 ? found[0] : undefined;
  }

  #isIdOf(noun: NameWords, name: NameWords): boolean {
    const [last] = name.slice(-1);
    if (last !== 'id' && last !== 'uuid') return false;
    const own = name.slice(0, -1).join(' ');
    if (own === '' || noun.join(' ').endsWith(own)) return true;
    return [...resourceKindMeanings].some(
      (kind) =>
        this.#lexicon.likeness(findKindSense(kind), noun) > sure &&
        this.#lexicon.likeness(findKindIdSense(kind), name) > sure,
    );
  }
}

/** True for words such as `info`, `data` and `details`, which add nothing to the name before them. */
function isOnlyData(words: NameWords): boolean {
  return words.length === 1 && areMeaninglessWords(words, '') && !/^(?:v|api|\d)/.test(words[0] ?? '');
}
