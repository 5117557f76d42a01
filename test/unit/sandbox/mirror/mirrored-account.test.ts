import { whole } from '../../../support/whole.ts';
import { test } from '@fast-check/vitest';
import { describe, expect, onTestFinished } from 'vitest';
import { createServiceClient } from '../../../../src/api/client.ts';
import { exchangeByFetch } from '../../../../src/api/transport/exchange-by-fetch.ts';
import { kindRegistry } from '../../../../src/kinds/registry.ts';
import { readLiveSnapshot } from '../../../../src/live/read-live.ts';
import { addSalesToSnapshot } from '../../../../src/live/add-sales.ts';
import { listSales } from '../../../../src/api/sales.ts';
import type { LiveResource, LiveSnapshot } from '../../../../src/model/account/live.ts';
import { VirtualClock } from '../../../../src/sandbox/clock/virtual-clock.ts';
import type { MirroredOperation } from '../../../../src/sandbox/mirror/mirror-context.ts';
import { openSandbox } from '../../../../src/sandbox/sandbox.ts';
import { makeLive } from '../../../support/account.ts';
import { anyConfig } from '../../../support/arbitrary.ts';
import { prices } from '../../../support/priced.ts';
import { afterApply } from '../../../support/world.ts';
import { countRuns } from '../../../support/budget/budget.ts';

type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

const connect = (sandbox: Sandbox, clock: VirtualClock) =>
  createServiceClient({
    ...{ kinds: kindRegistry, clock, random: () => 0, maxConcurrency: 8 },
    ...{ baseUrl: 'http://copy/v1', token: sandbox.token },
    exchange: exchangeByFetch((request) => sandbox.fetch(request), clock),
  });

/** A sandbox that begins as the copy of an account, with a client of it. */
async function openCopy(live: LiveSnapshot, work: readonly MirroredOperation[] = []) {
  const clock = new VirtualClock();
  const sandbox = await openSandbox({
    ...{ dataFile: ':memory:', now: () => clock.now() },
    account: { live, work },
  });
  onTestFinished(() => sandbox.close());
  const client = connect(sandbox, clock);
  const read = (): Promise<LiveSnapshot> => {
    const scope = { projectIds: live.readProjectIds, projectNames: [] };
    const outside = live.resources.some(({ projectId }) => projectId === 'account');
    const outsideKinds = outside ? (['account', 'accessToken'] as const) : [];
    return clock.run(readLiveSnapshot(client, { ...scope, outsideKinds }));
  };
  return { clock, client, read };
}

/** Everything by id, without what a copy may tell otherwise: when it was made, and what the catalog thinks of room. */
function steady({ projects, resources, limits, nameLengths, catalog }: LiveSnapshot) {
  const strip = (one: LiveResource) => ({ ...one, createdAt: undefined, renewal: undefined });
  const all = [...projects, ...resources].map(strip).sort((a, b) => (a.id < b.id ? -1 : 1));
  const configurations = catalog.configurations.map(({ id, name, cpu }) => ({ id, name, cpu }));
  return { all, limits, nameLengths, catalog: { ...catalog, configurations } };
}

/** The same with an address of its own for each public IP. */
const numberAddresses = (live: LiveSnapshot): LiveSnapshot => ({
  ...live,
  resources: live.resources.map((one, index) =>
    one.kind === 'publicIp' ? { ...one, address: `203.0.113.${index}` } : one,
  ),
});

describe('a copy reads as the account', () => {
  test.prop([anyConfig], { numRuns: countRuns(40) })('for whatever is in it', async (config) => {
    const live = numberAddresses(afterApply(config).live);
    const { read } = await openCopy(live);
    expect(steady(await read())).toEqual(steady(live));
  });

  test('with its prices, and without one where it tells none', async () => {
    const live = makeLive({ catalog: prices });
    const { read } = await openCopy(live);
    expect(steady(await read()).catalog.tariffs).toEqual(prices.tariffs);
  });

  test('with sales under a tariff whose period nobody knows: they end all the same', async () => {
    const config = { p: { vms: { a: { tariff: 'weekly' }, b: { tariff: 'dollars' } } } };
    const { live } = afterApply(config, { catalog: prices });
    const { clock, client } = await openCopy(live);
    await clock.run(clock.sleep(90 * 86_400_000));
    const sales = await clock.run(listSales(client));
    expect(sales.every(({ paidUntil }) => paidUntil !== null && paidUntil > clock.now())).toBe(
      true,
    );
    expect(sales).toHaveLength(2);
  });

  test('with its tokens and settings, and none of ours', async () => {
    const live = makeLive({
      tokens: { 'tok-1': { name: 'first', scopes: ['read'] } },
      account: { locale: 'de-CH', notifications: { operationFailed: false } },
    });
    const { read } = await openCopy(live);
    expect(steady(await read()).all).toEqual(steady(live).all);
  });

  test('with what strangers use, and without limits that it does not tell', async () => {
    const live = makeLive({
      projects: { p: { name: 'demo' }, theirs: { name: 'theirs', isRead: false } },
      quotas: { networks: { limit: 4, used: 3, remaining: 1 }, publicIps: null },
      nameLengths: { vm: null },
      maxSshKeysPerProject: null,
    });
    const { read, client, clock } = await openCopy(live);
    const { limits, nameLengths } = await read();
    expect(limits.quotas.networks).toEqual({ limit: 4, used: 3, remaining: 1 });
    expect(limits.quotas.publicIps).toBeUndefined();
    expect(nameLengths.vm).toBeNull();
    const create = (name: string) =>
      clock.run(client.send({ kind: 'createNetwork', project: 'p', name }));
    await create('last');
    await expect(create('too-many')).rejects.toThrow('quota');
  });

  test('with what sales tell', async () => {
    const live = makeLive({
      projects: { p: { name: 'demo', vms: { v: { name: 'web', renewal: 'cancelled' } } } },
    });
    const { read, client, clock } = await openCopy(live);
    const sold = addSalesToSnapshot(await read(), await clock.run(listSales(client)));
    expect(sold.resources).toMatchObject([{ id: 'v', renewal: 'cancelled' }]);
  });
});

describe('a copy of an account of the same seed', () => {
  test('makes no id and no address that the account has', async () => {
    const clock = new VirtualClock();
    const first = await openSandbox({ dataFile: ':memory:', now: () => clock.now(), seed: 5 });
    const own = connect(first, clock);
    await clock.run(own.send({ kind: 'createProject', name: 'demo' }));
    const [{ id: project } = { id: '' }] = await clock.run(own.listProjects());
    const makeIps = async (client: typeof own) => {
      for (let count = 0; count < 5; count += 1) {
        await clock.run(client.send({ kind: 'createPublicIp', project }));
      }
      await clock.run(clock.sleep(60_000));
      return clock.run(client.list('publicIp', { projectId: project }));
    };
    expect(await makeIps(own)).toHaveLength(5);
    const live = await clock.run(
      readLiveSnapshot(own, { projectIds: [project], projectNames: [] }),
    );
    const account = { live, work: [] };
    const copy = await openSandbox({
      ...{ dataFile: ':memory:', now: () => clock.now(), seed: 5, account },
    });
    const all = await makeIps(connect(copy, clock));
    expect(new Set(all.map(({ id }) => id)).size).toBe(10);
    expect(new Set(all.map(({ address }) => address)).size).toBe(10);
    first.close();
    copy.close();
  });
});

describe('what the service is doing goes on in a copy', () => {
  const busy = (status: string, bootStatus = 'Running', operation?: string) =>
    makeLive({
      projects: {
        p: {
          name: 'demo',
          networks: { n: { name: 'lan' }, m: { name: 'wan' } },
          vms: {
            v: {
              ...{ name: 'web', networks: ['n'], status, bootStatus },
              ...(operation !== undefined && { operation, operationStatus: 'Running' }),
            },
          },
        },
      },
    });
  const workOn = (live: LiveSnapshot, id: string, more: Partial<LiveResource> = {}) => {
    const found = live.resources.find((one) => one.id === id) as LiveResource;
    const now = new VirtualClock().now();
    const becomes = { ...found, ...more } as LiveResource;
    return [{ type: null, since: now - 5_000, endsAt: now + 10_000, becomes }];
  };

  test.each([
    ['creating', 'Starting', { status: 'active', bootStatus: 'Running' }],
    ['updating', 'Stopping', { status: 'active', bootStatus: 'Stopped' }],
    ['active', 'Running', { status: 'active', bootStatus: 'Running' }],
  ])('until a VM that is %s and %s is done', async (status, bootStatus, end) => {
    const live = busy(status, bootStatus);
    const { read, clock, client } = await openCopy(live, workOn(live, 'v'));
    const vmOf = async () => (await read()).resources.find(({ id }) => id === 'v');
    expect(await vmOf()).toMatchObject({
      status,
      bootStatus,
      operationStatus: expect.stringMatching(/^(?:Running|InProgress)$/) as string,
    });
    const stop = () => clock.run(client.send({ kind: 'stopVm', project: 'p', vm: 'v' }));
    await expect(stop()).rejects.toThrow();
    await clock.run(clock.sleep(10_000));
    expect(await vmOf()).toMatchObject({ ...end, operationStatus: 'Succeeded' });
    await expect(stop()).resolves.toBeDefined();
  });

  test('until a VM that is being deleted is gone', async () => {
    const live = busy('deleting');
    const { read, clock } = await openCopy(live, workOn(live, 'v'));
    await clock.run(clock.sleep(10_000));
    expect((await read()).resources.map(({ id }) => id)).toEqual(['n', 'm']);
  });

  test('until a VM is attached to another network', async () => {
    const live = busy('updating');
    const networks = [{ networkId: 'm', internalIp: null }];
    const { read, clock } = await openCopy(live, workOn(live, 'v', { networks }));
    const networksOf = async () => {
      const found = (await read()).resources.find(({ id }) => id === 'v');
      return found?.kind === 'vm' ? whole(found).networks.map(({ networkId }) => networkId) : [];
    };
    expect(await networksOf()).toEqual(['n']);
    await clock.run(clock.sleep(10_000));
    expect(await networksOf()).toEqual(['m']);
  });

  test.each([
    ['network', 'creating', 'active'],
    ['network', 'deleting', undefined],
    ['publicIp', 'creating', 'active'],
    ['publicIp', 'deleting', undefined],
    ['portForward', 'updating', 'active'],
    ['portForward', 'deleting', undefined],
    ['network', 'hibernating', 'active'],
  ])('until a %s that is %s is over', async (kind, status, end) => {
    const inKind = (one: string) => (one === kind ? { status } : {});
    const live = makeLive({
      projects: {
        p: {
          name: 'demo',
          networks: { n: { name: 'lan', ...inKind('network') } },
          publicIps: {
            i: {
              ...inKind('publicIp'),
              forwards:
                kind === 'publicIp'
                  ? {}
                  : { f: { publicPort: 80, vm: 'v', ...inKind('portForward') } },
            },
          },
          vms: { v: { name: 'web' } },
        },
      },
    });
    const id = live.resources.find((one) => one.kind === kind)?.id ?? '';
    const { read, clock } = await openCopy(live, workOn(live, id));
    await clock.run(clock.sleep(10_000));
    const found = (await read()).resources.find((one) => one.id === id);
    expect(found && 'status' in found ? found.status : undefined).toBe(end);
  });
});
