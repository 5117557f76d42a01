// Paths that say in words what others say by method and path: `POST /Instance.Delete`, `GET /vps/{id}/info`, `/lan/list`.
import type { ApiDocument, ApiOperation, ApiSchema } from '../document/document.ts';
import { escapeJsonPointerStep } from '../document/schema-reader.ts';
import {
  type BindingLexicon,
  findKindIdSense,
  findKindSense,
  isNameOfSense,
  type NameWords,
  splitWords,
} from '../vocabulary/words.ts';
import { resourceKindMeanings } from '../vocabulary/meanings.ts';
import { contractVerbs } from './deeds.ts';
import { parseApiPath, type PathSegment } from './paths.ts';

/** An operation as method and path would say it, where other operations are not said so. */
interface SpokenRoute {
  readonly method: ApiOperation['method'];
  readonly segments: readonly string[];
  /** Ids that are sent in the query or the body, by the names that they have there. */
  readonly ids?: readonly string[];
  /** The words for what is done, where the method says it in place of them. */
  readonly verb?: string;
}

/**
 * API document in which the route of each operation that says in words what is done is rewritten to the method and path that say
 * the same, so that it can be matched like any other. An operation keeps the route that it is requested by. Where two would have
 * the same method and path, both keep their words.
 */
export function deriveRoutesFromWords(
  { operations }: ApiDocument,
  lexicon: BindingLexicon,
): ApiDocument {
  const isDeletingByWord = operations.every(({ method }) => method !== 'DELETE');
  const isReadByPost = operations.every(({ method }) => method !== 'GET');
  const reader = new SpokenRouteReader(lexicon, { isDeletingByWord, isReadByPost });
  const shapeOf = ({ method, segments }: SpokenRoute) =>
    `${method} ${segments.map((one) => (one.startsWith('{') ? '{}' : splitWords(one).join(' '))).join('/')}`;
  const spoken = operations.map((operation) => {
    const { path, method } = operation;
    const plain = { method, segments: writeSegments(path) };
    const said = reader.read(operation);
    return { operation, said, shape: shapeOf(said ?? plain) };
  });
  const counts = new Map<string, number>();
  for (const { shape } of spoken) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return {
    operations: spoken.map(({ operation, said, shape }) => {
      const isAlone = counts.get(shape) === 1;
      const route = said && !isAlone ? withVerb(operation, said) : said;
      return route ? rewrite(operation, route) : operation;
    }),
  };
}

/** The route with its words for what is done, which tell it from another one; undefined for one that has no more than its path. */
function withVerb(
  { method }: ApiOperation,
  { verb, segments, ids }: SpokenRoute,
): SpokenRoute | undefined {
  if (verb === undefined || ids === undefined) return undefined;
  return { method, segments: [...segments, verb], ids };
}

function writeSegments(path: string): readonly string[] {
  return parseApiPath(path).map(({ text, isParam }) => (isParam ? `{${text}}` : text));
}

function rewrite(
  operation: ApiOperation,
  { method, segments, ids = [] }: SpokenRoute,
): ApiOperation {
  const { parameters, body } = operation;
  const isInQuery = (id: string) =>
    parameters.some(({ name, in: place }) => place === 'query' && name === id);
  const placeOf = (id: string) =>
    isInQuery(id) ? `query ${id}` : `body /${escapeJsonPointerStep(id)}`;
  const sent = ids.map((id) => [id, placeOf(id)] as const);
  const inBody = ids.filter((id) => !isInQuery(id));
  return {
    ...operation,
    method,
    path: `/${segments.join('/')}`,
    route: { method: operation.method, path: operation.path },
    sentElsewhere: Object.fromEntries(sent),
    parameters: parameters.filter(
      ({ name, in: place }) => place !== 'query' || !ids.includes(name),
    ),
    body: inBody.reduce(withoutMember, body),
  };
}

function withoutMember(body: ApiSchema | undefined, name: string): ApiSchema | undefined {
  const members = new Map([...(body?.members ?? [])].filter(([one]) => one !== name));
  return body && members.size > 0 ? { ...body, members } : undefined;
}

/** Likelihood from which on a word says what is done. */
const sure = 0.9;
/** Likelihood from which on a word may say what is done. */
const near = 0.6;

/** Meanings of what a name begins with that says what is done to what it names. */
const verbs = [
  ...contractVerbs.filter((name) => !['renewal', 'metrics', 'backup'].includes(name)),
  'cancel',
  'resume',
];

/**
 * Names of plain values that a request has to have, of the query of a read or of the body of any other, but for those that its
 * path has, too.
 */
function listRequiredNames({ method, path, parameters, body }: ApiOperation): readonly string[] {
  const given =
    method === 'GET' && !body
      ? parameters.filter(({ in: place, isRequired }) => place === 'query' && isRequired)
      : [...(body?.members ?? [])].flatMap(([name, { isRequired, isUnsaid, schema }]) =>
          isRequired || isUnsaid ? [{ name, schema }] : [],
        );
  return given.flatMap(({ name, schema }) =>
    isPlainValue(schema) && !path.includes(`{${name}}`) ? [name] : [],
  );
}

function isPlainValue(schema: ApiSchema | undefined): boolean {
  if (schema === undefined) return true;
  const { type, items, members } = schema;
  return type !== 'array' && type !== 'boolean' && items === undefined && members.size === 0;
}

function toRoute(
  { method }: ApiOperation,
  segments: readonly (string | NameWords)[],
  id?: string,
): SpokenRoute {
  const texts = segments.map((one) => (typeof one === 'string' ? one : one.join('-')));
  return { method, segments: texts, ...(id !== undefined && { ids: [id] }) };
}

class SpokenRouteReader {
  readonly #lexicon: BindingLexicon;
  /** True for a document without any DELETE: its words are all that tells of a deletion. Elsewhere a person is asked. */
  readonly #isDeletingByWord: boolean;

  /** True for a document without any GET: reads are then told by words as well. */
  readonly #hasReadsByPost: boolean;

  constructor(
    lexicon: BindingLexicon,
    said: { readonly isDeletingByWord: boolean; readonly isReadByPost: boolean },
  ) {
    this.#lexicon = lexicon;
    this.#isDeletingByWord = said.isDeletingByWord;
    this.#hasReadsByPost = said.isReadByPost;
  }

  /** The route as method and path would say it; undefined for one that says nothing in words. */
  read(operation: ApiOperation): SpokenRoute | undefined {
    return this.#isReadByPost(operation)
      ? this.#readPlain({ ...operation, method: 'GET' })
      : this.#readPlain(operation);
  }

  /** True for a POST whose last words say that it reads: no contract file has it, and it tells what the others are about. */
  #isReadByPost({ method, path }: ApiOperation): boolean {
    const [last] = parseApiPath(path).slice(-1);
    if (!this.#hasReadsByPost || method !== 'POST' || last === undefined || last.isParam)
      return false;
    const said = (name: string) =>
      [last.words, last.words.slice(0, 1)].some(
        (words) => this.#lexicon.likeness(findKindSense(name), words) > sure,
      );
    return (said('list') || said('get')) && !said('create') && !said('read');
  }

  #readPlain(operation: ApiOperation): SpokenRoute | undefined {
    const parts = parseApiPath(operation.path);
    const [last, noun] = parts.toReversed();
    if (last === undefined || last.isParam || operation.method === 'DELETE') return undefined;
    const before = writeSegments(operation.path).slice(0, -1);
    if (noun?.isParam) return this.#readOfOne(operation, before, last);
    const found = noun && this.#readOfNoun(operation, before, noun, last);
    if (found || parts.some(({ isParam }) => isParam)) return found;
    return this.#readWithNoun(operation, before, last.words);
  }

  /** A deed and its noun in one name: `GET /listServers`, `POST /startServer`, `POST /cancelOrderRenewal`. */
  #readWithNoun(
    operation: ApiOperation,
    before: readonly string[],
    [verb = '', ...noun]: NameWords,
  ): SpokenRoute | undefined {
    const said = (name: string) => this.#lexicon.likeness(findKindSense(name), [verb]);
    if (noun.length === 0 || !verbs.some((name) => said(name) > near)) return undefined;
    const isRead = operation.method === 'GET';
    const isOfAll = isRead ? said('list') > sure || said('get') > sure : said('create') > sure;
    const isMaking = !isRead && isOfAll;
    if (
      isMaking
        ? this.#needsOwnId(operation, noun)
        : !said('list') && this.#mayTakeId(operation, noun)
    )
      return undefined;
    const names = isMaking ? [] : listRequiredNames(operation);
    const told = names.flatMap((name) => {
      const rest = this.#restBesideId(noun, splitWords(name));
      return rest ? [{ name, rest }] : [];
    });
    const [one, next] = told.toSorted((a, b) => a.rest.length - b.rest.length);
    if (one && next?.rest.length === one.rest.length) return undefined;
    if (one === undefined && isMaking)
      return { ...toRoute(operation, [...before, noun]), verb, ids: [] };
    if (one === undefined)
      return isOfAll ? this.#listOf(operation, [...before, noun.join('-')]) : undefined;
    const own = noun.filter((word) => !one.rest.includes(word));
    const place = [...before, own, `{${one.name}}`];
    if (one.rest.length > 0)
      return toRoute(operation, [...place, isOfAll ? one.rest : [verb, ...one.rest]], one.name);
    const body = withoutMember(operation.body, one.name);
    const method = this.#methodOfOne(operation, [verb], body);
    return method
      ? { ...toRoute(operation, place, one.name), method, verb }
      : toRoute(operation, [...place, [verb]], one.name);
  }

  /** The words of a name without those of an id that it begins or ends with; undefined for the id of something else. */
  #restBesideId(noun: NameWords, id: NameWords): NameWords | undefined {
    if (this.#isIdOf(noun, id)) return [];
    const own = id.at(-1) === 'id' ? id.slice(0, -1) : [];
    if (own.length === 0) return undefined;
    const isSame = (words: NameWords) => words.join(' ') === own.join(' ');
    if (isSame(noun.slice(0, own.length))) return noun.slice(own.length);
    return isSame(noun.slice(-own.length)) ? noun.slice(0, -own.length) : undefined;
  }

  /** A deed behind the id of a thing: `GET /vps/{id}/info`, `POST /vps/{id}/delete`. */
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
    if (isMaking && (this.#isDeed(noun.words) || this.#needsOwnId(operation, noun.words)))
      return undefined;
    const id = isMaking ? undefined : this.#findId(operation, noun.words);
    if (id !== undefined) {
      const rest = withoutMember(operation.body, id);
      const method = this.#methodOfOne(operation, words, rest);
      const one = [...segments, `{${id}}`];
      return method
        ? { ...toRoute(operation, one, id), method, verb: text }
        : toRoute(operation, [...one, text], id);
    }
    if (isMaking && operation.method === 'POST') return { method: 'POST', segments };
    const isOfAll = said('list') || said('all') || said('get') || isOnlyData(words);
    if (!said('list') && this.#mayTakeId(operation, noun.words)) return undefined;
    return isRead && isOfAll ? this.#listOf(operation, segments) : undefined;
  }

  /** A list of what another thing holds is read as below it, where its id has to be sent. */
  #listOf(operation: ApiOperation, segments: readonly string[]): SpokenRoute {
    const names = listRequiredNames(operation).map((name) => ({ name, words: splitWords(name) }));
    const [holder, ...others] = names.filter(
      ({ words }) => words.length > 1 && words.at(-1) === 'id',
    );
    if (holder === undefined || others.length > 0) return toRoute(operation, segments);
    const place = [holder.words.slice(0, -1), `{${holder.name}}`];
    return toRoute(
      operation,
      [...segments.slice(0, -1), ...place, ...segments.slice(-1)],
      holder.name,
    );
  }

  /** The method that says as much as the last words of a path do; undefined for an action of its own. */
  #methodOfOne(
    { method }: ApiOperation,
    words: NameWords,
    body: ApiSchema | undefined,
  ): ApiOperation['method'] | undefined {
    const said = (name: string) => isNameOfSense(findKindSense(name), words);
    if (method === 'GET') return said('get') || isOnlyData(words) ? 'GET' : undefined;
    // Beside the id of something else, what is removed may be that: a VM from a network.
    const isAlone = [...(body?.members.values() ?? [])].every(
      ({ schema: { type } }) => type === 'boolean',
    );
    const isEnd = said('delete') && (isAlone || !said('detach'));
    if (this.#isDeletingByWord && isEnd) return 'DELETE';
    return said('update') && !words.includes('replace') ? method : undefined;
  }

  /** True for words that say what is done: `boot/order` makes nothing. */
  #isDeed(words: NameWords): boolean {
    return contractVerbs.some((name) => this.#isOfKind(words, name));
  }

  /** True for a request that has to name a thing that is there: it does not make that. */
  #needsOwnId(operation: ApiOperation, noun: NameWords): boolean {
    return listRequiredNames(operation).some((name) => {
      const words = splitWords(name);
      return words.length > 1 && this.#isIdOf(noun, words);
    });
  }

  /** True for a read that may be of one thing, whose id its query takes where it is not said to be required. */
  #mayTakeId({ method, parameters }: ApiOperation, noun: NameWords): boolean {
    return parameters.some(
      ({ name, in: place, isRequired }) =>
        method === 'GET' &&
        place === 'query' &&
        !isRequired &&
        this.#isIdOf(noun, splitWords(name)),
    );
  }

  /** The id of the things of a noun in the query of a read, or in the body of a change. */
  #findId(operation: ApiOperation, noun: NameWords): string | undefined {
    const names = listRequiredNames(operation);
    const found = names.filter((name) => this.#isIdOf(noun, splitWords(name)));
    return found.length === 1 ? found[0] : undefined;
  }

  #isIdOf(noun: NameWords, name: NameWords): boolean {
    const [last] = name.slice(-1);
    if (last !== 'id' && last !== 'uuid') return false;
    const own = name.slice(0, -1);
    const isSame = own.every((word, at) => noun[noun.length - own.length + at] === word);
    return (
      isSame ||
      [...resourceKindMeanings].some(
        (kind) =>
          this.#isOfKind(noun, kind) && this.#lexicon.likeness(findKindIdSense(kind), name) > sure,
      )
    );
  }

  #isOfKind(noun: NameWords, kind: string): boolean {
    return this.#lexicon.likeness(findKindSense(kind), noun) > sure;
  }
}

/** Words that add nothing to the name before them. */
const dataWords = new Set(['info', 'information', 'data', 'detail']);

const isOnlyData = ([word = '', ...others]: NameWords): boolean =>
  dataWords.has(word) && others.length === 0;
