import { describe, expect, test } from 'vitest';
import { configure, describeFailures, findViolations, type Meddle, World } from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

const desired = (timeouts = '', networks = 'lan') =>
  configure(`
projects:
  demo:
    networks: { ${networks} }
    sshKeys: { me: { publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE1VbW15S2V5Rm9yVGVzdHMwMDAwMDAwMDAwMDAwMDAw' } }
    vms: { web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly, networks: [${networks}]${timeouts} } }
`);

const hold = { 'retry-after': '86400' };

/** Refuses requests of one sort with 429, so many times: the service asks to wait for a day. */
function askingForADay(path: RegExp, times: number): Meddle & { count: number } {
  const meddle = Object.assign(
    (request: Request, pass: () => Promise<Response>) => {
      const { pathname } = new URL(request.url);
      if (request.method !== 'POST' || !path.test(pathname) || meddle.count >= times) return pass();
      meddle.count += 1;
      return Promise.resolve(Response.json({ title: 'Slow down' }, { status: 429, headers: hold }));
    },
    { count: 0 },
  );
  return meddle;
}

describe('a service that asks to wait for a day', () => {
  test('is asked again after two minutes, and everything comes about', async () => {
    const world = await World.open();
    const graph = await desired();
    const begun = world.time.now();
    const meddle = askingForADay(/\/vms$/, 1);
    await expectApplied(world, graph, { meddle });
    expect(meddle.count).toBe(1);
    expect(world.time.now() - begun).toBeLessThan(5 * 60_000);
    expect(await findViolations(world, graph)).toEqual([]);
  });

  test('does not draw a change out beyond its timeout', async () => {
    const world = await World.open();
    const graph = await desired(', timeouts: { create: 90s }');
    const begun = world.time.now();
    const meddle = askingForADay(/\/vms$/, 999);
    const [failure = '', ...rest] = describeFailures(await world.apply(graph, { meddle }));
    expect(rest).toEqual([]);
    expect(failure).toMatch(/vms\.web .*"failed".*rate-limited/);
    expect(meddle.count).toBe(1);
    expect(world.time.now() - begun).toBeLessThan(3 * 60_000);
    await expectBuilt(world, graph);
  });

  test('does not draw out the change that is waited for meanwhile', async () => {
    const world = await World.open();
    const graph = await desired(', timeouts: { create: 60s }', '');
    let isTaken = false;
    const meddle: Meddle = async (request, pass) => {
      const { pathname } = new URL(request.url);
      if (isTaken && request.method === 'GET') {
        return Response.json({ title: 'Slow down' }, { status: 429, headers: hold });
      }
      const response = await pass();
      if (request.method === 'POST' && pathname.endsWith('/vms')) isTaken = true;
      return response;
    };
    const begun = world.time.now();
    const end = await world.apply(graph, { meddle });
    expect(describeFailures(end).join()).toMatch(/vms\.web .*"unknown"/);
    expect(world.time.now() - begun).toBeLessThan(2 * 60_000);
    await expectBuilt(world, graph);
  });

  test('an interrupt ends the wait at once, for what was refused and for what waited with it', async () => {
    const world = await World.open();
    const graph = await desired();
    const interrupt = new AbortController();
    const meddle = askingForADay(/\/(networks|ssh-keys)$/, 999);
    let refusedAt = Number.POSITIVE_INFINITY;
    const end = await world.apply(graph, {
      meddle: (request, pass) => {
        const before = meddle.count;
        const answer = meddle(request, pass);
        if (meddle.count > before && refusedAt === Number.POSITIVE_INFINITY) {
          refusedAt = world.time.now();
          void world.time
            .openClock()
            .sleep(5_000)
            .then(() => interrupt.abort());
        }
        return answer;
      },
      interrupted: interrupt.signal,
    });
    expect(world.time.now() - refusedAt).toBe(5_000);
    if (end.kind !== 'ended') throw new Error(end.kind);
    expect(end.summary.isInterrupted).toBe(true);
    const kinds = new Map(end.summary.changes.map(({ address, result }) => [address, result]));
    expect(kinds.get('projects.demo.networks.lan')).toMatchObject({ kind: 'interrupted' });
    expect(kinds.get('projects.demo.sshKeys.me')).toMatchObject({ kind: 'interrupted' });
    await expectBuilt(world, graph);
  });
});
