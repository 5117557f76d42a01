// A sandbox on a virtual clock, spoken to through its requests alone. Every answer is held to the contract. Where the run names a
// dialect, the sandbox serves that, and the engine's translation stands between it and the test.

import { TestRunner } from 'vitest';
import { routes, type OperationId } from '../../src/api/contract/routes.ts';
import { operationShapes } from '../../src/api/contract/shapes.ts';
import type { ResponseBody, WireListPage } from '../../src/api/contract/types.ts';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { readBudget } from '../support/budget/budget.ts';
import { openDialect } from '../support/dialects/open-dialect.ts';
import { SpelledRequests } from './spelled-requests.ts';

export interface Ask {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null sends no Authorization header; undefined sends the bench's token. */
  readonly authorization?: string | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed, or undefined when it is not JSON. */
  readonly json: unknown;
}

interface Problem {
  readonly status: number;
  readonly detail: string;
  readonly code?: string;
  readonly errors?: Record<string, string[]>;
}

/** True where a dialect stands between the test and the service: what no translation reaches is not tested there. */
export const isSpelled = readBudget().dialect !== undefined;

export const startOfTime = Date.UTC(2026, 10, 21, 12);

export interface Bench {
  readonly sandbox: Sandbox;
  /** Ids that the path of a request takes when it is not told otherwise. */
  readonly params: Record<string, string>;
  now(): number;
  pass(seconds: number): void;
  ask(operationId: OperationId, ask?: Ask): Promise<Answer>;
  request(method: string, path: string, ask?: Ask): Promise<Answer>;
  /** True for what a service of this spelling does not have. */
  lacks(operationId: OperationId): boolean;
  /** False for a parameter of the path that a service of this spelling is not told. */
  tells(operationId: OperationId, name: string): boolean;
  /** False where the body of this spelling is another one than the contract's. */
  keepsBody(operationId: OperationId): boolean;
  /** The body of a success; fails the test on anything else. */
  get<Op extends OperationId>(operationId: Op, ask?: Ask): Promise<ResponseBody<Op>>;
  /** The problem of a refusal; fails the test when its status is another. */
  refusal(status: number, operationId: OperationId, ask?: Ask): Promise<Problem>;
  /** Every item of a list, paged or not. */
  list<Item>(operationId: OperationId, ask?: Ask): Promise<Item[]>;
}

export type BenchOptions = Partial<SandboxOptions> & { readonly startsAt?: number };

export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  let time = options.startsAt ?? startOfTime;
  const { dialect } = readBudget();
  const binding = dialect === undefined ? undefined : await openDialect(dialect);
  const sandbox = await openSandbox({
    dataFile: ':memory:',
    validateAnswers: true,
    binding,
    ...options,
    now: () => time,
  });
  const params: Record<string, string> = {};

  const request = async (method: string, path: string, ask: Ask = {}): Promise<Answer> => {
    const authorization =
      ask.authorization === undefined ? `Bearer ${sandbox.token}` : ask.authorization;
    const payload = ask.text ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const response = await sandbox.fetch(
      new Request(`http://sandbox${path}`, {
        method,
        headers: {
          ...(authorization !== null && { authorization }),
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...ask.headers,
        },
        ...(payload !== undefined && { body: payload }),
      }),
    );
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: parseOrUndefined(text),
    };
  };

  const spelled = binding && new SpelledRequests(binding, request);
  const ask = (operationId: OperationId, given: Ask = {}): Promise<Answer> => {
    const { method, path } = routes[operationId];
    const ids: Readonly<Record<string, string>> = { ...params, ...given.params };
    if (spelled) {
      const names = operationShapes[operationId].params;
      const wanted = Object.fromEntries(names.map((name) => [name, ids[name] ?? `no-${name}`]));
      // A test of what the service does not have tests nothing there; no id of a sale is known without their list.
      const isUnknown = names.includes('saleId') && !ids.saleId && spelled.lacks('listSales');
      if (spelled.lacks(operationId) || isUnknown) {
        TestRunner.getCurrentTest()?.context.skip(`no ${operationId} here`);
      }
      return spelled.ask(operationId, wanted, given);
    }
    const filled = path.replaceAll(
      /\{(\w+)\}/g,
      (_match, name: string) => ids[name] ?? `no-${name}`,
    );
    const query = new URLSearchParams(
      Object.entries(given.query ?? {}).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
    );
    return request(method, `/v1${filled}${query.size > 0 ? `?${query.toString()}` : ''}`, given);
  };

  const demand = async (operationId: OperationId, given?: Ask): Promise<unknown> => {
    const { status, text, json } = await ask(operationId, given);
    if (status >= 300) throw new Error(`${operationId} answered ${status}: ${text}`);
    return json;
  };

  const bench: Bench = {
    sandbox,
    params,
    now: () => time,
    pass: (seconds) => {
      time += seconds * 1000;
    },
    ask,
    request,
    lacks: (operationId) => spelled?.lacks(operationId) ?? false,
    tells: (operationId, name) => spelled?.tells(operationId, name) ?? true,
    keepsBody: (operationId) => spelled?.keepsBody(operationId) ?? true,
    get: async (operationId, given) => (await demand(operationId, given)) as never,
    refusal: async (status, operationId, given) => {
      const answer = await ask(operationId, given);
      if (answer.status !== status) {
        throw new Error(`${operationId} answered ${answer.status}, not ${status}: ${answer.text}`);
      }
      return answer.json as Problem;
    },
    list: async <Item>(operationId: OperationId, given: Ask = {}) => {
      const items: Item[] = [];
      for (let page = 1; ; page += 1) {
        const query = { ...given.query, page, pageSize: 100 };
        const body = (await demand(operationId, { ...given, query })) as
          Item[] | WireListPage<Item>;
        if (Array.isArray(body)) return body;
        items.push(...body.items);
        if (items.length >= body.totalCount || body.items.length === 0) return items;
      }
    },
  };
  return bench;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const vmRequest = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  imageId: 'img-ubuntu-24-04',
  tariffId: 'trf-monthly',
  configurationId: 'cfg-c2r4d40',
  ...more,
});

export const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFxzGVLPbXK7rO8ICHrIfoSHu4CFi5HGCuyPBEJmLfYw alice';

/** The newest of a list, which a create has just added. */
export async function newest(
  bench: Bench,
  operationId: OperationId,
): Promise<{ id: string; status: string }> {
  const last = (await bench.list<{ id: string; status: string }>(operationId)).at(-1);
  if (!last) throw new Error(`${operationId} lists nothing.`);
  return last;
}

/** A project, and its id as the default of later requests. */
export async function addProject(bench: Bench, name = 'shop'): Promise<string> {
  await bench.get('createProject', { body: { name } });
  bench.params.projectId = (await newest(bench, 'listProjects')).id;
  return bench.params.projectId;
}

/** A bench with a project. */
export async function openProjectBench(options: BenchOptions = {}): Promise<Bench> {
  const bench = await openBench(options);
  await addProject(bench);
  return bench;
}

/** A VM, waited for until it is settled. */
export async function addVm(
  bench: Bench,
  name = 'web',
  more: Record<string, unknown> = {},
): Promise<string> {
  await bench.get('createVm', { body: vmRequest(name, more) });
  bench.pass(60);
  bench.params.vmId = (await newest(bench, 'listVms')).id;
  return bench.params.vmId;
}

/** A network, waited for until it is settled. */
export async function addNetwork(bench: Bench, name = 'backend'): Promise<string> {
  await bench.get('createNetwork', { body: { name } });
  bench.pass(10);
  bench.params.networkId = (await newest(bench, 'listNetworks')).id;
  return bench.params.networkId;
}

/** A public IP, waited for until it is settled. */
export async function addPublicIp(bench: Bench): Promise<string> {
  await bench.get('createPublicIp');
  bench.pass(10);
  bench.params.publicIpId = (await newest(bench, 'listPublicIps')).id;
  return bench.params.publicIpId;
}

/** One of everything, settled; the ids of it all are the defaults of later requests. */
export async function furnish(bench: Bench): Promise<void> {
  await addProject(bench);
  await bench.get('createSshKey', { body: { name: 'alice', publicKey } });
  bench.params.sshKeyId = (await newest(bench, 'listSshKeys')).id;
  await addNetwork(bench);
  await addPublicIp(bench);
  const vmId = await addVm(bench, 'web', { sshKeyIds: [bench.params.sshKeyId] });
  await bench.get('attachVm', { body: { vmId } });
  bench.pass(10);
  const forward = { protocol: 'tcp', publicPort: 443, vmId, vmPort: 8443 };
  await bench.get('createPortForward', { body: forward });
  bench.pass(10);
  bench.params.portForwardId = (await newest(bench, 'listPortForwards')).id;
  await bench.get('createBackup');
  bench.pass(120);
  bench.params.backupId = (await newest(bench, 'listBackups')).id;
  await bench.get('createToken', { body: { name: 'second', scopes: ['read'] } });
  bench.params.tokenId = (await newest(bench, 'listTokens')).id;
  bench.params.operationId = (await newest(bench, 'listOperations')).id;
  bench.params.notificationId = (await newest(bench, 'listNotifications')).id;
  if (!bench.lacks('listSales')) bench.params.saleId = (await newest(bench, 'listSales')).id;
  bench.params.configurationId = 'cfg-c2r4d40';
  bench.params.imageId = 'img-debian-12';
  bench.params.tariffId = 'trf-monthly';
}

/** A bench with one of everything. */
export async function openFurnishedBench(options: BenchOptions = {}): Promise<Bench> {
  const bench = await openBench(options);
  await furnish(bench);
  return bench;
}
