// The requests of a bench in the spelling of a dialect, through the engine's own translation: what a test asks and sees is the
// contract's, and the service behind it speaks the dialect.
import { ServiceDialect } from '../../src/api/binding/dialect.ts';
import type { OperationId } from '../../src/api/contract/routes.ts';
import { operationShapes, recordShapes } from '../../src/api/contract/shapes.ts';
import type { WireRequest } from '../../src/api/contract/types.ts';
import { parseJson } from '../../src/api/wire/problem.ts';
import type { ServiceCall } from '../../src/api/wire/caller.ts';
import { readServiceList } from '../../src/api/wire/reading.ts';
import type { Binding } from '../../src/model/account/binding.ts';
import type { Answer, Ask } from './bench.ts';
import { isJsonObject } from '../../src/model/json-object.ts';

/** Sends a request to the service as it stands. */
type Send = (method: string, path: string, ask?: Ask) => Promise<Answer>;

/** A page of the contract, as it answers it unless told otherwise. */
const usualPageSize = 20;

/** The beginning of the sandbox's ids, by the record whose ids they are. */
const prefixes: Readonly<Record<string, string>> = {
  ...{ prj: 'project', key: 'sshKey', net: 'network', ip: 'publicIp', fwd: 'portForward' },
  ...{ vm: 'vm', bak: 'backup', op: 'operation', tok: 'token', ntf: 'notification', sale: 'sale' },
  ...{ cfg: 'configuration', img: 'image', trf: 'tariff' },
};

/** A refusal in place of a page. */
class RefusedPage extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(answer.text);
    this.answer = answer;
  }
}

/** Asks a service that is bound so. */
export class SpelledRequests {
  readonly #binding: Binding;
  readonly #dialect: ServiceDialect;
  readonly #send: Send;

  constructor(binding: Binding, send: Send) {
    this.#binding = binding;
    this.#dialect = new ServiceDialect(binding);
    this.#send = send;
  }

  /** True for what the service does not have at all. */
  lacks(operation: OperationId): boolean {
    return this.#dialect.lacks(operation) !== undefined;
  }

  /** False for a parameter that the service is not told: what stands alone names what holds it. */
  tells(operation: OperationId, name: string): boolean {
    const place = this.#binding.parameters?.[operation]?.[name];
    if (place !== undefined && !place.startsWith('path ')) return true;
    return this.#pathOf(operation).includes(`{${place?.slice('path '.length) ?? name}}`);
  }

  /** False where something of the body goes elsewhere, or something else into it. */
  keepsBody(operation: OperationId): boolean {
    const { params, body = '' } = operationShapes[operation];
    const { constants = {}, parameters = {} } = this.#binding;
    const members = Object.keys(recordShapes[body] ?? {});
    return (
      constants[operation]?.body === undefined &&
      params.every((name) => parameters[operation]?.[name]?.startsWith('body ') !== true) &&
      members.every((name) => !this.#pathOf(operation).includes(`{${name}}`))
    );
  }

  #pathOf(operation: OperationId): string {
    return this.#dialect.routeOf(operation).path;
  }

  /** One request and its answer, both as the contract has them. */
  async ask(operation: OperationId, params: Record<string, string>, ask: Ask): Promise<Answer> {
    const { isList = false } = operationShapes[operation];
    const request = this.#request(operation, params, ask);
    if (!isList) return this.#askOnce(request, ask);
    try {
      return await this.#askForList(request, ask);
    } catch (error) {
      if (error instanceof RefusedPage) return error.answer;
      throw error;
    }
  }

  /** A whole list, as the engine reads it, and of that the page that is asked for. */
  async #askForList(request: WireRequest, ask: Ask): Promise<Answer> {
    const { operation } = request;
    let last: Answer | undefined;
    const call: ServiceCall = async (page) => {
      last = await this.#askOnce(page, { ...ask, query: {} });
      if (last.status !== 200) throw new RefusedPage(last);
      const { method } = this.#dialect.routeOf(operation);
      const sent = { operation, method, url: '' };
      return { request: sent, status: 200, body: last.json, requestId: null, servedAt: undefined };
    };
    const {
      page = 1,
      pageSize = usualPageSize,
      ...filters
    } = { ...request.query } as { page?: number; pageSize?: number };
    const whole = { ...request, query: filters } as WireRequest;
    // An attachment to a network has no id.
    const decode = (item: unknown) => ({ id: JSON.stringify(item), item });
    const all = await readServiceList({ call, dialect: this.#dialect }, { request: whole, decode });
    const items = all.map(({ item }) => item);
    const json = operationShapes[operation].query.includes('page')
      ? {
          items: items.slice((page - 1) * pageSize, page * pageSize),
          ...{ page, pageSize, totalCount: items.length },
        }
      : items;
    if (!last) throw new Error(`${operation} was not asked for.`);
    return { ...last, json, text: JSON.stringify(json) };
  }

  async #askOnce(request: WireRequest, { text, body: given, ...ask }: Ask): Promise<Answer> {
    const { method, url, body } = this.#dialect.write('/v1', request);
    // A value that is no record is no body of the contract: it goes out as it is, to be refused.
    const isNone = given === undefined && this.keepsBody(request.operation);
    const own = isNone ? undefined : body;
    const raw = text ?? (given === undefined || isJsonObject(given) ? own : JSON.stringify(given));
    const answer = await this.#send(method, url, {
      ...ask,
      ...(raw !== undefined && { text: raw }),
    });
    const told = parseJson(answer.text);
    const json =
      answer.status < 300
        ? this.#dialect.read(request.operation, told)
        : this.#dialect.readProblem(told);
    return { ...answer, json: this.#mapIds(json, (id) => this.#toOurs(id)) };
  }

  #request(
    operation: OperationId,
    params: Readonly<Record<string, string>>,
    { query, body }: Ask,
  ): WireRequest {
    const asTheirs = (value: unknown) => this.#mapIds(value, (id) => this.#toTheirs(id));
    const given = isJsonObject(body) ? body : {};
    // A member that is a part of the path here cannot be left out.
    const moved = Object.keys(recordShapes[operationShapes[operation].body ?? ''] ?? {})
      .filter((name) => this.#pathOf(operation).includes(`{${name}}`) && !(name in given))
      .map((name) => [name, `no-${name}`] as const);
    const sent = { ...given, ...Object.fromEntries(moved) };
    return {
      operation,
      params: asTheirs(params),
      query: asTheirs(query),
      ...((isJsonObject(body) || moved.length > 0) && { body: asTheirs(sent) }),
    } as WireRequest;
  }

  /** The same with every id in it replaced; the members and parameters that hold ids end with `id` or `ids`. */
  #mapIds(value: unknown, replace: (id: string) => string, isId = false): unknown {
    if (typeof value === 'string') return isId ? replace(value) : value;
    if (Array.isArray(value)) return value.map((item) => this.#mapIds(item, replace, isId));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        this.#mapIds(member, replace, /^id$|Ids?$/.test(name) && name !== 'commandId'),
      ]),
    );
  }

  /** The number that stands for an id of the sandbox, where the service has numbers. */
  #toTheirs(id: string): string {
    if (!this.#isNumber(id)) return id;
    return BigInt(`0x01${Buffer.from(id).toString('hex')}`).toString();
  }

  /** The id of the sandbox that a number stands for: tests name some as they are in the catalog. */
  #toOurs(id: string): string {
    if (this.#isNumber(id)) throw new Error(`${id} came as a text, and is to be a number.`);
    if (!/^\d{10,}$/.test(id)) return id;
    return Buffer.from(BigInt(id).toString(16).slice(1), 'hex').toString();
  }

  #isNumber(id: string): boolean {
    const { ids = {} } = this.#binding;
    const record = prefixes[/^([a-z]+)-/.exec(id)?.[1] ?? ''];
    return record !== undefined && (ids[record] ?? ids.default) === 'number';
  }
}
