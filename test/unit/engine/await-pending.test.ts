import { ServiceClocks } from '../../../src/api/service-clocks.ts';
import { describe, expect, test } from 'vitest';
import type { ServiceClient } from '../../../src/api/client.ts';
import { awaitPendingCreates } from '../../../src/engine/await-pending.ts';
import type { LiveResource } from '../../../src/model/account/live.ts';
import type { LiveOperation } from '../../../src/model/account/operation.ts';
import type { PendingCreate, State } from '../../../src/model/state/state.ts';
import { makeLive } from '../../support/account.ts';
import { refusal } from '../api/fake-service.ts';

const projectId = 'p1';
const live = makeLive({ projects: { [projectId]: { name: 'shop' } } });
const network: LiveResource = {
  kind: 'network',
  id: 'n1',
  projectId,
  name: 'backend',
  status: 'active',
  cidr: null,
};
const pending: PendingCreate = {
  address: 'projects.shop.networks.backend',
  command: { kind: 'createNetwork', project: projectId, name: 'backend' },
  knownIds: [],
  at: 0,
  acceptedAt: 0,
  configured: ['name'],
};
const state: State = {
  ...{ lineage: 'l', serial: 1, service: null, resources: new Map() },
  pending: new Map([[pending.address, pending]]),
};

/** Waits for the network, which lists show from the look of this number on; tells what was read. */
async function wait(shownFrom: number) {
  let now = 0;
  const reads: string[] = [];
  const isShown = () => reads.filter((one) => one.startsWith('list')).length >= shownFrom;
  const awaited = await awaitPendingCreates({
    state,
    client: {
      serviceTime: () => undefined,
      clocks: new ServiceClocks(),
      listOperations: () => Promise.resolve([]),
      list: (kind: string) => {
        reads.push(`list ${kind}`);
        return Promise.resolve(isShown() ? [network] : []);
      },
      // The rest of the client is not asked.
    } as unknown as ServiceClient,
    clock: {
      now: () => now,
      sleep: (ms) => {
        now += ms;
        return Promise.resolve();
      },
    },
    options: { imported: new Set(), removesDoubled: false },
    read: () => {
      reads.push('account');
      return Promise.resolve(isShown() ? { ...live, resources: [network] } : live);
    },
    onWait: () => undefined,
  });
  return { awaited, reads };
}

test('what is waited for is looked for in its own list, and the whole account is read once it shows', async () => {
  const { awaited, reads } = await wait(3);
  expect(reads).toEqual(['account', 'list network', 'list network', 'list network', 'account']);
  expect(awaited.found.map(({ address }) => address)).toEqual([pending.address]);
});

test('what never shows is looked for once more in the whole account', async () => {
  const { awaited, reads } = await wait(Infinity);
  expect(reads.filter((one) => one === 'account').length).toBeLessThanOrEqual(4);
  expect(awaited.found).toEqual([]);
  expect(awaited.findings.map(({ code }) => code)).toEqual(['create-not-seen']);
});

describe('a create whose answer had an id', () => {
  const ips = ['ip-1', 'ip-2'].map((id): LiveResource => ({
    ...{ kind: 'publicIp', id, projectId, status: 'active', address: null, vmId: null },
    createdAt: 1_000,
  }));
  const edge: PendingCreate = {
    ...{ address: 'projects.shop.publicIps.edge', knownIds: [], at: 0, configured: [] },
    command: { kind: 'createPublicIp', project: projectId },
    ...{ serviceAt: 0, acceptedAt: 500, acceptedServiceAt: 500 },
    ...{ answeredId: 'x-1', sightedIds: ['x-1'] },
  };
  const record = (resourceId: string | null, type = 'AllocatePublicIp'): LiveOperation => ({
    ...{ id: 'x-1', type, status: 'Running', resourceType: 'publicIp', resourceId },
    ...{ createdAt: 500, completedAt: null, failureCode: null },
  });

  interface Account {
    readonly onWait?: () => void;
    /** The records of the project. */
    readonly records?: readonly LiveOperation[];
    readonly create?: PendingCreate;
    /** The status that refuses the list of records. */
    readonly refused?: number;
  }

  /** Looks at an account with these public IPs, of which the service has an operation under the answered id. */
  const look = async (
    shown: readonly LiveResource[] | ((now: number) => readonly LiveResource[]),
    getOperation: (now: number) => Promise<LiveOperation | undefined>,
    { onWait, records = [], create = edge, refused }: Account = {},
  ) => {
    const asked: string[] = [];
    let now = 2_000;
    const list = () => (typeof shown === 'function' ? shown(now) : shown);
    const awaited = await awaitPendingCreates({
      state: { ...state, pending: new Map([[create.address, create]]) },
      client: {
        serviceTime: () => 2_000,
        clocks: new ServiceClocks(),
        listOperations: () =>
          refused === undefined ? Promise.resolve(records) : Promise.reject(refusal(refused)),
        list: () => Promise.resolve(list()),
        get: (_kind: string, _place: unknown, id: string) => {
          asked.push(id);
          return Promise.resolve(list().find((one) => one.id === id));
        },
        getOperation: (_project: string, id: string) => {
          asked.push(`operation ${id}`);
          return getOperation(now);
        },
        // The rest of the client is not asked.
      } as unknown as ServiceClient,
      clock: {
        now: () => now,
        sleep: (ms) => {
          now += ms;
          return Promise.resolve();
        },
      },
      options: {},
      onWait,
      read: () => Promise.resolve({ ...live, resources: list() }),
    });
    const { found, missing, absent, findings } = awaited;
    const codes = findings.map(({ code }) => code);
    return { asked, found: found.map(({ id }) => id), missing: missing.length, absent, codes, now };
  };

  test('of an operation that names no resource is looked for as one without an id', async () => {
    const { found, asked } = await look(ips.slice(0, 1), () => Promise.resolve(record(null)));
    expect(found).toEqual(['ip-1']);
    expect(asked).toEqual(['x-1', 'operation x-1']);
  });

  const waits = { onWait: () => undefined };
  const ends =
    (status: string, at = 30_000) =>
    (now: number) =>
      Promise.resolve({ ...record(null), status: now < at ? 'Queued' : status });

  test('of an operation that is open is asked about until it names the resource', async () => {
    const { found, codes, now } = await look(
      (at) => (at < 20_000 ? [] : ips),
      (at) => Promise.resolve(record(at < 30_000 ? null : 'ip-2')),
      waits,
    );
    expect({ found, codes }).toEqual({ found: ['ip-2'], codes: ['create-recognised'] });
    expect(now).toBeLessThan(45_000);
  });

  test('of an operation that is open keeps nothing from being found that shows otherwise', async () => {
    const { found, now } = await look((at) => (at < 20_000 ? [] : ips.slice(1)), ends(''), waits);
    expect(found).toEqual(['ip-2']);
    expect(now).toBeLessThan(30_000);
  });

  test('of an operation that ends without a name is looked for as one without an id', async () => {
    const { codes, now } = await look(ips, ends('Succeeded'), waits);
    // Two could be it, and nothing will tell which.
    expect(codes).toEqual(['ambiguous-create']);
    expect(now).toBeGreaterThanOrEqual(30_000);
    expect(now).toBeLessThan(45_000);
  });

  test('of an operation that stays open is looked for as one without an id in the end', async () => {
    const { codes, now } = await look(ips, ends('Queued'), waits);
    expect(codes).toEqual(['ambiguous-create']);
    expect(now).toBeLessThan(200_000);
  });

  test('of an operation made nothing where this fails, whatever shows', async () => {
    const { found, missing, absent, codes } = await look(
      (at) => (at < 20_000 ? [] : ips),
      ends('Failed', 15_000),
      waits,
    );
    expect({ found, missing, codes }).toEqual({ found: [], missing: 0, codes: [] });
    expect(absent).toMatchObject([{ pending: { address: edge.address }, isSupported: true }]);
  });

  test('of an operation is no reason to take what another operation has made', async () => {
    const theirs = { ...record('ip-1'), id: 'y-1' };
    const { found, missing } = await look(
      (at) => (at < 20_000 ? ips.slice(0, 1) : ips),
      () => Promise.resolve(record(null)),
      { ...waits, records: [theirs, record(null)] },
    );
    expect({ found, missing }).toEqual({ found: ['ip-2'], missing: 0 });
  });

  test.each([403, 404])('is found where the records are refused with %i', async (refused) => {
    const unanswered: PendingCreate = { ...edge };
    Reflect.deleteProperty(unanswered, 'answeredId');
    Reflect.deleteProperty(unanswered, 'sightedIds');
    const none = () => Promise.resolve(undefined);
    const shown = (at: number) => (at < 20_000 ? [] : ips.slice(1));
    const account = { ...waits, create: unanswered, refused };
    expect(await look(shown, none, account)).toMatchObject({ found: ['ip-2'], missing: 0 });
    // What never shows is an error, as where nothing is recorded.
    expect((await look([], none, account)).codes).toEqual(['create-not-seen']);
    await expect(look([], none, { ...account, refused: 503 })).rejects.toThrow('503');
  });

  test('of an operation that an outage hides is asked about again', async () => {
    const { found } = await look(
      ips,
      (at) => (at < 15_000 ? Promise.reject(refusal(503)) : Promise.resolve(record('ip-2'))),
      waits,
    );
    expect(found).toEqual(['ip-2']);
  });

  test('of an operation made the resource that this names', async () => {
    const { found } = await look(ips, () => Promise.resolve(record('ip-2')));
    expect(found).toEqual(['ip-2']);
  });

  test('of a resource that is there is the id of that, whatever operation of somebody else has it', async () => {
    const [ip, theirs] = ips;
    const shown = [{ ...ip!, id: 'x-1' }, theirs!];
    const { found, asked } = await look(shown, () => Promise.resolve(record('ip-2')));
    expect(found).toEqual(['x-1']);
    expect(asked).toEqual(['x-1']);
  });

  test('of an operation is not sought under the id of that', async () => {
    const { asked, missing } = await look([], () => Promise.resolve(record('ip-2')), {
      onWait: () => undefined,
    });
    expect(missing).toBe(1);
    expect([...new Set(asked)]).toEqual(['x-1', 'operation x-1', 'ip-2']);
    expect(asked.filter((one) => one.endsWith('x-1'))).toEqual(['x-1', 'operation x-1']);
  });

  test.each<[string, () => Promise<LiveOperation | undefined>]>([
    ['no operation has', () => Promise.resolve(undefined)],
    ["somebody else's operation has", () => Promise.resolve(record('ip-2', 'Start'))],
    ['the service tells nothing of', () => Promise.reject(refusal(403))],
  ])('that %s is waited for', async (_, getOperation) => {
    const { found, missing } = await look(ips.slice(0, 1), getOperation);
    expect({ found, missing }).toEqual({ found: [], missing: 1 });
  });
});
