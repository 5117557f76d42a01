import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WireNetwork, WireOperation, WireListPage } from '../../src/api/contract/types.ts';
import { countRuns } from '../support/budget/budget.ts';
import { startSandbox, type RunningSandbox } from './sandbox-program.ts';

const kills = countRuns(200, 25);

const workers = 6;
const flags = ['--port', '0', '--quiet', '--speed', '20', '--quotas', 'networks=999999'];

/** What is known of a name: what was answered, or nothing when the answer never came. */
type Knowledge = 'there' | 'gone' | 'unknown';

let data: string;

beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'hostwright-kill-'));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

class Customer {
  readonly #sandbox: RunningSandbox;
  readonly #project: string;

  constructor(sandbox: RunningSandbox, project: string) {
    this.#sandbox = sandbox;
    this.#project = project;
  }

  /** The answer, or undefined when the connection broke. */
  async ask(method: string, path: string, body?: unknown): Promise<Response | undefined> {
    const { baseUrl, token } = this.#sandbox;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    try {
      const response = await fetch(`${baseUrl}/projects${this.#project}${path}`, init);
      await response.clone().arrayBuffer();
      return response;
    } catch {
      return undefined;
    }
  }

  async list<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    let total: number | undefined;
    for (let page = 1; ; page += 1) {
      const response = await this.ask('GET', `${path}?page=${page}&pageSize=100`);
      if (response?.status !== 200) throw new Error(`${path} answered ${response?.status ?? '-'}`);
      const body = (await response.json()) as WireListPage<Item>;
      total ??= body.totalCount;
      // A deletion ended between two pages, and what follows it has moved to the page before.
      if (body.totalCount !== total) return this.list(path);
      items.push(...body.items);
      if (body.items.length === 0 || items.length >= body.totalCount) return items;
    }
  }
}

/** Creates networks and deletes some again, until the connection breaks. */
async function work(
  customer: Customer,
  prefix: string,
  known: Map<string, Knowledge>,
  active: WireNetwork[],
): Promise<number> {
  let answered = 0;
  for (let count = 0; ; count += 1) {
    // Fewer than are made: what is older must be there still, kill after kill.
    const old = count % 3 === 2 ? active.pop() : undefined;
    const name = old?.name ?? `${prefix}-${count}`;
    known.set(name, 'unknown');
    const response = old
      ? await customer.ask('DELETE', `/networks/${old.id}`)
      : await customer.ask('POST', '/networks', { name });
    if (response === undefined) return answered;
    expect(response.status, await response.text()).toBe(202);
    known.set(name, old ? 'gone' : 'there');
    answered += 1;
  }
}

/** What the account says against what was answered. What is being deleted may still be listed. */
function compare(networks: readonly WireNetwork[], known: Map<string, Knowledge>): string[] {
  const found: string[] = [];
  const names = networks.map(({ name }) => name);
  const listed = new Set(names);
  if (listed.size !== names.length) found.push('a network is there twice');
  for (const [name, knowledge] of known) {
    if (knowledge === 'there' && !listed.has(name)) found.push(`${name} is lost`);
  }
  for (const { name, status } of networks) {
    if (!known.has(name)) found.push(`${name} was never asked for`);
    if (known.get(name) === 'gone' && status !== 'deleting') found.push(`${name} came back`);
  }
  return found;
}

it(
  `killed ${kills} times under load: nothing is lost, nothing is doubled`,
  { timeout: 900_000 },
  async () => {
    const known = new Map<string, Knowledge>();
    const found: string[] = [];
    let answered = 0;
    let sandbox = await startSandbox([...flags, '--data', data]);
    const created = await new Customer(sandbox, '').ask('POST', '', { name: 'load' });
    const { id } = (await created?.json()) as { id: string };
    for (let kill = 0; kill < kills; kill += 1) {
      const customer = new Customer(sandbox, `/${id}`);
      const active = (await customer.list<WireNetwork>('/networks')).filter(
        ({ status }) => status === 'active',
      );
      const working = Array.from({ length: workers }, (_, worker) => {
        const share = active.filter((_network, index) => index % workers === worker).slice(0, 8);
        return work(customer, `n${kill}-${worker}`, known, share);
      });
      await sleep(30 + ((kill * 37) % 150));
      await sandbox.end('SIGKILL');
      answered += (await Promise.all(working)).reduce((sum, count) => sum + count, 0);
      sandbox = await startSandbox([...flags, '--data', data]);
      const networks = await new Customer(sandbox, `/${id}`).list<WireNetwork>('/networks');
      found.push(...compare(networks, known).map((what) => `kill ${kill + 1}: ${what}`));
      // What nobody was told is settled by looking.
      for (const [name, knowledge] of known) {
        if (knowledge !== 'unknown') continue;
        const network = networks.find((one) => one.name === name);
        known.set(name, network && network.status !== 'deleting' ? 'there' : 'gone');
      }
    }
    // Every operation goes on after the restart, and ends.
    await sleep(1000);
    const customer = new Customer(sandbox, `/${id}`);
    const networks = await customer.list<WireNetwork>('/networks');
    const records = await customer.list<WireOperation>('/operations');
    expect(found).toEqual([]);
    expect(networks.filter(({ status }) => status !== 'active')).toEqual([]);
    expect(records.filter(({ status }) => status !== 'Succeeded')).toEqual([]);
    const made = records
      .filter(({ type }) => type === 'CreateNetwork')
      .map((one) => one.resourceId);
    const unmade = records.filter(({ type }) => type === 'DeleteNetwork').length;
    expect(new Set(made).size).toBe(made.length);
    expect(made.length - unmade).toBe(networks.length);
    const project = (await (await customer.ask('GET', ''))?.json()) as object;
    expect(project).toMatchObject({ resourceCounts: { networks: networks.length } });
    console.log(`${kills} kills, ${answered} answered changes, ${networks.length} networks left`);
    await sandbox.end('SIGTERM');
  },
);
