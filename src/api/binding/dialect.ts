// The contract as one service spells it: the only place between the contract's requests and the exchange. Kinds, codecs and
// everything behind them speak the contract, whatever is bound. It must never send what a binding does not place.
import type { BindingAbsence, Binding, ListPaging } from '../../model/account/binding.ts';
import { createdRecordNames } from '../contract/made-records.ts';
import { type OperationId, type Route, routes } from '../contract/routes.ts';
import { operationShapes } from '../contract/shapes.ts';
import type { WireRequest } from '../contract/types.ts';
import { OperationNotBoundError, UnusablePathIdError } from '../errors/errors.ts';
import type { RequiredRequestMember } from '../../model/account/contract-lines.ts';
import type { MissingServiceOperation } from '../../model/account/service-gaps.ts';
import { isUsablePathId } from '../../model/wire/usable-id.ts';
import { writeJsonExactly } from './exact-numbers.ts';
import { findBoundListLine } from '../contract/find-list-line.ts';
import { listBindingGaps, listMissingRecordMembers } from './list-gaps.ts';
import { contractPaging, type ListEnvelope, parseListEnvelope } from './list-envelope.ts';
import {
  parseJsonPointer,
  readAtJsonPointer,
  setObjectMember,
  type JsonPointerSteps,
  copyWithValueAtJsonPointer,
} from './pointer.ts';
import { BindingSpelling } from './spelling.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** A request with method, path and body as this service spells them, where the contract file renames them. */
export interface TranslatedServiceRequest {
  readonly method: Route['method'];
  readonly url: string;
  /** Body of the request as JSON text; undefined for a request without a body. */
  readonly body: string | undefined;
}

/**
 * Page of a list that a request asks for. Only the member is sent by which the service pages that list: the number, the offset or
 * the cursor.
 */
export interface RequestedListPage {
  /** Number of the page to ask for, counted from 1, for services that page by number. */
  readonly page?: number | undefined;
  /** Number of items in the pages before this one, for services that page by offset. */
  readonly offset?: number | undefined;
  /** Cursor that the answer with the previous page gave, for services that page by cursor. */
  readonly cursor?: string | undefined;
  readonly pageSize?: number | undefined;
}

/** HTTP method and path of one operation of this service; the path is relative to the base address. */
interface BoundRoute {
  readonly method: Route['method'];
  readonly path: string;
}

/** The lines of a contract file about one operation, parsed once rather than at each request. */
interface Line {
  readonly route: BoundRoute | BindingAbsence;
  /** Places of parameters and members that the service has elsewhere, by the contract's names. */
  readonly placed: Readonly<Record<string, { readonly in: string; readonly name: string }>>;
  /** Tells whether the operation's body is spelled as in the contract, and so is sent unchanged. */
  readonly isBodyAsOurs: boolean;
  /** Names of the parameters in the operation's path template. */
  readonly inPath: ReadonlySet<string>;
  /** Values that each request of it carries, in its body by place and in its query. */
  readonly constants: {
    readonly body: readonly (readonly [at: JsonPointerSteps, value: unknown])[];
    readonly query: readonly (readonly [name: string, value: string])[];
  };
}

/** Translates requests and answers between the contract and a binding's spelling; without a binding they pass unchanged. */
export class ServiceDialect {
  readonly #binding: Binding;
  readonly #required: readonly RequiredRequestMember[];
  readonly #spelling: BindingSpelling;
  readonly #lines = new Map<OperationId, Line>();
  readonly #lists = new Map<OperationId, ListEnvelope | undefined>();

  /** `required`: what the service requires beyond the contract. */
  constructor(binding: Binding = { version: 1 }, required: readonly RequiredRequestMember[] = []) {
    this.#binding = binding;
    this.#required = required;
    this.#spelling = new BindingSpelling(binding);
  }

  /** Reason why an operation cannot be requested from the service; undefined where it can. */
  lacks(operation: OperationId): BindingAbsence | undefined {
    const { route } = this.#lineOf(operation);
    return typeof route === 'string' ? route : undefined;
  }

  /**
   * Operations that the service lacks or whose place is not known, and those that it would refuse for want of a member that the
   * contract file leaves out.
   */
  listGaps(): readonly MissingServiceOperation[] {
    return listBindingGaps(this.#binding, this.#required);
  }

  /** Members of records that the service lacks, and that no answer has: `vm.imageId`. */
  listLackedMembers(): readonly string[] {
    return listMissingRecordMembers(this.#binding);
  }

  /** Method and path template of an operation at the service, for messages. */
  routeOf(operation: OperationId): BoundRoute {
    const { route } = this.#lineOf(operation);
    return typeof route === 'string' ? routes[operation] : route;
  }

  /** The paging of a list; undefined for one whose answer is all of it. */
  pagingOf(operation: OperationId): ListPaging | undefined {
    const bound = this.#listOf(operation);
    if (bound) return bound.paging.by === 'none' ? undefined : bound.paging;
    return operationShapes[operation].query.includes('page') ? contractPaging : undefined;
  }

  /**
   * A request as the service takes it.
   * @throws OperationNotBoundError for an operation that the service lacks, UnusablePathIdError for an id that would change the path
   */
  write(baseUrl: string, request: WireRequest): TranslatedServiceRequest {
    const { operation } = request;
    const { route, placed, constants } = this.#lineOf(operation);
    if (typeof route === 'string') throw this.#refuse(operation, route);
    const params: Readonly<Record<string, string>> = request.params;
    const values = new Map<string, string>(Object.entries(params));
    const query = new Map<string, string>();
    let body = this.#writeBody(request, values, query);
    for (const [name, value] of Object.entries(params)) {
      const place = placed[name];
      if (place?.in === 'path') values.set(place.name, value);
      else if (place?.in === 'query') query.set(place.name, value);
      else if (place)
        body = copyWithValueAtJsonPointer(
          body,
          parseJsonPointer(place.name),
          this.#writeId(name, value),
        );
    }
    if (request.query) this.#writeQuery(operation, request.query, query);
    for (const [at, value] of constants.body) body = copyWithValueAtJsonPointer(body, at, value);
    for (const [name, value] of constants.query) query.set(name, value);
    const path = fillPath(operation, route, values);
    const search = query.size === 0 ? '' : new URLSearchParams([...query]).toString();
    return {
      method: route.method,
      url: `${baseUrl.replace(/\/+$/, '')}${path}${search && `?${search}`}`,
      body:
        body === undefined
          ? undefined
          : this.#spelling.hasNumbers
            ? writeJsonExactly(body)
            : JSON.stringify(body),
    };
  }

  /** Translates the body of a successful answer from the service's spelling into the contract's. */
  read(operation: OperationId, body: unknown): unknown {
    const { answer: told, isList = false } = operationShapes[operation];
    const answer = told ?? createdRecordNames[operation];
    if (answer === undefined || body === undefined) return body;
    // A command that was accepted is none of the record that it makes.
    if (told === undefined && isJsonObject(body) && Object.hasOwn(body, 'commandId')) return body;
    if (isList) return this.#readList(operation, answer, body);
    const pointer = this.#binding.answers?.[operation];
    return this.#spelling.readRecord(
      answer,
      pointer === undefined ? body : readAtJsonPointer(body, parseJsonPointer(pointer)),
    );
  }

  /** Translates the body of a failed answer from the service's spelling into the contract's. */
  readProblem(body: unknown): unknown {
    return this.#spelling.readRecord('apiProblem', body);
  }

  #refuse(operation: OperationId, why: BindingAbsence): OperationNotBoundError {
    return new OperationNotBoundError(
      { operation, ...routes[operation], url: routes[operation].path },
      why,
    );
  }

  /** The body of a request; members that became a part of its address are put there. */
  #writeBody(
    { operation, body }: Pick<WireRequest, 'operation' | 'body'>,
    path: Map<string, string>,
    query: Map<string, string>,
  ): unknown {
    const record = operationShapes[operation].body;
    if (body === undefined || record === undefined) return body;
    const { placed, inPath, isBodyAsOurs } = this.#lineOf(operation);
    if (isBodyAsOurs) return body;
    const members = this.#spelling.membersOf(record, operation);
    const given = new Map<string, unknown>(Object.entries(body));
    // Most members stand at the top: these are written without a copy for each.
    const top: Record<string, unknown> = {};
    let written: unknown = top;
    let isMoved = false;
    for (const { name, steps, shape, factor } of members) {
      const value = given.get(name);
      given.delete(name);
      if (value === undefined) continue;
      const place = placed[name];
      if (place?.in === 'path' || (!place && inPath.has(name)))
        path.set(place?.name ?? name, toText(value));
      else if (place?.in === 'query') query.set(place.name, toText(value));
      else if (place || steps) {
        const spelled = this.#spelling.writeValue({ shape, factor }, value);
        const at = place ? parseJsonPointer(place.name) : (steps ?? []);
        const [name = ''] = at;
        if (written === top && at.length === 1 && name !== '*') setObjectMember(top, name, spelled);
        else written = copyWithValueAtJsonPointer(written, at, spelled);
        continue;
      }
      isMoved = true;
    }
    // Members that the service sent and the contract does not know go back as they were.
    for (const [name, value] of given) written = copyWithValueAtJsonPointer(written, [name], value);
    // A body from which nothing was left out stays one, though it is empty.
    const isEmpty = written === top && Object.keys(top).length === 0;
    return isEmpty && isMoved ? undefined : written;
  }

  #writeId(param: string, value: string): unknown {
    const of = param.replace(/Id$/, '');
    return this.#spelling.writeValue({ shape: { type: 'id', of }, factor: undefined }, value);
  }

  #writeQuery(operation: OperationId, asked: object, query: Map<string, string>): void {
    const { placed } = this.#lineOf(operation);
    const {
      page,
      offset,
      cursor,
      pageSize,
      ...filters
    }: RequestedListPage & Record<string, unknown> = {
      ...asked,
    };
    for (const [name, value] of Object.entries(filters)) {
      query.set(placed[name]?.in === 'query' ? placed[name].name : name, String(value));
    }
    const paged = this.#writePage(operation, { page, offset, cursor, pageSize });
    for (const [name, value] of paged) query.set(name, String(value));
  }

  #writePage(
    operation: OperationId,
    { page, offset, cursor, pageSize }: RequestedListPage,
  ): readonly (readonly [string, string | number])[] {
    // A list that is not known to be paged, and proved to be, is asked on as the contract's are.
    const paging = this.pagingOf(operation) ?? contractPaging;
    const size = sent(paging.by === 'none' ? undefined : paging.size, pageSize);
    switch (paging.by) {
      case 'page': {
        const number = page === undefined ? undefined : page - 1 + (paging.first ?? 1);
        return [...sent(paging.page, number), ...size];
      }
      case 'offset':
        return [...sent(paging.offset, offset), ...size];
      case 'cursor':
        return [...sent(paging.cursor, cursor), ...size];
      case 'none':
        return [];
    }
  }

  /** A list as the contract has it: a page where its items are counted or wrapped, else the list itself. */
  #readList(operation: OperationId, record: string, body: unknown): unknown {
    const readItems = (items: unknown) =>
      Array.isArray(items) ? items.map((item) => this.#spelling.readRecord(record, item)) : items;
    const bound = this.#listOf(operation);
    if (!bound) {
      if (Array.isArray(body)) return readItems(body);
      const items = readAtJsonPointer(body, ['items']);
      return items === undefined ? body : { ...(body as object), items: readItems(items) };
    }
    const items = readAtJsonPointer(body, bound.items);
    if (items === undefined) return body;
    if (bound.paging.by === 'none' && items !== null) return readItems(items);
    const totalCount = bound.total && readAtJsonPointer(body, bound.total);
    return {
      items: readItems(items),
      totalCount,
      next: bound.next && readAtJsonPointer(body, bound.next),
    };
  }

  #lineOf(operation: OperationId): Line {
    const known = this.#lines.get(operation);
    if (known) return known;
    const { operations = {}, parameters = {}, constants = {} } = this.#binding;
    const isOpenList =
      operationShapes[operation].isList && findBoundListLine(this.#binding, operation) === 'open';
    const bound = parseRoute(operations[operation]) ?? routes[operation];
    // Of a list whose items stand nobody knows where, no answer could be read.
    const route = isOpenList && bound !== 'none' ? 'open' : bound;
    const names = typeof route === 'string' ? [] : route.path.matchAll(parameter);
    const inPath = new Set(Array.from(names, ([, name = '']) => name));
    const { body: record } = operationShapes[operation];
    const members = record === undefined ? [] : this.#spelling.membersOf(record, operation);
    const { body = {}, query = {} } = constants[operation] ?? {};
    const line: Line = {
      route,
      inPath,
      isBodyAsOurs:
        record !== undefined &&
        parameters[operation] === undefined &&
        !members.some(({ name }) => inPath.has(name)) &&
        this.#spelling.isWrittenAsOurs(record, operation),
      constants: {
        body: Object.entries(body).map(([at, value]) => [parseJsonPointer(at), value] as const),
        query: Object.entries(query).map(([name, value]) => [name, String(value)] as const),
      },
      placed: Object.fromEntries(
        Object.entries(parameters[operation] ?? {}).map(([ours, place]) => [
          ours,
          parsePlace(place),
        ]),
      ),
    };
    this.#lines.set(operation, line);
    return line;
  }

  #listOf(operation: OperationId): ListEnvelope | undefined {
    if (this.#lists.has(operation)) return this.#lists.get(operation);
    const { isList = false } = operationShapes[operation];
    const line = isList ? findBoundListLine(this.#binding, operation) : undefined;
    const envelope =
      line === undefined || line === 'open' ? undefined : parseListEnvelope(operation, line);
    this.#lists.set(operation, envelope);
    return envelope;
  }
}

/** A parameter in the template of a path. */
const parameter = /\{([^{}]+)\}/g;

/** A parameter's value as text for a path or a query. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A member of a query, where it has a name and a value. */
function sent<T>(
  name: string | undefined,
  value: T | undefined,
): readonly (readonly [string, T])[] {
  return name === undefined || value === undefined ? [] : [[name, value]];
}

/** The dialect that changes nothing, for a service that spells everything as the contract does. */
export const untranslatedServiceDialect = new ServiceDialect();

/** Reads the route of an operation from a contract file: `GET /path`, `none` or `open`. */
function parseRoute(line: string | undefined): BoundRoute | BindingAbsence | undefined {
  if (line === undefined || line === 'none' || line === 'open') return line;
  const [method = '', path = ''] = line.split(' ');
  return { method: method as Route['method'], path };
}

/** Reads the place of a parameter from a contract file: `path NAME`, `query NAME`, `body POINTER`. */
function parsePlace(line: string): { readonly in: string; readonly name: string } {
  const [kind = '', name = ''] = line.split(' ');
  return { in: kind, name };
}

function fillPath(
  operation: OperationId,
  { method, path: template }: BoundRoute,
  values: ReadonlyMap<string, string>,
): string {
  return template.replaceAll(parameter, (_, name: string) => {
    const value = values.get(name) ?? '';
    if (!isUsablePathId(value)) {
      throw new UnusablePathIdError({ operation, method, url: template }, name, value);
    }
    return encodeURIComponent(value);
  });
}
