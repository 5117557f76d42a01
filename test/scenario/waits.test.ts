// How a change ends that the service took, or that nobody knows whether it took: whoever else is at work meanwhile.
import { whole } from '../support/whole.ts';
import { describe, expect, test } from 'vitest';
import type { ResolvedCommand } from '../../src/model/account/command.ts';
import type { LiveVm } from '../../src/kinds/vm/model.ts';
import {
  configure,
  describeFailures,
  findViolations,
  World,
  type Meddle,
  type RunEnd,
  type RunOptions,
} from './world.ts';
import { drawVariants } from '../support/budget/budget.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

const vmOf = (more = '') => `
projects:
  demo:
    networks: { backend: , other: }
    vms: { web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly${more} } }
`;
const attached = ', networks: [backend]';
const stopped = ', power: stopped';
const web = 'projects.demo.vms.web';

/** What became of an address: `failed: gone`. */
function resultOf(end: RunEnd, address = web): string {
  if (end.kind !== 'ended') throw new Error(end.kind);
  const result = end.summary.changes.find((change) => change.address === address)?.result;
  if (!result) throw new Error(`nothing is said of ${address}`);
  return 'diagnostic' in result ? `${result.kind}: ${result.diagnostic.code}` : result.kind;
}

/** All that is said of the changes that did not come about. */
const wordsOf = (end: RunEnd) => describeFailures(end).join('\n');

/** A connection that broke, as Node's fetch throws it. */
const brokenConnection = (): Error =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  });

const accepted = () => Response.json({ commandId: 'command-nowhere' }, { status: 202 });

interface Watched {
  readonly meddle: Meddle;
  /** How many such requests came by. */
  readonly count: () => number;
}

/** Deals with the requests that match, each with its number from 1. */
function at(
  method: string,
  path: RegExp,
  respond: (pass: () => Promise<Response>, count: number) => Promise<Response>,
): Watched {
  let count = 0;
  const meddle: Meddle = (request, pass) => {
    if (request.method !== method || !path.test(new URL(request.url).pathname)) return pass();
    count += 1;
    return respond(pass, count);
  };
  return { meddle, count: () => count };
}

/** One after the other. */
const both =
  (first: Meddle, second: Meddle): Meddle =>
  (request, pass) =>
    first(request, () => second(request, pass));

const attachPath = /\/networks\/[^/]+\/vms$/;
const stopPath = /\/stop$/;

type Row = Record<string, unknown>;

/** Changes the items of a list on its way. */
const editingList =
  (path: RegExp, edit: (items: Row[]) => Row[]): Meddle =>
  async (request, pass) => {
    const response = await pass();
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET' || !path.test(pathname) || !response.ok) return response;
    const body = (await response.json()) as { items: Row[] } | Row[];
    const headers = { date: response.headers.get('date') ?? '' };
    if (Array.isArray(body)) return Response.json(edit(body), { headers });
    const items = edit(body.items);
    return Response.json({ ...body, items, totalCount: items.length }, { headers });
  };

async function findVm(world: World): Promise<LiveVm> {
  const found = (await world.readAccount()).find(({ kind }) => kind === 'vm');
  if (found?.kind !== 'vm') throw new Error('there is no VM');
  return found;
}

async function findNetwork(world: World, name: string): Promise<string> {
  const found = (await world.readAccount()).find(
    (one) => one.kind === 'network' && one.name === name,
  );
  if (!found) throw new Error(`there is no network ${name}`);
  return found.id;
}

/** Somebody in the console sends a command; time passes elsewhere. */
const byHand = (world: World, command: ResolvedCommand) => world.connect().send(command);

/** A world in which the VM stands, and a next run that changes it. */
async function change(
  world: World,
  more: string,
  options: RunOptions,
): Promise<{ end: RunEnd; tookMs: number }> {
  const start = world.time.now();
  const end = await world.apply(await configure(vmOf(more)), options);
  return { end, tookMs: world.time.now() - start };
}

async function openApplied(options: Parameters<typeof World.open>[0], more = ''): Promise<World> {
  const world = await World.open(options);
  await expectApplied(world, await configure(vmOf(more)));
  return world;
}

describe.each(drawVariants('waits'))('%s', (variant) => {
  describe('polls that cannot be read', () => {
    const nonsense: Meddle = (request, pass) =>
      /\/vms(\/vm[^/]*)?$/.test(new URL(request.url).pathname) && request.method === 'GET'
        ? Promise.resolve(Response.json({ items: 5 }))
        : pass();

    test('after the create of a VM was accepted: what became of it is unknown', async () => {
      const world = await World.open({ variant });
      let isSent = false;
      const { meddle } = at('POST', /\/vms$/, (pass) => {
        isSent = true;
        return pass();
      });
      const end = await world.apply(await configure(vmOf()), {
        meddle: both(meddle, (request, pass) => (isSent ? nonsense(request, pass) : pass())),
      });
      expect(resultOf(end)).toBe('unknown: unreadable');
      expect(wordsOf(end)).toContain('/vms');
      await world.settle();
      await expectBuilt(world, await configure(vmOf()));
    });

    test('after a stop was accepted: what became of it is unknown', async () => {
      const world = await openApplied({ variant });
      let isSent = false;
      const { meddle } = at('POST', stopPath, (pass) => {
        isSent = true;
        return pass();
      });
      const { end } = await change(world, stopped, {
        meddle: both(meddle, (request, pass) => (isSent ? nonsense(request, pass) : pass())),
      });
      expect(resultOf(end)).toBe('unknown: unreadable');
      expect(wordsOf(end)).toContain('GET');
    });

    test('after the answer to a stop was lost: what became of it is unknown', async () => {
      const world = await openApplied({ variant });
      let isSent = false;
      const { meddle } = at('POST', stopPath, () => {
        isSent = true;
        return Promise.reject(brokenConnection());
      });
      const { end } = await change(world, stopped, {
        meddle: both(meddle, (request, pass) => (isSent ? nonsense(request, pass) : pass())),
      });
      expect(resultOf(end)).toBe('unknown: unreadable');
      expect(wordsOf(end)).not.toContain('accepted');
    });
  });

  describe('what cannot be read after a request of another sort', () => {
    const unreadable = (method: string, request: RegExp, list: RegExp): Meddle => {
      let isSent = false;
      return (one, pass) => {
        const { pathname } = new URL(one.url);
        if (one.method === method && request.test(pathname)) isSent = true;
        const isHidden = isSent && one.method === 'GET' && list.test(pathname);
        return isHidden ? Promise.resolve(Response.json({ items: 5 })) : pass();
      };
    };

    test('the backup before a rebuild: the VM stays, and what became of the backup is unknown', async () => {
      const backedUp = ', rebuild: { backupFirst: true }';
      const world = await openApplied({ variant }, backedUp);
      const { imageId } = whole(await findVm(world));
      const desired = await configure(vmOf(backedUp).replace('ubuntu-24.04', 'debian-12'));
      const meddle = unreadable('POST', /\/backups$/, /\/backups$/);
      expect(resultOf(await world.apply(desired, { meddle }))).toBe('unknown: unreadable');
      expect(await findVm(world)).toMatchObject({ imageId });
    });

    test('a renewal whose answer was lost', async () => {
      const world = await openApplied({ variant });
      const hidden = unreadable('POST', /\/renewal\/cancel$/, /\/sales$/);
      const lost = at('POST', /\/renewal\/cancel$/, () => Promise.reject(brokenConnection()));
      const { end } = await change(world, ', renewal: cancelled', {
        meddle: both(hidden, lost.meddle),
      });
      expect(resultOf(end)).toBe('unknown: unreadable');
    });
  });

  test('a rebuild that is recorded as done and does not show is not sent again: it would wipe the new disk', async () => {
    const world = await openApplied({ variant });
    const { imageId } = whole(await findVm(world));
    const rebuild = at('POST', /\/rebuild$/, (pass) => pass());
    const former: Meddle = async (request, pass) => {
      const response = await pass();
      const isRead =
        request.method === 'GET' && /\/vms(\/[^/]+)?$/.test(new URL(request.url).pathname);
      if (!isRead || !response.ok) return response;
      const text = (await response.text()).replaceAll('img-debian-12', imageId);
      return new Response(text, { headers: response.headers });
    };
    const desired = await configure(vmOf().replace('ubuntu-24.04', 'debian-12'));
    const end = await world.apply(desired, { meddle: both(rebuild.meddle, former) });
    expect(resultOf(end)).toMatch(/^unknown: /);
    expect(rebuild.count()).toBe(1);
  });

  describe("somebody else's operation that fails on the same VM", () => {
    /** The VM is never seen while it is worked on: only its records tell of that. */
    const idly: Meddle = async (request, pass) => {
      const response = await pass();
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' || !/\/vms\/[^/]+$/.test(pathname)) return response;
      const vm = (await response.json()) as object;
      const headers = { date: response.headers.get('date') ?? '' };
      const idle = { status: 'active', operation: null, operationStatus: null };
      return Response.json({ ...vm, ...idle }, { headers });
    };

    test('before ours, and ours is recorded late: the attachment that stands is a success', async () => {
      let isTheirs = false;
      const world = await openApplied({
        variant,
        planFailure: ({ type }) => (type === 'AttachNetwork' && isTheirs ? 'internal' : null),
      });
      const { id: vm, projectId: project } = await findVm(world);
      const network = await findNetwork(world, 'other');
      const { meddle } = at('POST', attachPath, async (pass, count) => {
        if (count === 1) {
          isTheirs = true;
          await byHand(world, { kind: 'attachVm', project, network, vm });
          isTheirs = false;
        }
        return pass();
      });
      // Ours never shows in the records, and theirs does.
      const records = editingList(/\/operations$/, (items) => [
        {
          ...{ id: 'op-theirs', type: 'AttachNetwork', status: 'Failed', resourceType: 'vm' },
          ...{ resourceId: vm, failureCode: 'internal' },
          createdAt: new Date(theirsAt).toISOString(),
          completedAt: new Date(theirsAt + 4_000).toISOString(),
        },
        ...items.filter(({ type }) => type !== 'AttachNetwork'),
      ]);
      const theirsAt = world.time.now() + 500;
      const { end } = await change(world, attached, {
        meddle: both(both(meddle, idly), (request, pass) =>
          world.time.now() > theirsAt + 1_000 ? records(request, pass) : pass(),
        ),
      });
      expect(resultOf(end)).toBe('applied');
    });

    test('after ours, before we look: the attachment that stands is a success', async () => {
      const world = await openApplied({ variant });
      const { id: vm } = await findVm(world);
      let shownAt: number | undefined;
      const noting: Meddle = async (request, pass) => {
        const response = await pass();
        const text = await response.clone().text();
        if (request.method === 'GET' && text.includes('networkId')) shownAt ??= world.time.now();
        return response;
      };
      const records = editingList(/\/operations$/, (items) => {
        const ours = items.filter(({ type }) => type !== 'AttachNetwork');
        if (shownAt === undefined) return ours;
        const theirs = {
          ...{ id: 'op-theirs', type: 'AttachNetwork', status: 'Failed', resourceType: 'vm' },
          ...{ resourceId: vm, failureCode: 'internal' },
          createdAt: new Date(shownAt - 100).toISOString(),
          completedAt: new Date(shownAt).toISOString(),
        };
        return [theirs, ...ours];
      });
      const { end } = await change(world, attached, { meddle: both(idly, both(noting, records)) });
      expect(shownAt).toBeDefined();
      expect(resultOf(end)).toBe('applied');
    });
  });

  test('a delete that fails is not taken for done because a list has never shown what is deleted', async () => {
    const two = (networks: string) => `
projects:
  demo:
    networks: ${networks}
`;
    const world = await World.open({
      variant,
      planFailure: ({ type }) => (type === 'DeleteNetwork' ? 'timeout' : null),
    });
    await world.apply(await configure(two('{ lan: , wan: }')));
    const lagging = editingList(/\/networks$/, () => []);
    const end = await world.apply(await configure(two('{ fresh: , wide: }')), { meddle: lagging });
    if (end.kind !== 'ended') throw new Error(end.kind);
    const deleted = end.summary.changes.filter(({ action }) => action === 'delete');
    expect(deleted.map(({ result }) => result.kind)).toEqual(['failed', 'failed']);
  });

  describe('a VM that somebody deletes', () => {
    test('while it is created: the wait is over soon, and says so', async () => {
      const world = await World.open({ variant });
      let wasShown = false;
      const { meddle } = at('GET', /\/vms(\/vm[^/]*)?$/, async (pass) => {
        const response = await pass();
        if (wasShown) return missing(response);
        wasShown = (await response.clone().text()).includes('"web"');
        return response;
      });
      const start = world.time.now();
      const end = await world.apply(await configure(vmOf()), { meddle });
      expect(resultOf(end)).toBe('failed: gone');
      expect(wordsOf(end)).toContain('deleted');
      expect(world.time.now() - start).toBeLessThan(120_000);
    });

    test('while it is attached: the wait is over soon, and says so', async () => {
      const world = await openApplied({ variant });
      let isSent = false;
      const { meddle } = at('POST', attachPath, (pass) => {
        isSent = true;
        return pass();
      });
      const deleted = at('GET', /\/vms(\/vm[^/]*)?$/, async (pass) => {
        const response = await pass();
        return isSent ? missing(response) : response;
      });
      const { end, tookMs } = await change(world, attached, {
        meddle: both(meddle, deleted.meddle),
      });
      expect(resultOf(end)).toBe('failed: gone');
      expect(tookMs).toBeLessThan(60_000);
    });

    test('is not said of one that lists leave out for ten minutes', async () => {
      const world = await World.open({ variant });
      const from = world.time.now() + 12_000;
      await expectApplied(world, await configure(vmOf(', count: 2')), {
        meddle: editingList(/\/vms$/, (items) => {
          const now = world.time.now();
          return now > from && now < from + 600_000 ? [] : items;
        }),
      });
    });

    test('is not said of one whose 404 comes and goes', async () => {
      const world = await World.open({ variant });
      const from = world.time.now() + 12_000;
      let reads = 0;
      const flapping = at('GET', /\/vms(\/vm[^/]*)?$/, async (pass) => {
        const response = await pass();
        const now = world.time.now();
        if (now < from || now > from + 300_000) return response;
        reads += 1;
        return reads % 3 === 0 ? response : missing(response);
      });
      await expectApplied(world, await configure(vmOf()), { meddle: flapping.meddle });
    });
  });

  describe('an attachment that is accepted and leaves no trace', () => {
    test('is sent once more, and comes about', async () => {
      const world = await openApplied({ variant });
      const { meddle, count } = at('POST', attachPath, (pass, nth) =>
        nth === 1 ? Promise.resolve(accepted()) : pass(),
      );
      const { end, tookMs } = await change(world, attached, { meddle });
      expect(describeFailures(end)).toEqual([]);
      expect(count()).toBe(2);
      expect(tookMs).toBeGreaterThan(60_000);
      expect(tookMs).toBeLessThan(120_000);
      expect(await findViolations(world, await configure(vmOf(attached)))).toEqual([]);
    });

    test('twice: there is no trace, and nothing more is sent', async () => {
      const world = await openApplied({ variant });
      const { meddle, count } = at('POST', attachPath, () => Promise.resolve(accepted()));
      const { end, tookMs } = await change(world, attached, { meddle });
      expect(resultOf(end)).toBe('unknown: change-not-shown');
      expect(count()).toBe(2);
      expect(tookMs).toBeLessThan(240_000);
    });

    test('that the newest records of a busy project do not show is found by those of the VM', async () => {
      const world = await openApplied({ variant: 'strict' });
      const { id: vm } = await findVm(world);
      const { meddle, count } = at('POST', attachPath, () => Promise.resolve(accepted()));
      const sentAt = world.time.now();
      const record = () => ({
        ...{ id: 'op-ours', type: 'AttachNetwork', status: 'Failed', resourceType: 'vm' },
        ...{ resourceId: vm, failureCode: 'internal' },
        createdAt: new Date(sentAt + 2_000).toISOString(),
        completedAt: new Date(sentAt + 9_000).toISOString(),
      });
      const { end } = await change(world, attached, {
        meddle: both(meddle, (request, pass) =>
          new URL(request.url).searchParams.has('resourceId')
            ? editingList(/\/operations$/, (items) => [record(), ...items])(request, pass)
            : pass(),
        ),
      });
      expect(resultOf(end)).toBe('failed: operation-failed');
      expect(wordsOf(end)).toContain('internal');
      expect(count()).toBe(1);
    });
  });

  describe('a stop that is lost before the service', () => {
    test.each(['createBackup', 'rebootVm'] as const)(
      'while a %s runs is sent again once that is over',
      async (kind) => {
        const world = await openApplied({ variant });
        const { id: vm, projectId: project } = await findVm(world);
        const { meddle, count } = at('POST', stopPath, async (pass, nth) => {
          if (nth > 1) return pass();
          await byHand(world, { kind, project, vm });
          throw brokenConnection();
        });
        const { end } = await change(world, stopped, { meddle });
        expect(describeFailures(end)).toEqual([]);
        // A lock whose status nobody knows is found out by asking.
        expect(count()).toBeGreaterThanOrEqual(2);
        expect(await findViolations(world, await configure(vmOf(stopped)))).toEqual([]);
      },
    );

    test('three times: nothing says that it was accepted', async () => {
      const world = await openApplied({ variant });
      const { id: vm, projectId: project } = await findVm(world);
      const { meddle, count } = at('POST', stopPath, async (_, nth) => {
        if (nth === 1) await byHand(world, { kind: 'createBackup', project, vm });
        throw brokenConnection();
      });
      const { end } = await change(world, stopped, { meddle });
      expect(resultOf(end)).toBe('unknown: no-answer');
      expect(wordsOf(end)).not.toContain('accepted');
      expect(count()).toBe(3);
    });
  });

  test('an attachment that is lost while somebody attaches the VM elsewhere is not taken for theirs', async () => {
    const world = await openApplied({ variant });
    const { id: vm, projectId: project } = await findVm(world);
    const network = await findNetwork(world, 'other');
    const { meddle, count } = at('POST', attachPath, async (pass, nth) => {
      if (nth > 1) return pass();
      await byHand(world, { kind: 'attachVm', project, network, vm });
      throw brokenConnection();
    });
    const { end } = await change(world, attached, { meddle });
    expect(describeFailures(end)).toEqual([]);
    expect(count()).toBe(2);
    expect((await findVm(world)).networks).toHaveLength(2);
  });

  test('a delete that is lost while somebody else works on the VM is sent again', async () => {
    const world = await openApplied({ variant });
    const { id: vm, projectId: project } = await findVm(world);
    const { meddle, count } = at('DELETE', /\/vms\/[^/]+$/, async (pass, nth) => {
      if (nth > 1) return pass();
      await byHand(world, { kind: 'rebootVm', project, vm });
      throw brokenConnection();
    });
    await expectApplied(world, await configure(vmOf()), { mode: 'destroy', meddle });
    expect(count()).toBe(2);
    expect(await world.readAccount()).toEqual([]);
  });

  test('a refusal of what was sent before does not make a failure of it', async () => {
    const world = await openApplied({ variant });
    const { meddle } = at('POST', stopPath, (_, nth) =>
      nth === 1
        ? Promise.reject(brokenConnection())
        : Promise.resolve(Response.json({ title: 'Odd', status: 400 }, { status: 400 })),
    );
    const { end } = await change(world, stopped, { meddle });
    expect(resultOf(end)).toMatch(/^unknown/);
  });

  test('a service that does not say what holds a VM does not hold up the wait for it', async () => {
    const world = await openApplied({ variant });
    const { id: vm, projectId: project } = await findVm(world);
    let isLocked = false;
    const { meddle } = at('POST', stopPath, async (pass, nth) => {
      if (nth === 1) {
        isLocked = true;
        await byHand(world, { kind: 'rebootVm', project, vm });
      }
      return pass();
    });
    const silent: Meddle = (request, pass) =>
      isLocked && new URL(request.url).searchParams.has('resourceId')
        ? new Promise(() => undefined)
        : pass();
    const statuses: string[] = [];
    const { end, tookMs } = await change(world, stopped, {
      meddle: both(meddle, silent),
      onEvent: (event) => 'status' in event && statuses.push(event.status),
    });
    expect(describeFailures(end)).toEqual([]);
    expect(tookMs).toBeLessThan(40_000);
    expect(statuses).toContainEqual(expect.stringMatching(/^waiting for a lock/));
    expect(statuses).toContain('waited for a lock');
  });
});

/** What is asked for is not there: a 404, or a list without it. */
async function missing(response: Response): Promise<Response> {
  const body = (await response.json()) as object;
  const headers = { date: response.headers.get('date') ?? '' };
  if (Array.isArray(body)) return Response.json([], { headers });
  if ('items' in body) return Response.json({ ...body, items: [], totalCount: 0 }, { headers });
  return Response.json({ title: 'Not found', status: 404 }, { status: 404, headers });
}
