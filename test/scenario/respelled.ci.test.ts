// A service whose answers spell values of the contract otherwise: nothing is made twice, changed or lost by that.
import { describe, expect, test } from 'vitest';
import { drawSome } from '../support/budget/budget.ts';
import { walkPoints } from '../support/budget/walk-points.ts';
import { everyKind } from './every-kind.ts';
import { expectApplied, expectSettled } from './expect-built.ts';
import {
  configure,
  describeFailures,
  findViolations,
  World,
  type Meddle,
  type RunEnd,
} from './world.ts';

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Edits every record in an answer. */
function editRecords(body: unknown, edit: (record: Json) => Json): unknown {
  if (Array.isArray(body)) return body.map((one) => editRecords(one, edit));
  if (!isRecord(body)) return body;
  const entries = Object.entries(body).map(([key, one]) => [key, editRecords(one, edit)] as const);
  return edit(Object.fromEntries(entries));
}

/** A service whose answers to reads have other records, where the path fits. */
const answering =
  (path: RegExp, edit: (record: Json) => Json): Meddle =>
  async (request, pass) => {
    const answer = await pass();
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET' || !answer.ok || !path.test(pathname)) return answer;
    const { status, headers } = answer;
    return Response.json(editRecords(await answer.json(), edit), { status, headers });
  };

const upper = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value);
const changes = (end: RunEnd) =>
  end.kind === 'killed'
    ? ['killed']
    : end.planned.plan.changes
        .filter(({ action }) => action !== 'no-op')
        .map(({ action, address }) => `${action} ${address}`);

test('plugins in upper case are adopted as they are', async () => {
  const world = await World.open();
  const desired = await configure(
    everyKind.replace('power: stopped', 'power: stopped, plugins: [monitoring, backup]'),
  );
  const meddle = answering(/\/vms/, (record) =>
    Array.isArray(record.plugins) ? { ...record, plugins: record.plugins.map(upper) } : record,
  );
  await expectApplied(world, desired);
  await world.loseState();
  const planOptions = { adoptsAll: true };
  expect(changes(await world.apply(desired, { meddle, planOptions }))).toEqual([]);
  expect(changes(await world.apply(desired, { meddle }))).toEqual([]);
  // Another plugin is a change as ever.
  const other = await configure(everyKind.replace('power: stopped', 'plugins: [backup]'));
  const { plan } = await world.plan(other);
  expect(plan.changes.find(({ address }) => address.endsWith('bastion'))?.action).toBe('replace');
});

describe('entries of the catalog', () => {
  const members = ['imageId', 'configurationId', 'tariffId'];
  const respell = (change: (value: string) => string) => (record: Json) =>
    Object.fromEntries(
      Object.entries(record).map(([key, value]) => [
        key,
        members.includes(key) && typeof value === 'string' ? change(value) : value,
      ]),
    );
  const names: Readonly<Record<string, string>> = {
    'img-ubuntu-24-04': 'ubuntu-24.04',
    'img-debian-12': 'debian-12',
    'cfg-c2r4d40': 'c2-r4-d40',
    'cfg-c1r1d20': 'c1-r1-d20',
    'trf-monthly': 'monthly',
  };
  const ways: Readonly<Record<string, Meddle>> = {
    'ids in upper case': answering(
      /\/vms/,
      respell((id) => id.toUpperCase()),
    ),
    'names for ids': answering(
      /\/vms/,
      respell((id) => names[id] ?? `no name of ${id}`),
    ),
    'names in upper case for ids': answering(
      /\/vms/,
      respell((id) => (names[id] ?? `no name of ${id}`).toUpperCase()),
    ),
    'ids in upper case, in the catalog as well': answering(
      /\/(vms|images|configurations|tariffs)/,
      (record) =>
        /^(img|cfg|trf)-/.test(String(record.id))
          ? { ...record, id: upper(record.id) }
          : respell((id) => id.toUpperCase())(record),
    ),
  };

  const made = Object.entries(ways).filter(([way]) => !way.includes('catalog'));

  test.each(made)('as %s: made once, and adopted as they are', async (_, meddle) => {
    const world = await World.open();
    const desired = await configure(everyKind);
    await expectApplied(world, desired, { meddle });
    expect(changes(await world.apply(desired, { meddle }))).toEqual([]);
    await world.loseState();
    const adopted = await world.apply(desired, { meddle, planOptions: { adoptsAll: true } });
    expect(changes(adopted)).toEqual([]);
    expect(changes(await world.apply(desired, { meddle }))).toEqual([]);
    await expectSettled(world, desired);
  });

  test.each(Object.entries(ways))('as %s from now on: no change', async (_, meddle) => {
    const world = await World.open();
    const desired = await configure(everyKind);
    await expectApplied(world, desired);
    expect(changes(await world.apply(desired, { meddle }))).toEqual([]);
    expect(changes(await world.apply(desired))).toEqual([]);
  });

  test.each(made)('as %s: a rebuild happens once', async (_, meddle) => {
    const world = await World.open();
    await expectApplied(world, await configure(everyKind), { meddle });
    const other = await configure(everyKind.replace('ubuntu-24.04', 'debian-12'));
    const rebuilt = await expectApplied(world, other, { meddle });
    expect(changes(rebuilt)).toEqual(['rebuild projects.demo.vms.web']);
    expect(changes(await world.apply(other, { meddle }))).toEqual([]);
  });
});

describe('entries that are shown otherwise, in a catalog that changes', () => {
  const names: Readonly<Record<string, string>> = {
    'img-ubuntu-24-04': 'ubuntu-24.04',
    'img-debian-12': 'debian-12',
  };
  const shows: Readonly<Record<string, (id: string) => string>> = {
    'ids in upper case': (id) => id.toUpperCase(),
    'names for ids': (id) => names[id] ?? id,
  };
  const edits: Readonly<Record<string, (entry: Json) => readonly Json[]>> = {
    withdrawn: () => [],
    'published anew': (entry) => [{ ...entry, id: `${String(entry.id)}-new` }],
    doubled: (entry) => [entry, { ...entry, id: `${String(entry.id)}-new` }],
  };
  /** A service that shows the images of VMs so, and offers these in the place of each of its own. */
  const offering =
    (show: (id: string) => string, edit: (entry: Json) => readonly Json[]): Meddle =>
    async (request, pass) => {
      const answer = await pass();
      if (request.method !== 'GET' || !answer.ok) return answer;
      const { status, headers } = answer;
      const edited = editRecords(await answer.json(), (record) =>
        typeof record.imageId === 'string' ? { ...record, imageId: show(record.imageId) } : record,
      );
      const isCatalog = new URL(request.url).pathname.endsWith('/images') && Array.isArray(edited);
      const body = isCatalog ? edited.filter(isRecord).flatMap(edit) : edited;
      return Response.json(body, { status, headers });
    };
  const cases = Object.keys(shows).flatMap((way) =>
    Object.keys(edits).map((edit) => ({ way, edit })),
  );

  test.each(cases)('$way, each $edit: nothing is changed', async ({ way, edit }) => {
    const [show = String, change = () => []] = [shows[way], edits[edit]];
    const before = offering(show, (entry) => [entry]);
    const after = offering(show, change);
    const world = await World.open();
    // Written otherwise than it is shown.
    const text = way.startsWith('names')
      ? everyKind.replace(/ubuntu-24.04|debian-12/g, (name) => `img-${name.replace('.', '-')}`)
      : everyKind;
    const desired = await configure(text);
    await expectApplied(world, desired, { meddle: before });
    for (const meddle of [after, after, before, after]) {
      const end = await expectApplied(world, desired, { meddle });
      expect(changes(end)).toEqual([]);
      if (end.kind !== 'ended') throw new Error(end.kind);
      expect(end.planned.plan.drift ?? []).toEqual([]);
      await expectApplied(world, desired, { mode: 'refresh', meddle });
    }
    // A change in place keeps the entries that were asked for.
    const renamed = await configure(text.replace('web: { image', 'web: { name: shop, image'));
    expect(changes(await world.apply(renamed, { meddle: after }))).toEqual([
      'update projects.demo.vms.web',
    ]);
    expect(changes(await world.apply(renamed, { meddle: after }))).toEqual([]);
  });

  test('a name that belongs to another image by now: that one, asked for by its id, is a change', async () => {
    const name = 'ubuntu-24.04';
    const world = await World.open();
    const before = offering(shows['names for ids'] ?? String, (entry) => [entry]);
    await expectApplied(world, await configure(everyKind), { meddle: before });
    const after = offering(
      () => name,
      (entry) => (entry.id === 'img-debian-12' ? [{ ...entry, name }] : []),
    );
    const other = await configure(
      everyKind
        .replace('image: ubuntu-24.04', 'image: img-debian-12')
        .replace(/ +bastion:.*\n/, ''),
    );
    const end = await expectApplied(world, other, { meddle: after });
    expect(changes(end)).toContain('rebuild projects.demo.vms.web');
    const vms = (await world.readAccount()).filter(({ kind }) => kind === 'vm');
    expect(vms).toMatchObject([{ imageId: 'img-debian-12' }]);
    expect(changes(await world.apply(other, { meddle: after }))).toEqual([]);
  });
});

describe('operations', () => {
  test('of types and statuses in another case are judged alike', async () => {
    const world = await World.open();
    const meddle = answering(/\/operations/, (record) =>
      'resourceId' in record
        ? Object.fromEntries(
            Object.entries(record).map(([key, one]) => [
              key,
              ['type', 'status', 'failureCode', 'resourceType'].includes(key) ? upper(one) : one,
            ]),
          )
        : record,
    );
    const desired = await configure(everyKind);
    await expectApplied(world, desired, { meddle });
    const other = await configure(
      everyKind
        .replace('networks: [backend] }', 'networks: [backend], rebuild: { backupFirst: true } }')
        .replace('ubuntu-24.04', 'debian-12'),
    );
    await expectApplied(world, other, { meddle });
    expect(changes(await world.apply(other, { meddle }))).toEqual([]);
    await expectSettled(world, other);
  });

  test('answered to creates by their ids, in words that nobody knows, need no time to be told from resources', async () => {
    const world = await World.open();
    const desired = await configure(everyKind);
    const meddle: Meddle = async (request, pass) => {
      const { url, method, headers } = request;
      const answer = await pass();
      if (method !== 'POST' || answer.status !== 202) return answer;
      const list = new URL(url.replace(/(\/projects\/[^/]+).*/, '$1/operations'));
      const listed = await world.sandbox.fetch(new Request(list, { headers }));
      const operations: Json[] = [];
      editRecords(await listed.json(), (record) => {
        if ('resourceId' in record) operations.push(record);
        return record;
      });
      return Response.json({ id: operations[0]?.id, state: 'pending' }, { status: 201 });
    };
    const begunAt = world.time.now();
    await expectApplied(world, desired, { meddle });
    const tookMs = world.time.now() - begunAt;
    const plain = await World.open();
    const plainAt = plain.time.now();
    await expectApplied(plain, desired);
    expect(tookMs).toBeLessThan(plain.time.now() - plainAt + 10_000);
    expect(changes(await world.apply(desired, { meddle }))).toEqual([]);
  });

  /** A service that answers a create with the record of its operation, of which no other word is known. */
  const answerOperations = (record: Json): Meddle => {
    let count = 0;
    return async (request, pass) => {
      const answer = await pass();
      if (request.method !== 'POST' || answer.status !== 202) return answer;
      count += 1;
      return Response.json({ id: `op-${count}`, ...record }, { status: 201 });
    };
  };

  const answers: readonly (readonly [string, Json])[] = [
    ['in our words', { type: 'Provision', status: 'Queued' }],
    ['in words that nobody knows', { state: 'pending' }],
  ];
  const drawn = drawSome(answers, { short: 1, ci: 2 }, 'answers to creates');
  test.each(drawn)(
    'answered to creates, %s: each is made once, also when it is killed',
    async (_, record) => {
      const desired = await configure(everyKind);
      const count = async (world: World) =>
        (await world.readAccount()).filter(({ kind }) => kind === 'publicIp').length;
      const once = await World.open();
      await expectApplied(once, desired, { meddle: answerOperations(record) });
      expect(changes(await once.apply(desired, { meddle: answerOperations(record) }))).toEqual([]);
      expect(await count(once)).toBe(2);
      await walkPoints({ from: 12, every: 9 }, async (killAt) => {
        const world = await World.open();
        const end = await world.apply(desired, { meddle: answerOperations(record), killAt });
        if (end.kind !== 'killed') return { kind: 'past', last: killAt - 1 };
        await world.settle();
        await world.apply(desired, { meddle: answerOperations(record) });
        return { kind: 'tried', faults: (await count(world)) > 2 ? ['another public IP'] : [] };
      });
    },
  );
});

describe('a public IP whose read a lagging replica answers with', () => {
  /** A service whose replica does not know our address for three lists, in a second in which somebody else makes one, too. */
  const lagging = (world: World, status: number) => {
    const seen: { ours: string | undefined; lists: number } = { ours: undefined, lists: 0 };
    const meddle: Meddle = async (request, pass) => {
      const { url, method, headers } = request;
      const listIds = async () => {
        const answer = await world.sandbox.fetch(new Request(url, { headers }));
        const ids: string[] = [];
        editRecords(await answer.json(), (record) => {
          if ('address' in record) ids.push(String(record.id));
          return record;
        });
        return ids;
      };
      const { ours } = seen;
      if (method === 'POST' && url.endsWith('/public-ips')) {
        const again = request.clone();
        await pass();
        [seen.ours] = await listIds();
        // Somebody else makes one in the same second.
        await world.sandbox.fetch(again);
        return Response.json({ id: seen.ours }, { status: 201 });
      }
      if (method !== 'GET' || ours === undefined || !url.includes('/public-ips')) return pass();
      const isLate = seen.lists > 3;
      if (url.endsWith(`/${ours}`)) return isLate ? pass() : Response.json({}, { status });
      seen.lists += 1;
      const answer = await pass();
      if (isLate) return answer;
      const body: unknown = await answer.json();
      const { headers: answered } = answer;
      const shows = (one: unknown) => !isRecord(one) || one.id !== ours;
      const edited = isRecord(body)
        ? { ...body, items: [body.items].flat().filter(shows) }
        : [body].flat().filter(shows);
      return Response.json(edited, { headers: answered });
    };
    return { seen, meddle };
  };
  const edge = 'projects.demo.publicIps.edge';
  const text = 'projects: { demo: { publicIps: { edge: } } }';

  test.each([404, 500])('%i is found by its id', async (status) => {
    const world = await World.open();
    const { seen, meddle } = lagging(world, status);
    await expectApplied(world, await configure(text), { meddle });
    expect(seen.ours).toBeDefined();
    expect(seen.lists).toBeGreaterThan(3);
    expect(world.store.state.resources.get(edge)?.id).toBe(seen.ours);
  });

  test('404 is found by its id also by the run after one that was killed', async () => {
    const desired = await configure(text);
    await walkPoints({ from: 12, every: 1 }, async (killAt) => {
      const world = await World.open();
      const { seen, meddle } = lagging(world, 404);
      const end = await world.apply(desired, { meddle, killAt });
      if (end.kind !== 'killed') return { kind: 'past', last: killAt - 1 };
      const isAnswered = [...world.store.readDisk().values()].join().includes('isAnswered');
      const next = await world.apply(desired, { meddle });
      const found = world.store.state.resources.get(edge)?.id;
      const faults = isAnswered && found !== seen.ours ? [`found ${found}`] : [];
      return { kind: 'tried', faults: [...faults, ...(isAnswered ? describeFailures(next) : [])] };
    });
  });
});

test('ports as texts are told, and their drift is seen', async () => {
  const world = await World.open();
  const meddle = answering(/port-forwards/, (record) => ({
    ...record,
    ...('publicPort' in record && { publicPort: String(record.publicPort) }),
  }));
  const desired = await configure(everyKind);
  await expectApplied(world, desired, { meddle });
  const end = await world.apply(desired, { meddle });
  expect(changes(end)).toEqual([]);
  if (end.kind !== 'ended') throw new Error(end.kind);
  expect(end.planned.plan.findings).toEqual([]);
  const other = await configure(everyKind.replace('publicPort: 443', 'publicPort: 444'));
  expect(changes(await world.apply(other, { meddle }))).toHaveLength(1);
});

test('a list that is answered with 204 although the state knows an item is read singly', async () => {
  const world = await World.open();
  const desired = await configure(everyKind);
  await expectApplied(world, desired);
  const meddle: Meddle = (request, pass) =>
    request.method === 'GET' && /port-forwards$/.test(new URL(request.url).pathname)
      ? Promise.resolve(new Response(null, { status: 204 }))
      : pass();
  expect(changes(await world.apply(desired, { meddle }))).toEqual([]);
});

test.each([
  [404, 'That deleteVm has this path is assumed.'],
  [405, 'That it takes DELETE is assumed.'],
])(
  'a delete that is answered %i while the VM stands says so, and where to go',
  async (status, words) => {
    const world = await World.open();
    await expectApplied(world, await configure(everyKind));
    const meddle: Meddle = (request, pass) =>
      request.method === 'DELETE' && /\/vms\/[^/]+$/.test(new URL(request.url).pathname)
        ? Promise.resolve(Response.json({ title: 'No' }, { status }))
        : pass();
    const fewer = await configure(everyKind.replace(/ +bastion:.*\n/, ''));
    const end = await world.apply(fewer, { meddle });
    const said = describeFailures(end).join();
    expect(said).toContain(words);
    expect(said).toContain('hostwright contract bind');
    // Once the service takes it, it happens.
    await expectApplied(world, fewer);
    await expectSettled(world, fewer);
  },
);

test.each([
  ['accepted', () => new Response(null, { status: 202 })],
  ['unanswered', () => Promise.reject(new TypeError('lost'))],
])('a delete that was %s before it is answered 404 stays open', async (_, first) => {
  const world = await World.open();
  await expectApplied(world, await configure(everyKind));
  let count = 0;
  const meddle: Meddle = async (request, pass) => {
    if (request.method !== 'DELETE' || !/\/vms\/[^/]+$/.test(request.url)) return pass();
    count += 1;
    return count === 1 ? await first() : Response.json({ title: 'No' }, { status: 404 });
  };
  const fewer = await configure(everyKind.replace(/ +bastion:.*\n/, ''));
  const end = await world.apply(fewer, { meddle });
  expect(count).toBe(2);
  expect(describeFailures(end)).not.toEqual([]);
  // The first may be carried out yet: the next run waits for it.
  expect([...(world.store.state.sent ?? new Map()).values()]).toMatchObject([
    { command: { kind: 'deleteVm' } },
  ]);
  await expectApplied(world, fewer);
  await expectSettled(world, fewer);
});

test('a delete that is answered 404 because the VM is gone has come true', async () => {
  const world = await World.open();
  await expectApplied(world, await configure(everyKind));
  const fewer = await configure(everyKind.replace(/ +bastion:.*\n/, ''));
  const meddle: Meddle = async (request, pass) => {
    if (request.method !== 'DELETE' || !request.url.includes('/vms/')) return pass();
    await pass();
    return Response.json({ title: 'Not Found' }, { status: 404 });
  };
  await expectApplied(world, fewer, { meddle });
  await expectSettled(world, fewer);
});

describe('statuses of other words', () => {
  test('what is made ends by its operation record', async () => {
    const world = await World.open();
    const meddle = answering(/\/vms/, (record) => ({
      ...record,
      ...(record.status === 'active' && { status: 'running' }),
      ...(record.bootStatus === 'Running' && { bootStatus: 'On' }),
      ...(record.bootStatus === 'Stopped' && { bootStatus: 'Off' }),
    }));
    const desired = await configure(everyKind);
    const begunAt = world.time.now();
    await expectApplied(world, desired, { meddle });
    expect(world.time.now() - begunAt).toBeLessThan(5 * 60_000);
    await expectSettled(world, desired);
  });

  const words: Readonly<Record<string, string>> = {
    creating: 'provisioning',
    active: 'up',
    updating: 'working',
    deleting: 'removing',
  };
  /** A service that has other words for every status of a resource. */
  const meddle = answering(/\/(vms|networks|public-ips|port-forwards)/, (record) => ({
    ...record,
    ...(typeof record.status === 'string' && { status: words[record.status] ?? record.status }),
  }));

  test('a resource on which no operation is open is not waited for', async () => {
    const world = await World.open();
    const desired = await configure(everyKind);
    await expectApplied(world, desired, { meddle });
    const begunAt = world.time.now();
    const again = await expectApplied(world, desired, { meddle });
    expect(changes(again)).toEqual([]);
    expect(world.time.now() - begunAt).toBeLessThan(60_000);
    const other = await configure(
      everyKind
        .replace('web: { image', 'web: { name: shop, image')
        .replace('power: stopped', 'power: running'),
    );
    const changed = await expectApplied(world, other, { meddle });
    expect(changes(changed)).toHaveLength(2);
    const rebuilt = await configure(everyKind.replace('ubuntu-24.04', 'debian-12'));
    await expectApplied(world, rebuilt, { meddle });
    await expectApplied(world, await configure('projects: { demo: }'), { meddle });
    expect(world.time.now() - begunAt).toBeLessThan(15 * 60_000);
    await expectSettled(world, await configure('projects: { demo: }'));
  });

  test('a plan stays the same whether or not its records can be read', async () => {
    const world = await World.open();
    const desired = await configure(everyKind);
    await expectApplied(world, desired, { meddle });
    const withhold: Meddle = async (request, pass) => {
      const isRecords = new URL(request.url).pathname.endsWith('/operations');
      return isRecords ? Response.json({}, { status: 403 }) : await meddle(request, pass);
    };
    const digests: unknown[] = [];
    for (const one of [meddle, withhold]) {
      const end = await world.apply(desired, { meddle: one });
      if (end.kind !== 'ended') throw new Error(end.kind);
      digests.push(end.planned.fingerprints().live);
    }
    expect(digests[1]).toBe(digests[0]);
  });

  test('a run that was killed at any point is gone on with', async () => {
    const desired = await configure(everyKind);
    await walkPoints({ from: 12 }, async (killAt) => {
      const world = await World.open();
      const end = await world.apply(desired, { meddle, killAt });
      if (end.kind !== 'killed') return { kind: 'past', last: killAt - 1 };
      const begunAt = world.time.now();
      const next = await world.apply(desired, { meddle });
      const tookMs = world.time.now() - begunAt;
      const isLate = tookMs > 10 * 60_000 ? [`took ${tookMs} ms`] : [];
      await world.settle();
      const faults = [
        ...describeFailures(next),
        ...isLate,
        ...(await findViolations(world, desired)),
      ];
      return { kind: 'tried', faults };
    });
  });

  test('an operation of somebody else is waited for, and then its end', async () => {
    const world = await World.open();
    const desired = await configure(everyKind);
    await expectApplied(world, desired, { meddle });
    const vm = (await world.readAccount()).find((one) => one.kind === 'vm' && one.name === 'web');
    if (!vm) throw new Error('no VM');
    const { projectId: project } = vm;
    await world.time.run(world.connect().send({ kind: 'rebootVm', project, vm: vm.id }, {}));
    const other = await configure(everyKind.replace('web: { image', 'web: { name: shop, image'));
    const locks: unknown[] = [];
    const begunAt = world.time.now();
    await expectApplied(world, other, {
      meddle: answering(/\/vms/, (record) => ({
        ...record,
        ...('bootStatus' in record && { status: 'up', operation: null, operationStatus: null }),
      })),
      onEvent: (event) => {
        if (event.kind === 'progress' && event.lock) locks.push(event.lock.by);
      },
    });
    expect(locks).toMatchObject([{ kind: 'operation', type: 'Reboot' }]);
    expect(world.time.now() - begunAt).toBeLessThan(5 * 60_000);
    await expectSettled(world, other);
  });

  test('a change of which no record comes ends by what is shown', async () => {
    const world = await World.open();
    const desired = await configure(everyKind);
    await expectApplied(world, desired, { meddle });
    const other = await configure(everyKind.replace('power: stopped', 'power: running'));
    const begunAt = world.time.now();
    await expectApplied(world, other, {
      meddle: async (request, pass) => {
        const isRecords = new URL(request.url).pathname.endsWith('/operations');
        return isRecords ? Response.json([]) : await meddle(request, pass);
      },
    });
    expect(world.time.now() - begunAt).toBeLessThan(3 * 60_000);
    await expectSettled(world, other);
  });

  test('what was changed outside is seen', async () => {
    const world = await World.open();
    const desired = await configure(everyKind);
    await expectApplied(world, desired, { meddle });
    const vm = (await world.readAccount()).find(({ kind }) => kind === 'vm');
    if (!vm) throw new Error('no VM');
    const { projectId: project } = vm;
    await world.time.run(
      world.connect().send({ kind: 'renameVm', project, vm: vm.id, name: 'other' }, {}),
    );
    const end = await world.apply(desired, { meddle });
    if (end.kind !== 'ended') throw new Error(end.kind);
    expect(end.planned.plan.drift).toMatchObject([{ id: vm.id, names: ['name'] }]);
  });
});
