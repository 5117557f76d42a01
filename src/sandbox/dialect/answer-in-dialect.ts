// The sandbox as a service that spells the contract otherwise. Requests become the contract's before anything else sees them,
// and answers the service's behind everything: faults, logs and rules speak the contract.
import type { Binding, ListPaging } from '../../model/account/binding.ts';
import { findBoundListLine } from '../../api/contract/find-list-line.ts';
import { routes } from '../../api/contract/routes.ts';
import { operationShapes } from '../../api/contract/shapes.ts';
import type { SandboxAnswer, SandboxRequest } from '../contract/answer.ts';
import { quoteRequestPath } from '../contract/find-route.ts';
import { LongJsonNumber, formatJsonWithLongNumbers } from '../contract/long-numbers.ts';
import { createNothingAtPathRefusal, RequestRefusal } from '../contract/problems.ts';
import { type SandboxProjectContentRow, type SandboxTable, sandboxTables } from '../store/rows.ts';
import type { SandboxStore } from '../store/store.ts';
import {
  omitValueAtJsonPointer,
  readValueAtJsonPointer,
  putValueAtJsonPointer,
  DialectTranslation,
} from './theirs.ts';
import { type DialectRouteMatch, DialectRoutes } from './their-routes.ts';

type Answering = (request: SandboxRequest) => Promise<SandboxAnswer>;
/** Makes the answer for a request that is refused before it reaches the sandbox. */
type Refusing = (refusal: RequestRefusal, request: SandboxRequest) => Promise<SandboxAnswer>;

/** Tables by the parameters of paths: a row says what holds it. */
const tablesOf: Readonly<Record<string, SandboxTable<SandboxProjectContentRow>>> = {
  sshKeyId: sandboxTables.sshKeys,
  networkId: sandboxTables.networks,
  publicIpId: sandboxTables.publicIps,
  portForwardId: sandboxTables.portForwards,
  vmId: sandboxTables.vms,
  backupId: sandboxTables.backups,
  operationId: sandboxTables.operations,
};

const prefix = '/v1';
const ownPaging: ListPaging = { by: 'page', page: 'page', size: 'pageSize' };
const usualSize = 20;
const mostOnPage = 100;

/** Serves the sandbox in a dialect: with the paths, names and units of the service that a contract file describes. */
export function serveContractInDialect(
  binding: Binding,
  store: SandboxStore,
  answer: Answering,
  refuse: Refusing,
): Answering {
  const served = new ServedDialect(binding, store, answer);
  return async (request) => {
    try {
      return await served.answer(request);
    } catch (error) {
      if (error instanceof RequestRefusal) return refuse(error, request);
      throw error;
    }
  };
}

class ServedDialect {
  readonly #binding: Binding;
  readonly #store: SandboxStore;
  readonly #answer: Answering;
  readonly #routes: DialectRoutes;
  readonly #values: DialectTranslation;

  constructor(binding: Binding, store: SandboxStore, answer: Answering) {
    this.#binding = binding;
    this.#store = store;
    this.#answer = answer;
    this.#routes = new DialectRoutes(binding);
    this.#values = new DialectTranslation(binding);
  }

  async answer(request: SandboxRequest): Promise<SandboxAnswer> {
    const { pathname } = request.url;
    // Pages for people, and what steers the sandbox, are none of the service's.
    if (!pathname.startsWith(`${prefix}/`)) return this.#answer(request);
    const path = pathname.slice(prefix.length);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const found = this.#routes.find(method, path);
    if (found.length === 0) throw createNothingAtPathRefusal(quoteRequestPath(pathname));
    const isTold = found.length > 1 || this.#isAskedInBody(found[0]);
    const body = isTold ? await readOnce(request) : request.readBody;
    const match = await this.#choose(found, body);
    if (!match) {
      const detail = 'The request does not say which of its actions is meant.';
      throw new RequestRefusal(422, 'validation', detail);
    }
    const given = isTold ? await body() : undefined;
    const asked = this.#ask(match, { ...request, readBody: body }, given);
    const { isList } = operationShapes[match.operationId];
    return isList && request.method !== 'HEAD'
      ? this.#answerList(match, asked, request.url.searchParams)
      : this.#spell(match, await this.#answer(asked));
  }

  /** True where the body says what the path of the contract does. */
  #isAskedInBody(match: DialectRouteMatch | undefined): boolean {
    if (!match) return false;
    const places = this.#binding.parameters?.[match.operationId] ?? {};
    return operationShapes[match.operationId].params.some((name) =>
      places[name]?.startsWith('body '),
    );
  }

  /** Chooses, among operations of one route, the one whose constants the request has. */
  async #choose(
    found: readonly DialectRouteMatch[],
    readBody: SandboxRequest['readBody'],
  ): Promise<DialectRouteMatch | undefined> {
    const [first] = found;
    if (found.length === 1) return first;
    const constants = found.map(({ operationId }) => this.#binding.constants?.[operationId]?.body);
    if (constants.every((one) => one === undefined)) return first;
    const body = await readBody();
    return found.find((_, at) =>
      Object.entries(constants[at] ?? {}).every(
        ([pointer, value]) =>
          JSON.stringify(readValueAtJsonPointer(body, pointer)) === JSON.stringify(value),
      ),
    );
  }

  /** Translates a request from the service's spelling into the contract's. */
  #ask(
    { operationId, params: theirs }: DialectRouteMatch,
    request: SandboxRequest,
    body: unknown,
  ): SandboxRequest {
    const { params, query } = operationShapes[operationId];
    const places = this.#binding.parameters?.[operationId] ?? {};
    const { searchParams } = request.url;
    const given = new Map<string, string>();
    for (const name of [...params, ...query]) {
      const place = places[name];
      const text = place?.startsWith('query ')
        ? searchParams.get(place.slice(6))
        : query.includes(name)
          ? searchParams.get(name)
          : (theirs[place?.startsWith('path ') ? place.slice(5) : name] ?? theirs[name]);
      if (place?.startsWith('body ')) {
        const value = this.#values.askedValue(
          idShape(name),
          readValueAtJsonPointer(body, place.slice(5)),
        );
        if (typeof value === 'string') given.set(name, value);
      } else if (text !== null && text !== undefined) {
        given.set(name, name.endsWith('Id') ? this.#values.askedId(name.slice(0, -2), text) : text);
      }
    }
    this.#fillParents(params, given);
    const { method, path } = routes[operationId];
    const url = new URL(request.url);
    url.pathname =
      prefix +
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(given.get(name) ?? '?'),
      );
    url.search = '';
    for (const name of query) {
      const value = given.get(name);
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const readBody = async () =>
      this.#askBody(operationId, theirs, searchParams, await request.readBody());
    return { ...request, method, url, readBody };
  }

  /** A path may name a thing alone: the row of that says what holds it. */
  #fillParents(params: readonly string[], given: Map<string, string>): void {
    for (const name of params.toReversed()) {
      const id = given.get(name);
      const table = tablesOf[name];
      const row = id !== undefined && table ? this.#store.first(table, { id }) : undefined;
      for (const [column, value] of Object.entries(row ?? {})) {
        if (params.includes(column) && !given.has(column)) given.set(column, String(value));
      }
    }
  }

  /** The body as the contract has it. What the service does not know stays, and is refused. */
  #askBody(
    operationId: DialectRouteMatch['operationId'],
    theirs: DialectRouteMatch['params'],
    search: URLSearchParams,
    body: unknown,
  ): unknown {
    const shape = operationShapes[operationId];
    if (shape.body === undefined || isNoRecord(body)) return body;
    const places = this.#binding.parameters?.[operationId] ?? {};
    let rest = body;
    for (const pointer of Object.keys(this.#binding.constants?.[operationId]?.body ?? {})) {
      rest = omitValueAtJsonPointer(rest, pointer);
    }
    for (const name of shape.params) {
      if (places[name]?.startsWith('body '))
        rest = omitValueAtJsonPointer(rest, places[name].slice(5));
    }
    const ours: Record<string, unknown> = {};
    for (const member of this.#values.members(shape.body, operationId)) {
      const place = places[member.name];
      const at = place?.startsWith('body ') ? place.slice(5) : member.at;
      const pathName = place?.startsWith('path ') ? place.slice(5) : member.name;
      const value = place?.startsWith('query ')
        ? search.get(place.slice(6))
        : Object.hasOwn(theirs, pathName) && !shape.params.includes(pathName)
          ? this.#fromText(member.shape, theirs[pathName] ?? '')
          : at === undefined
            ? undefined
            : readValueAtJsonPointer(body, at);
      if (value === undefined || value === null) {
        if (value === null && at !== undefined) ours[member.name] = null;
        continue;
      }
      if (at !== undefined) rest = omitValueAtJsonPointer(rest, at);
      ours[member.name] = this.#values.askedValue(member, value);
    }
    const unknown = typeof rest === 'object' && rest !== null ? rest : {};
    return body === undefined && Object.keys(ours).length === 0
      ? undefined
      : { ...unknown, ...ours };
  }

  /** Converts an id from a path, where it is text, to the type that bodies have for it. */
  #fromText(shape: { readonly type: string }, text: string): unknown {
    return shape.type === 'id' && /^\d+$/.test(text) ? new LongJsonNumber(text) : text;
  }

  /** Translates an answer about one resource into the service's spelling. */
  #spell({ operationId }: DialectRouteMatch, answer: SandboxAnswer): SandboxAnswer {
    return rewrite(answer, (body, isProblem) => {
      if (isProblem) return this.#values.answerRecord('apiProblem', body);
      const record = operationShapes[operationId].answer ?? madeRecord(operationId, body);
      if (record === undefined) return body;
      const at = this.#binding.answers?.[operationId] ?? '';
      return putValueAtJsonPointer({}, at, this.#values.answerRecord(record, body));
    });
  }

  async #answerList(
    match: DialectRouteMatch,
    asked: SandboxRequest,
    search: URLSearchParams,
  ): Promise<SandboxAnswer> {
    const { operationId } = match;
    const { answer: record = '', query } = operationShapes[operationId];
    const isPaged = query.includes('page');
    const line = findBoundListLine(this.#binding, operationId);
    // An open place is served as the contract has it: it has to stand somewhere.
    if (line === undefined || line === 'open') {
      return this.#spellItems(match, await this.#answer(asked));
    }
    const page = line.page ?? (isPaged ? ownPaging : ({ by: 'none' } as const));
    const { from, size } = readPage(page, search);
    const last = await this.#readWhole(asked, isPaged);
    if ('failed' in last) return this.#spell(match, last.failed);
    const { items, answer } = last;
    const shown = items.slice(from, from + size);
    const end = from + shown.length;
    const theirs = shown.map((item) => this.#values.answerRecord(record, item));
    let body = putValueAtJsonPointer({}, line.items ?? (isPaged ? '/items' : ''), theirs);
    const total = line.total ?? (isPaged && line.items === undefined ? '/totalCount' : undefined);
    // An answer that is a bare list has no member for the total.
    if (total !== undefined && line.items !== '')
      body = putValueAtJsonPointer(body, total, items.length);
    if (page.by === 'cursor')
      body = putValueAtJsonPointer(body, page.next, end < items.length ? `at-${end}` : null);
    return { ...answer, text: formatJsonWithLongNumbers(body) };
  }

  /** Reads all pages of a list of the contract. */
  async #readWhole(
    asked: SandboxRequest,
    isPaged: boolean,
  ): Promise<{ items: unknown[]; answer: SandboxAnswer } | { failed: SandboxAnswer }> {
    const items: unknown[] = [];
    for (let page = 1; ; page += 1) {
      const url = new URL(asked.url);
      if (isPaged || page > 1) {
        url.searchParams.set('page', String(page));
        url.searchParams.set('pageSize', String(mostOnPage));
      }
      const answer = await this.#answer({ ...asked, url });
      const body = parse(answer);
      const some: unknown = Array.isArray(body) ? body : readValueAtJsonPointer(body, '/items');
      if (answer.status !== 200 || !Array.isArray(some)) return { failed: answer };
      items.push(...some);
      // Paging, and the length of pages, differ between the variants.
      const total = Array.isArray(body) ? 0 : Number(readValueAtJsonPointer(body, '/totalCount'));
      if (items.length >= total || some.length === 0) return { items, answer };
    }
  }

  /** A page, or a bare list, stays what it is: variants of the sandbox answer either. */
  #spellItems(match: DialectRouteMatch, answer: SandboxAnswer): SandboxAnswer {
    const { answer: record = '' } = operationShapes[match.operationId];
    return rewrite(answer, (body, isProblem) => {
      if (isProblem) return this.#values.answerRecord('apiProblem', body);
      const at = Array.isArray(body) ? '' : '/items';
      const items = readValueAtJsonPointer(body, at);
      if (!Array.isArray(items)) return body;
      const theirs = items.map((item) => this.#values.answerRecord(record, item));
      return putValueAtJsonPointer(body, at, theirs);
    });
  }
}

/** Tells whether a body is JSON without being a record; such a body is passed on unchanged, and refused. */
function isNoRecord(body: unknown): boolean {
  return body === null || Array.isArray(body) || (body !== undefined && typeof body !== 'object');
}

/** The record that a create answers in place of a command, as some services do. */
function madeRecord(operationId: string, body: unknown): string | undefined {
  const [, first = '', rest = ''] = /^create(.)(.*)$/.exec(operationId) ?? [];
  return first !== '' && readValueAtJsonPointer(body, '/id') !== undefined
    ? first.toLowerCase() + rest
    : undefined;
}

/** The type of the id that a path parameter's name refers to. */
function idShape(name: string) {
  return { shape: { type: 'id', of: name.replace(/Id$/, '') }, unit: 1 } as const;
}

/** Reads from the query which part of a list is asked for. */
function readPage(page: ListPaging, search: URLSearchParams): { from: number; size: number } {
  if (page.by === 'none') return { from: 0, size: Number.POSITIVE_INFINITY };
  const wanted = Number(page.size === undefined ? usualSize : (search.get(page.size) ?? usualSize));
  const size = Math.min(mostOnPage, Math.max(1, wanted || usualSize));
  switch (page.by) {
    case 'page': {
      const first = page.first ?? 1;
      return { from: (Number(search.get(page.page) ?? first) - first) * size, size };
    }
    case 'offset':
      return { from: Number(search.get(page.offset) ?? 0), size };
    case 'cursor':
      return { from: Number(/^at-(\d+)$/.exec(search.get(page.cursor) ?? '')?.[1] ?? 0), size };
  }
}

/** An answer with another body; one without a body that is JSON stays as it is. */
function rewrite(
  answer: SandboxAnswer,
  spell: (body: unknown, isProblem: boolean) => unknown,
): SandboxAnswer {
  const body = parse(answer);
  if (body === undefined) return answer;
  const isProblem = answer.status >= 400;
  return { ...answer, text: formatJsonWithLongNumbers(spell(body, isProblem)) };
}

function parse({ text }: SandboxAnswer): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the body of a request once, for all that need it. */
async function readOnce({ readBody }: SandboxRequest): Promise<SandboxRequest['readBody']> {
  const body = await readBody();
  return () => body;
}
