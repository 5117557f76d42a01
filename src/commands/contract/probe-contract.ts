// A service without a document: its lists are requested at the contract's paths and at similar ones, and their answers are
// described as an OpenAPI document would describe them. Then it is bound like any other service.
import { lstat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ServiceClient } from '../../api/client.ts';
import { ServiceDialect } from '../../api/binding/dialect.ts';
import { listBindingLines } from '../../api/binding/list-lines.ts';
import { type OperationId, routes } from '../../api/contract/routes.ts';
import { operationShapes } from '../../api/contract/shapes.ts';
import type { WireRequest } from '../../api/contract/types.ts';
import { ForeignAnswerError, ServiceError } from '../../api/errors/errors.ts';
import { deriveBinding } from '../../binding/derive-binding.ts';
import { findNameSense } from '../../binding/vocabulary/senses.ts';
import { vocabularyMeanings } from '../../binding/vocabulary/meanings.ts';
import type { Binding } from '../../model/account/binding.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { withConfiguredAccount } from '../session/account-session.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { formatBindingFile } from './write-binding.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Options of `contract probe`. */
export interface ProbeContractOptions {
  readonly directory: string;
  /** Path of the contract file that the probe writes. */
  readonly out: string;
}

/** Findings of `contract probe`, which finds out by read requests how a service spells the contract. */
export interface ContractProbeResult {
  readonly out: string;
  readonly requests: number;
  /** The path at which each operation answered; null for one that answered nowhere. */
  readonly found: readonly { readonly operation: OperationId; readonly path: string | null }[];
  /** Lines that reads did not show: `operations.createVm`, `fields.sshKey.name`. */
  readonly open: readonly string[];
}

/** Usual names of the number of a page, and of the count of the items before it. */
const usualNumbers = ['page', 'pageNumber', 'page_number', 'pageIndex'];
const usualOffsets = ['offset', 'skip', 'start'];

/** The most requests that `contract probe` sends to the service. */
const mostRequests = 60;

/** Reads to look for, with their word in the vocabulary; lists within a project are read in the first project. */
const sought: readonly (readonly [OperationId, string])[] = [
  ['getLimits', 'limits'],
  ['listProjects', 'project'],
  ['listConfigurations', 'configuration'],
  ['listImages', 'image'],
  ['listTariffs', 'tariff'],
  ['listVms', 'vm'],
  ['listNetworks', 'network'],
  ['listPublicIps', 'publicIp'],
  ['listSshKeys', 'sshKey'],
  ['listOperations', 'operation'],
  ['listSales', 'sale'],
  ['listTokens', 'token'],
  ['getAccount', 'account'],
];

/**
 * Finds the paths of the contract's read operations by trying likely ones, and writes a contract file from the answers.
 * @throws DiagnosticError `file-exists`
 */
export async function probeContract(
  runtime: SessionRuntime,
  { directory, out }: ProbeContractOptions,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<ContractProbeResult> {
  const path = resolve(runtime.cwd, out);
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (exists) {
    throw createCommandRefusal('file-exists', `${out} exists already`, {
      detail:
        'A probe sees less than a document tells, and would open lines that are answered there.',
      hint: 'Give another file by --out.',
    });
  }
  return withConfiguredAccount(
    runtime,
    reporter,
    async ({ connection }) => {
      const probe = new Probe(connection.client);
      const found = await probe.run();
      const binding = openUnseen(probe.describe(), found, probe.unproven);
      const open = listBindingLines(binding).flatMap(({ line, state }) =>
        state === 'open' ? [line] : [],
      );
      await writeFile(path, formatBindingFile(binding, [], undefined), { flag: 'wx' });
      return { out, requests: probe.requests, found, open };
    },
    directory,
  );
}

class Probe {
  requests = 0;
  /** Lists of which no answer showed how they are paged. */
  readonly unproven = new Set<string>();
  /** Query parameters that were seen to lead to another page of a list. */
  readonly #proven = new Set<string>();
  readonly #client: ServiceClient;
  readonly #paths: Record<string, object> = {};
  readonly #seen: OperationId[] = [];
  #projectId: string | undefined;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  async run(): Promise<ContractProbeResult['found']> {
    const found: { operation: OperationId; path: string | null }[] = [];
    for (const [operation, meaning] of sought) {
      found.push({ operation, path: await this.#find(operation, meaning) });
    }
    return found;
  }

  /** Derives the lines of the contract file from a document made of the service's answers. */
  describe(): Binding {
    const document = {
      openapi: '3.1.0',
      info: { title: 'probed', version: '1' },
      paths: this.#paths,
    };
    const { binding } = deriveBinding(document);
    const { default: all, ...own } = binding.lists ?? {};
    if (!all) return binding;
    // A `default` line would also apply to lists that were not seen.
    const lists = this.#seen.filter((operation) => operationShapes[operation].isList);
    const each = Object.fromEntries(lists.map((operation) => [operation, all]));
    return { ...binding, lists: { ...each, ...own } };
  }

  /** Tries likely paths for an operation; the first that answers is returned. */
  async #find(operation: OperationId, meaning: string): Promise<string | null> {
    const { path } = routes[operation];
    const isHeld = operationShapes[operation].params.length > 0;
    if (isHeld && this.#projectId === undefined) return null;
    for (const candidate of [path, ...listNear(path, meaning)]) {
      if (this.requests >= mostRequests) return null;
      const body = await this.#ask(operation, candidate);
      if (body === undefined) continue;
      if (operation === 'listProjects') this.#projectId = findFirstId(body);
      const pages = await this.#findPages(operation, candidate, body);
      this.#seen.push(operation);
      this.#paths[candidate] = describeGet(operation, candidate, { body, query: pages ?? [] });
      if (pages === undefined) this.unproven.add(operation);
      return candidate;
    }
    return null;
  }

  /**
   * Parameters by which a list goes on; none for a complete one. Undefined where that is uncertain: resources on unread pages
   * would count as deleted.
   */
  async #findPages(
    operation: OperationId,
    path: string,
    body: unknown,
  ): Promise<readonly string[] | undefined> {
    const items = findItems(body);
    if (!operationShapes[operation].isList || Array.isArray(body) || !items) return [];
    const first = JSON.stringify(items);
    const own = isJsonObject(body) ? Object.keys(body) : [];
    const sizes = own.filter((name) => findNameSense(name).includes('pageSize'));
    const numbers = own.filter((name) => findNameSense(name).includes('pageNumber'));
    const tried = [...new Set([...this.#proven, ...numbers, ...usualNumbers]), ...usualOffsets];
    if (items.length === 0) return undefined;
    for (const name of tried) {
      const value = usualOffsets.includes(name) ? items.length : 2;
      const next = await this.#ask(operation, path, { [name]: value });
      if (next !== undefined && JSON.stringify(findItems(next)) !== first) {
        this.#proven.add(name);
        return [name, ...sizes];
      }
    }
    return undefined;
  }

  /** Asks the service at a path; undefined where the path does not exist. */
  async #ask(
    operation: OperationId,
    path: string,
    query?: Readonly<Record<string, number>>,
  ): Promise<unknown> {
    if (this.requests >= mostRequests) return undefined;
    this.requests += 1;
    const dialect = new ServiceDialect({
      version: 1,
      operations: { [operation]: `GET ${path}` },
      ...(query && { constants: { [operation]: { query } } }),
    });
    const params = { projectId: this.#projectId ?? '' };
    try {
      const request = { operation, params } as WireRequest;
      return (await this.#client.call(request, { dialect })).body;
    } catch (error) {
      const isElsewhere = error instanceof ServiceError && error.status < 500;
      if (isElsewhere || error instanceof ForeignAnswerError) return undefined;
      throw error;
    }
  }
}

/** Paths that differ in a synonym for their last word, to be tried when the first does not exist. */
function listNear(path: string, meaning: string): readonly string[] {
  const { same = '', near = '' } = vocabularyMeanings[meaning] ?? {};
  const names = [...same.split(', '), ...near.split(', ')].filter((name) => name !== '');
  const head = path.slice(0, path.lastIndexOf('/'));
  const isPlural = path.endsWith('s');
  const paths = names.map((name) => `${head}/${name.replaceAll(' ', '-')}${isPlural ? 's' : ''}`);
  return [...new Set(paths)].filter((one) => one !== path).slice(0, mostNear);
}

/** The most synonyms that are tried for the last word of one path. */
const mostNear = 8;

function findFirstId(body: unknown): string | undefined {
  const items = findItems(body);
  const first = isJsonObject(items?.[0]) ? items[0].id : undefined;
  return typeof first === 'string' || typeof first === 'number' ? String(first) : undefined;
}

function findItems(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  const lists = isJsonObject(body) ? Object.values(body) : [];
  return lists.find((value): value is readonly unknown[] => Array.isArray(value));
}

function describeGet(
  operation: OperationId,
  path: string,
  { body, query }: { readonly body: unknown; readonly query: readonly string[] },
): object {
  const ofQuery = query.map((name) => ({ name, in: 'query', schema: { type: 'integer' } }));
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const parameters = [...ofPath, ...ofQuery];
  const schema = describeValue(body);
  const content = { 'application/json': { schema } };
  return {
    get: {
      operationId: operation,
      parameters,
      responses: { 200: { description: 'Seen.', content } },
    },
  };
}

/** Derives a JSON Schema from an answer. */
function describeValue(value: unknown): object {
  if (value === null) return { type: ['string', 'null'] };
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    // An empty list shows no item, so the schema of its items stays open.
    return { type: 'array', items: items.length === 0 ? {} : describeValue(mergeItems(items)) };
  }
  if (!isJsonObject(value)) return { type: Number.isInteger(value) ? 'integer' : typeof value };
  const properties = Object.entries(value).map(
    ([name, one]) => [name, describeValue(one)] as const,
  );
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** Merges the items of a list into one sample that has the members of all of them. */
function mergeItems(items: readonly unknown[]): unknown {
  const records = items.filter(isJsonObject);
  return records.length === 0 ? (items[0] ?? {}) : Object.assign({}, ...records.toReversed());
}

/**
 * The binding with open questions for operations that reads cannot prove, as changes below a collection at another path.
 * Operations that were not looked for stay as in the contract.
 */
function openUnseen(
  derived: Binding,
  found: ContractProbeResult['found'],
  unproven: ReadonlySet<string>,
): Binding {
  const { operations = {}, ...tables } = derived;
  const moved = found.filter(({ operation, path }) => path !== routes[operation].path);
  const seen = new Set<string>(
    found.flatMap(({ operation, path }) => (path === null ? [] : [operation])),
  );
  const lines: Record<string, string> = {};
  for (const [name, line] of Object.entries(operations)) if (seen.has(name)) lines[name] = line;
  for (const { operation, path } of moved) {
    const { path: ours } = routes[operation];
    for (const [name, route] of Object.entries(routes)) {
      const isBelow = route.path === ours || route.path.startsWith(`${ours}/`);
      if (isBelow && lines[name] === undefined && (name !== operation || path === null)) {
        lines[name] = 'open';
      }
    }
  }
  for (const name of unproven) lines[name] = 'open';
  return { ...tables, operations: lines };
}
