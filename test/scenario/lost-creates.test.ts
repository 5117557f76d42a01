import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../../src/api/contract/types.ts';
import type { LiveResource } from '../../src/model/account/live.ts';
import { openMemoryState } from '../../src/state/memory-store.ts';
import {
  configure,
  describeFailures,
  findViolations,
  World,
  type Meddle,
  type RunEnd,
} from './world.ts';
import { drawSome } from '../support/budget/budget.ts';
import { expectApplied, expectBuilt, expectSettled } from './expect-built.ts';

const minute = 60_000;
const vm = 'projects.demo.vms.web';
const yaml = `
projects:
  demo:
    vms: { web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly } }
`;

const isVmCreate = ({ method, url }: Request) => method === 'POST' && /\/vms$/.test(url);
const isVmList = ({ method, url }: Request) => method === 'GET' && /\/vms(\?|$)/.test(url);
const isRecords = ({ method, url }: Request) => method === 'GET' && url.includes('/operations');
const isAnyCreate = ({ method, url }: Request) =>
  method === 'POST' && /\/(projects|vms|networks|public-ips|ssh-keys)$/.test(url);

function brokenConnection(): Error {
  const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

const withStatus = (status: number, headers: Record<string, string> = {}) =>
  new Response('', { status, headers });

/** Meddles with the first request that fits, once. */
function once(fits: (request: Request) => boolean, what: Meddle): Meddle {
  let isDone = false;
  return (request, pass) => {
    if (isDone || !fits(request)) return pass();
    isDone = true;
    return what(request, pass);
  };
}

/** The request arrives after so many milliseconds, and its sender hears that the connection broke. */
const carriedOutLate =
  (world: World, ms: number): Meddle =>
  (request) => {
    const late = request.clone();
    void world.time
      .openClock()
      .sleep(ms)
      .then(() => world.sandbox.fetch(late));
    return Promise.reject(brokenConnection());
  };

/** Lists (not single reads) that fit stay as they were at the first of them, until so many milliseconds have passed. */
function lagging(world: World, fits: (request: Request) => boolean, ms: number): Meddle {
  const frozen = new Map<string, { text: string; until: number }>();
  return async (request, pass) => {
    if (!fits(request)) return pass();
    const now = world.time.now();
    const known = frozen.get(request.url);
    if (known && now < known.until) return Response.json(JSON.parse(known.text));
    const response = await pass();
    if (!known) frozen.set(request.url, { text: await response.clone().text(), until: now + ms });
    return response;
  };
}

/** Creates of VMs are accepted, and nothing comes of them. */
const swallowed: Meddle = (request, pass) =>
  isVmCreate(request)
    ? Promise.resolve(Response.json({ commandId: 'c-1' }, { status: 202 }))
    : pass();

/** Several at once: the first that fits carries the request. */
const both =
  (one: Meddle, other: Meddle): Meddle =>
  (request, pass) =>
    one(request, () => other(request, pass));

const noticesOf = (end: RunEnd): string[] => {
  if (end.kind === 'killed') return [];
  const findings =
    end.kind === 'refused' ? end.planned.plan.findings : (end.summary.findings ?? []);
  return findings.map(({ severity, code }) => `${severity} ${code}`);
};
const plannedOf = (end: RunEnd): string[] =>
  end.kind === 'killed'
    ? []
    : end.planned.plan.findings.map(({ severity, code }) => `${severity} ${code}`);
const resultOf = (end: RunEnd, address = vm): string => {
  if (end.kind !== 'ended') return end.kind;
  const result = end.summary.changes.find((one) => one.address === address)?.result;
  return result && 'diagnostic' in result
    ? `${result.kind}: ${result.diagnostic.code}`
    : (result?.kind ?? 'none');
};

const openWorld = async (): Promise<World> => World.open({ variant: 'loose' });

/** The world with its project there, so that the next create is that of the VM. */
async function withProject(more = ''): Promise<World> {
  const world = await openWorld();
  const { length } = describeFailures(
    await world.apply(await configure(`\nprojects:\n  demo:${more === '' ? ' {}' : more}\n`)),
  );
  if (length > 0) throw new Error('the project was not made');
  return world;
}

const vmsOf = async (world: World) =>
  (await world.readAccount()).filter(({ kind }) => kind === 'vm');

/** A person in the console does something, at once. */
async function byHand(world: World, request: (project: string) => WireRequest): Promise<void> {
  const project = (await world.readAccount()).find(
    ({ kind }) => kind === 'project',
  ) as LiveResource;
  await world.time.run(world.connect().call(request(project.id)));
}

/** A person in the console gives the only VM another name. @returns the VM */
async function renameByHand(world: World): Promise<LiveResource> {
  const [made] = await vmsOf(world);
  if (!made) throw new Error('no VM');
  await byHand(world, (projectId) => ({
    operation: 'renameVm',
    params: { projectId, vmId: made.id },
    body: { name: 'by-hand' },
  }));
  return made;
}

const foreignVm = (project: string): WireRequest => ({
  operation: 'createVm',
  params: { projectId: project },
  body: {
    name: 'web',
    imageId: 'img-debian-12',
    configurationId: 'cfg-c1r1d20',
    tariffId: 'trf-monthly',
  },
});

describe('a create whose answer was lost', () => {
  test.each(drawSome([5, 30, 50, 58], 1, 'late creates'))(
    'and that is carried out %i s late is found, not made again',
    async (seconds) => {
      const desired = await configure(yaml.replace('monthly', 'monthly, publicIp: new'));
      const world = await withProject();
      const meddle = once(isVmCreate, carriedOutLate(world, seconds * 1_000));
      const told: string[] = [];
      await expectApplied(world, desired, {
        meddle,
        onDiagnostics: (diagnostics) => told.push(...diagnostics.map(({ code }) => code)),
      });
      expect(told).toEqual(['create-recognised']);
      await expectSettled(world, desired);
    },
  );

  test('a project that was made just now is not listed before something is made in it, unless its answer was lost', async () => {
    const listsBefore = async (meddle: Meddle) => {
      const world = await World.open();
      const seen: string[] = [];
      const watch: Meddle = (request, pass) => {
        if (isVmList(request)) seen.push('list');
        if (isVmCreate(request)) seen.push('create');
        return meddle(request, pass);
      };
      await expectApplied(world, await configure(yaml), { meddle: watch });
      return seen.slice(0, seen.indexOf('create'));
    };
    const isProjectCreate = ({ method, url }: Request) =>
      method === 'POST' && url.endsWith('/projects');
    const isCut: Meddle = async (_, pass) => {
      await pass();
      throw brokenConnection();
    };
    expect(await listsBefore((_, pass) => pass())).toEqual([]);
    expect(await listsBefore(once(isProjectCreate, isCut))).toEqual(['list']);
  });

  test('and that hung until our timeout is looked for twice as long', async () => {
    const desired = await configure(yaml);
    const world = await withProject();
    const hang: Meddle = async (request) => {
      const late = request.clone();
      await world.time.openClock().sleep(110_000);
      return world.sandbox.fetch(late);
    };
    await expectApplied(world, desired, { meddle: once(isVmCreate, hang) });
    await expectSettled(world, desired);
  });

  test.each(drawSome([90, 240, 600, 3_000], 1, 'creates after a second request'))(
    'and that is carried out %i s late, after it was sent again: both are told, and one goes when asked',
    async (seconds) => {
      const desired = await configure(yaml);
      const world = await withProject();
      const meddle = once(isVmCreate, carriedOutLate(world, seconds * 1_000));
      await expectApplied(world, desired, { meddle });
      await world.settle(seconds * 1_000);
      expect(await vmsOf(world)).toHaveLength(2);
      const [managed] = [...(await world.store.reopen()).state.resources.values()].filter(
        ({ address }) => address === vm,
      );
      const refused = await world.apply(desired);
      expect(plannedOf(refused)).toContain('error create-doubled');
      const finding =
        refused.kind === 'refused' &&
        refused.planned.plan.findings.find(({ code }) => code === 'create-doubled');
      for (const { id } of await vmsOf(world)) expect(JSON.stringify(finding)).toContain(id);
      await expectApplied(world, desired, { planOptions: { removesDoubled: true } });
      expect((await vmsOf(world)).map(({ id }) => id)).toEqual([managed?.id]);
      expect(await findViolations(world, desired)).toEqual([]);
    },
  );

  test('is sent again with a warning where the service records nothing', async () => {
    const desired = await configure(yaml);
    const world = await withProject();
    const lost = once(isVmCreate, () => Promise.reject(brokenConnection()));
    const noRecords: Meddle = (request, pass) =>
      isRecords(request) ? Promise.resolve(Response.json([])) : pass();
    const end = await expectApplied(world, desired, { meddle: both(noRecords, lost) });
    expect(noticesOf(end)).toEqual(['warning may-be-doubled']);
    expect(await findViolations(world, desired)).toEqual([]);
  });

  test('is sent again without a word where records and lists agree that it was not made', async () => {
    const world = await withProject('\n    networks: { lan: }');
    const lost = once(isVmCreate, () => Promise.reject(brokenConnection()));
    const wanted = await configure(yaml.replace('    vms', '    networks: { lan: }\n    vms'));
    const startedAt = world.time.now();
    const end = await expectApplied(world, wanted, { meddle: lost });
    expect(noticesOf(end)).toEqual([]);
    expect(world.time.now() - startedAt).toBeGreaterThan(minute);
  });

  test('is sent again at once where it never left', async () => {
    const desired = await configure(yaml);
    const world = await withProject();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const refused = once(isVmCreate, () =>
      Promise.reject(new TypeError('fetch failed', { cause })),
    );
    const startedAt = world.time.now();
    await expectApplied(world, desired, { meddle: refused });
    expect(world.time.now() - startedAt).toBeLessThan(minute);
    expect(await findViolations(world, desired)).toEqual([]);
  });

  test('is looked for twenty times as long as the slowest create took to show here', async () => {
    const world = await World.open({ variant: 'strict' });
    // A network takes 10 s to show, by its record: so the VM is looked for over 200 s.
    const slow = lagging(
      world,
      ({ method, url }) => method === 'GET' && /\/networks(\?|$)/.test(url),
      20_000,
    );
    const first = await configure('\nprojects:\n  demo:\n    networks: { lan: }\n');
    await expectApplied(world, first, { meddle: slow });
    const wanted = await configure(yaml.replace('    vms', '    networks: { lan: }\n    vms'));
    const late = once(isVmCreate, carriedOutLate(world, 180_000));
    await expectApplied(world, wanted, { meddle: late });
    await expectSettled(world, wanted);
  });

  test.each(drawSome([500, 502, 503, 504], 2, 'failures of a create'))(
    'since the service carried it out and answered %i is made once',
    async (status) => {
      for (const headers of [{}, { 'retry-after': '3' }]) {
        const world = await openWorld();
        const answered: Meddle = async (_request, pass) => {
          await pass();
          return withStatus(status, headers);
        };
        const seen = new Set<string>();
        const meddle: Meddle = (request, pass) => {
          const { pathname } = new URL(request.url);
          if (!isAnyCreate(request) || seen.has(pathname)) return pass();
          seen.add(pathname);
          return answered(request, pass);
        };
        await expectBuilt(world, await configure(yaml), { meddle });
      }
    },
  );

  test('and whose second request a quota refuses is found when it shows', async () => {
    const desired = await configure(yaml);
    const world = await withProject();
    let late: Request | undefined;
    const meddle: Meddle = (request, pass) => {
      if (!isVmCreate(request)) return pass();
      if (!late) {
        late = request.clone();
        return Promise.reject(brokenConnection());
      }
      const arrives = late;
      void world.time
        .openClock()
        .sleep(20_000)
        .then(() => world.sandbox.fetch(arrives));
      const problem = { title: 'Quota exceeded', detail: 'The quota of cores is exceeded' };
      return Promise.resolve(Response.json(problem, { status: 403 }));
    };
    await expectApplied(world, desired, { meddle });
    await expectSettled(world, desired);
  });

  test('and whose second request a quota refuses is looked for by the next run', async () => {
    const desired = await configure(yaml);
    const world = await withProject();
    let late: Request | undefined;
    const meddle: Meddle = (request, pass) => {
      if (!isVmCreate(request)) return pass();
      late ??= request.clone();
      if (late.bodyUsed) return pass();
      const isFirst = world.requests > 0 && !isAgain;
      isAgain = true;
      if (isFirst) return Promise.reject(brokenConnection());
      const problem = { title: 'Quota exceeded', detail: 'The quota of cores is exceeded' };
      return Promise.resolve(Response.json(problem, { status: 403 }));
    };
    let isAgain = false;
    const end = await world.apply(desired, { meddle });
    expect(resultOf(end)).toMatch(/^unknown: /);
    await world.time.run(Promise.resolve(world.sandbox.fetch(late as Request)));
    const next = await expectApplied(world, desired);
    expect(plannedOf(next)).toContain('note create-recognised');
    await expectSettled(world, desired);
  });
});

describe('a create that the service accepted', () => {
  test.each([30, 100])(
    'before the run was killed is waited for while lists lag %i s',
    async (seconds) => {
      const desired = await configure(yaml);
      const world = await withProject();
      const killed = await world.apply(desired, {
        meddle: lagging(world, isVmList, seconds * 1_000),
        onStep: killAfterAcceptance(world),
      });
      expect(killed.kind).toBe('killed');
      const start = world.time.now();
      const stale = lagUntil(world, isVmList, start + seconds * 1_000);
      const next = await expectApplied(world, desired, { meddle: stale });
      expect(plannedOf(next)).toContain('note create-recognised');
      await expectSettled(world, desired);
    },
  );

  test('is looked for the more rarely, the longer it does not show', async () => {
    const desired = await configure(yaml);
    const world = await withProject();
    await world.apply(desired, { meddle: swallowed, onStep: killAfterAcceptance(world) });
    const lists: number[] = [];
    const noted: Meddle = (request, pass) => {
      if (isVmList(request)) lists.push(world.time.now());
      return pass();
    };
    const start = world.time.now();
    const refused = await world.apply(desired, { meddle: noted });
    expect(plannedOf(refused)).toContain('error create-not-seen');
    expect(world.time.now() - start).toBeGreaterThan(minute);
    const pauses = lists.map((at, index) => at - (lists[index - 1] ?? start));
    expect(Math.max(...pauses)).toBeGreaterThan(4_000);
    expect(lists.length).toBeLessThan((world.time.now() - start) / 2_000);
  });

  test('and that never shows is never created again by itself, until a person says that it is gone', async () => {
    const desired = await configure(yaml);
    const world = await withProject();
    expect(resultOf(await world.apply(desired, { meddle: swallowed }))).toBe(
      'unknown: create-not-seen',
    );
    for (let run = 0; run < 3; run += 1) {
      const refused = await world.apply(desired);
      expect(refused.kind).toBe('refused');
      expect(plannedOf(refused)).toContain('error create-not-seen');
      await world.settle(10 * minute);
    }
    expect(await vmsOf(world)).toEqual([]);
    await world.store.record({ kind: 'abandoned', address: vm, reason: 'by hand' });
    await expectBuilt(world, desired);
  });
});

test('an SSH key whose answer does not name it is recognised, and that is told', async () => {
  const desired = await configure(`
projects:
  demo:
    sshKeys: { alice: { publicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAlice00000000000000000000000000000000000 a } }
`);
  const world = await withProject();
  const isKeyCreate = ({ method, url }: Request) => method === 'POST' && url.endsWith('/ssh-keys');
  const nameless = once(isKeyCreate, async (_request, pass) => {
    await pass();
    return withStatus(201);
  });
  const told: string[] = [];
  await expectApplied(world, desired, {
    meddle: nameless,
    onDiagnostics: (diagnostics) => told.push(...diagnostics.map(({ code }) => code)),
  });
  expect(told).toEqual(['create-recognised']);
});

describe('what a person made', () => {
  test.each<[string, (project: string) => WireRequest, string]>([
    ['a VM of another size', foreignVm, yaml],
    [
      'an SSH key with another public key',
      (projectId) => ({
        operation: 'createSshKey',
        params: { projectId },
        body: {
          name: 'alice',
          publicKey:
            'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBob+else0000000000000000000000000000000 b',
        },
      }),
      `
projects:
  demo:
    sshKeys: { alice: { publicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAlice00000000000000000000000000000000000 a } }
`,
    ],
  ])(
    '%s of the same name after a kill is not taken for ours, and not touched',
    async (_what, request, text) => {
      const desired = await configure(text);
      const world = await withProject();
      const killed = await world.apply(desired, {
        meddle: (incoming, pass) => (isAnyCreate(incoming) ? new Promise(() => undefined) : pass()),
        onStep: killBeforeSending(),
      });
      expect(killed.kind).toBe('killed');
      await world.settle(20_000);
      await byHand(world, request);
      await world.settle(minute);
      const before = await world.readAccount();
      const next = await world.apply(desired);
      expect(next.kind).toBe('refused');
      expect(plannedOf(next)).toContain('error name-taken');
      expect(await world.readAccount()).toEqual(before);
    },
  );

  test('while a dropped create is looked for is not taken for ours, and no second one of its name is made', async () => {
    const world = await withProject();
    const meddle = once(isVmCreate, (request) => {
      const { pathname } = new URL(request.url);
      const project = pathname.split('/')[3] ?? '';
      void world.time
        .openClock()
        .sleep(5_000)
        .then(() => world.connect().call(foreignVm(project)));
      return Promise.reject(brokenConnection());
    });
    const end = await world.apply(await configure(yaml), { meddle });
    expect(resultOf(end)).toBe('failed: name-taken');
    expect(await vmsOf(world)).toMatchObject([{ configurationId: 'cfg-c1r1d20' }]);
  });

  test('before the create, hidden by a list that lags, is not taken for ours', async () => {
    const world = await withProject();
    await byHand(world, (projectId) => ({
      operation: 'createVm',
      params: { projectId },
      body: {
        ...{ name: 'web', imageId: 'img-ubuntu-24-04' },
        ...{ configurationId: 'cfg-c2r4d40', tariffId: 'trf-monthly' },
      },
    }));
    const [foreign] = await vmsOf(world);
    await world.settle(minute);
    // Plan and wave list are from before it came; the request is dropped.
    const hidden: Meddle = async (request, pass) => {
      if (!isVmList(request) || world.time.now() > hiddenUntil) return pass();
      return Response.json([]);
    };
    const hiddenUntil = world.time.now() + 10_000;
    const meddle = both(
      hidden,
      once(isVmCreate, () => Promise.reject(brokenConnection())),
    );
    const end = await world.apply(await configure(yaml), { meddle });
    expect(resultOf(end)).toBe('failed: name-taken');
    expect(await vmsOf(world)).toMatchObject([{ id: foreign?.id }]);
  });
});

test("what an earlier create made late is not said to be somebody else's where it stands in the way", async () => {
  const desired = await configure(yaml);
  const world = await World.open();
  let posts = 0;
  // Until it is sent a second time, nothing shows of the first.
  const meddle: Meddle = async (request, pass) => {
    if (isVmCreate(request)) posts += 1;
    if (posts === 1 && isVmCreate(request)) {
      await pass();
      throw brokenConnection();
    }
    return posts < 2 && (isVmList(request) || isRecords(request)) ? Response.json([]) : pass();
  };
  const killed = await world.apply(desired, {
    meddle,
    onStep: ({ kind }) => (kind === 'answer' && posts > 0 ? 'kill' : 'go'),
  });
  expect(killed.kind).toBe('killed');
  await world.settle(10 * minute);
  const end = await world.apply(desired, { meddle });
  expect(posts).toBe(2);
  expect(resultOf(end)).toBe('unknown: perhaps-ours');
  await world.settle(minute);
  await expectBuilt(world, desired);
});

test('addresses that somebody allocates while ours is looked for are not taken for the next one either', async () => {
  const desired = await configure(`
projects:
  demo:
    publicIps: { edge: {}, side: {} }
`);
  const world = await withProject();
  const isIpCreate = ({ method, url }: Request) => method === 'POST' && /\/public-ips$/.test(url);
  const allocate = (projectId: string): WireRequest => ({
    operation: 'createPublicIp',
    params: { projectId },
  });
  let sent = 0;
  const end = await world.apply(desired, {
    parallelism: 2,
    meddle: async (request, pass) => {
      if (!isIpCreate(request)) return pass();
      sent += 1;
      if (sent > 2) return pass();
      const project = new URL(request.url).pathname.split('/')[3] ?? '';
      if (sent === 1) {
        await world.connect().call(allocate(project));
        await world.connect().call(allocate(project));
      }
      throw brokenConnection();
    },
  });
  expect(resultOf(end, 'projects.demo.publicIps.edge')).toBe('unknown: ambiguous-create');
  expect(resultOf(end, 'projects.demo.publicIps.side')).toBe('applied');
  expect(sent).toBe(3);
});

describe('what was renamed by hand before it was bound', () => {
  test('and then the run was killed is named, and nothing is created', async () => {
    const desired = await configure(yaml);
    const world = await withProject();
    await world.apply(desired, { onStep: killAfterAcceptance(world) });
    await world.settle(minute);
    const made = await renameByHand(world);
    const refused = await world.apply(desired);
    expect(refused.kind).toBe('refused');
    expect(plannedOf(refused)).toContain('error perhaps-ours');
    expect(await vmsOf(world)).toHaveLength(1);
    const adopting = await configure(`${yaml}imports: [ { to: ${vm}, id: ${made.id} } ]\n`);
    await expectApplied(world, adopting);
    expect(await vmsOf(world)).toMatchObject([{ id: made.id, name: 'web' }]);
    expect(await findViolations(world, desired)).toEqual([]);
  });

  test('is not forgotten by a run whose lists lag, until a record says that it was deleted', async () => {
    const desired = await configure(yaml);
    const world = await withProject();
    const lost: Meddle = async (request, pass) => {
      if (!isVmCreate(request)) return pass();
      await pass();
      throw brokenConnection();
    };
    await world.apply(desired, { meddle: lost, onStep: killBeforeSending(1) });
    await world.settle(minute);
    const made = await renameByHand(world);
    await world.settle(minute);
    expect(plannedOf(await world.apply(desired))).toContain('error perhaps-ours');
    await world.settle(60 * minute);
    const unlisted: Meddle = (request, pass) =>
      isVmList(request) ? Promise.resolve(Response.json([])) : pass();
    // A single read finds it; where that lags, too, at least nothing is created.
    const read = await world.apply(desired, { meddle: unlisted });
    expect(plannedOf(read)).toContain('error perhaps-ours');
    const unread: Meddle = (request, pass) => {
      if (isRecords(request)) return Promise.resolve(Response.json([]));
      if (request.url.endsWith(made.id)) return Promise.resolve(withStatus(404));
      return unlisted(request, pass);
    };
    const blind = await world.apply(desired, { meddle: unread });
    expect(plannedOf(blind)).toContain('error create-not-seen');
    expect(await vmsOf(world)).toHaveLength(1);
    await byHand(world, (projectId) => ({
      operation: 'deleteVm',
      params: { projectId, vmId: made.id },
    }));
    await world.settle(minute);
    await expectApplied(world, desired);
    expect(await vmsOf(world)).toMatchObject([{ name: 'web' }]);
  });
});

describe('where the service tells no time', () => {
  const untimed: Meddle = async (_request, pass) => {
    const response = await pass();
    const headers = new Headers(response.headers);
    headers.delete('date');
    return new Response(response.body, { status: response.status, headers });
  };

  test('what was renamed by hand before it was bound is named, and nothing is created', async () => {
    const desired = await configure(yaml);
    const world = await withProject();
    await world.apply(desired, { meddle: untimed, onStep: killAfterAcceptance(world) });
    await world.settle(minute);
    await renameByHand(world);
    const refused = await world.apply(desired, { meddle: untimed });
    expect(plannedOf(refused)).toContain('error perhaps-ours');
    expect(await vmsOf(world)).toHaveLength(1);
  });
});

test.each([-2, 2])(
  'clocks of a killed run %i h away from ours do not change how long we wait',
  async (hours) => {
    const desired = await configure(yaml);
    const world = await withProject();
    const meddle: Meddle = (request, pass) =>
      isVmCreate(request) ? new Promise(() => undefined) : pass();
    const end = await world.apply(desired, { meddle, onStep: killBeforeSending() });
    expect(end.kind).toBe('killed');
    // The store of the dead process writes no more.
    world.store = await openMemoryState({ disk: world.store.readDisk() });
    const pending = world.store.state.pending.get(vm);
    if (!pending) throw new Error('no intent');
    await world.store.record({
      ...{
        kind: 'intent',
        address: vm,
        command: pending.command,
        configured: pending.configured,
      },
      ...{ knownIds: [], at: pending.at + hours * 60 * minute },
      ...(pending.serviceAt !== undefined && { serviceAt: pending.serviceAt }),
    });
    const start = world.time.now();
    await expectApplied(world, desired);
    expect(world.time.now() - start).toBeGreaterThanOrEqual(50_000);
    expect(world.time.now() - start).toBeLessThan(5 * minute);
    expect(await findViolations(world, desired)).toEqual([]);
  },
);

/** Kills the process at its next write after the service accepted the VM. */
function killAfterAcceptance(world: World) {
  let hasAccepted = false;
  return (point: Parameters<NonNullable<Parameters<World['apply']>[1]>['onStep'] & object>[0]) => {
    if (hasAccepted && point.kind === 'request') return 'kill' as const;
    if (point.kind === 'write' && point.write.text.includes('"accepted"')) {
      hasAccepted = point.write.text.includes('createVm') && world.requests > 0;
    }
    return 'go' as const;
  };
}

/** Kills the process right before its first request that changes something, or so many requests later. */
function killBeforeSending(later = 0) {
  let writes = 0;
  let requests = 0;
  return (point: { readonly kind: string; readonly write?: { readonly text: string } }) => {
    if (point.kind === 'write' && point.write?.text.includes('"intent"')) writes += 1;
    if (writes > 0 && point.kind === 'request') requests += 1;
    return requests > later ? ('kill' as const) : ('go' as const);
  };
}

const lagUntil =
  (world: World, fits: (request: Request) => boolean, until: number): Meddle =>
  async (request, pass) =>
    fits(request) && world.time.now() < until ? Response.json([]) : pass();
