// What comes of a run, and is told of it: failures, locks, lost answers, interruptions, and names that change hands. As tests.
import { describe, expect, test } from 'vitest';
import type { ApplyEvent } from '../../src/model/plan/result.ts';
import { drawSome } from '../support/budget/budget.ts';
import { killEverywhere } from './kill-everywhere.ts';
import {
  configure,
  describeFailures,
  findViolations,
  World,
  type Meddle,
  type RunEnd,
  type Variant,
} from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

const oneVm = (more = '') => `
projects:
  demo:
    networks: { backend: }
    vms:
      web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly, networks: [backend]${more} }
`;

function resultsOf(end: RunEnd): Record<string, string> {
  if (end.kind !== 'ended') throw new Error(end.kind);
  return Object.fromEntries(
    end.summary.changes.map(({ address, result }) => [
      address,
      result.kind === 'skipped'
        ? `skipped because of ${result.causedBy}`
        : 'diagnostic' in result
          ? `${result.kind}: ${result.diagnostic.code}`
          : result.kind,
    ]),
  );
}

/** Answers for the service when the request is one of these, the given number of times. */
function answering(
  method: string,
  path: RegExp,
  times: number,
  respond: (pass: () => Promise<Response>) => Promise<Response>,
): Meddle & { count: number } {
  const meddle = Object.assign(
    async (request: Request, pass: () => Promise<Response>) => {
      const isMeant = request.method === method && path.test(new URL(request.url).pathname);
      if (!isMeant || meddle.count >= times) return pass();
      meddle.count += 1;
      return respond(pass);
    },
    { count: 0 },
  );
  return meddle;
}

/** Delivers the first such request twice; the answer to the second is the one that comes back. */
function deliveringTwice(world: World, path: RegExp): Meddle & { count: number } {
  const meddle = Object.assign(
    async (request: Request, pass: () => Promise<Response>) => {
      const { pathname } = new URL(request.url);
      if (meddle.count > 0 || request.method === 'GET' || !path.test(pathname)) return pass();
      meddle.count += 1;
      await world.sandbox.fetch(request.clone());
      return pass();
    },
    { count: 0 },
  );
  return meddle;
}

/** A connection that broke, as Node's fetch throws it. */
const brokenConnection = (): Error =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  });

/** Tests what comes of runs with one variant of the service. */
export function testOutcomes(variant: Variant): void {
  describe('a change that fails', () => {
    test('leaves independent branches running and names what was skipped because of it', async () => {
      const desired = await configure(`
projects:
  demo:
    networks: { backend: }
    publicIps: { edge: { forwards: { ssh: { protocol: tcp, publicPort: 22, vm: big, vmPort: 22 } } } }
    vms:
      big: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly }
      small: { image: ubuntu-24.04, configuration: c1-r1-d20, tariff: monthly, networks: [backend] }
`);
      let provisions = 0;
      const world = await World.open({
        variant,
        // The first VM is the one that waits for nothing.
        planFailure: ({ type }) =>
          type === 'Provision' && (provisions += 1) === 1 ? 'insufficientCapacity' : null,
      });
      expect(resultsOf(await world.apply(desired))).toEqual({
        'projects.demo': 'applied',
        'projects.demo.networks.backend': 'applied',
        'projects.demo.publicIps.edge': 'applied',
        'projects.demo.publicIps.edge.forwards.ssh': 'skipped because of projects.demo.vms.big',
        'projects.demo.vms.big': 'failed: operation-failed',
        'projects.demo.vms.small': 'applied',
      });
    });

    test('is replaced by the next plan when its remains stand in the account as failed', async () => {
      let isBroken = true;
      const world = await World.open({
        variant,
        planFailure: ({ type }) => (type === 'Provision' && isBroken ? 'internal' : null),
      });
      const desired = await configure(oneVm());
      const first = await world.apply(desired);
      expect(resultsOf(first)['projects.demo.vms.web']).toBe('failed: operation-failed');
      const { plan } = await world.plan(desired);
      expect(plan.changes.filter(({ action }) => action !== 'no-op')).toMatchObject([
        { address: 'projects.demo.vms.web', action: 'replace', reason: 'creation-failed' },
      ]);
      isBroken = false;
      await expectBuilt(world, desired);
    });

    test('a stop that fails leaves the VM active, and the record says so', async () => {
      const world = await World.open({
        variant,
        planFailure: ({ type }) => (type === 'Stop' ? 'timeout' : null),
      });
      await world.apply(await configure(oneVm()));
      const end = await world.apply(await configure(oneVm(', power: stopped')));
      expect(resultsOf(end)['projects.demo.vms.web']).toBe('failed: operation-failed');
    });

    test('a delete that fails is said at once, not when its time is over', async () => {
      const world = await World.open({
        variant,
        planFailure: ({ type }) => (type === 'DeleteNetwork' ? 'timeout' : null),
      });
      await world.apply(await configure(oneVm()));
      const fewer = oneVm()
        .replace('networks: { backend: }', 'networks: {}')
        .replace(', networks: [backend]', '');
      const start = world.time.now();
      const end = await world.apply(await configure(fewer));
      expect(resultsOf(end)['projects.demo.networks.backend']).toBe('failed: operation-failed');
      expect(world.time.now() - start).toBeLessThan(60_000);
    });

    test('no room at create: the service is believed at once', async () => {
      const world = await World.open({ variant });
      const meddle = answering('POST', /\/vms$/, 1, () =>
        Promise.resolve(
          Response.json(
            { title: 'No room', status: 409, code: 'insufficientCapacity' },
            { status: 409, headers: { 'content-type': 'application/problem+json' } },
          ),
        ),
      );
      const desired = await configure(oneVm());
      const end = await world.apply(desired, { meddle });
      expect(resultsOf(end)['projects.demo.vms.web']).toMatch(/^failed/);
      expect(meddle.count).toBe(1);
      await expectApplied(world, desired);
    });
  });

  test('a locked VM is waited for, and the wait is told', async () => {
    const world = await World.open({ variant });
    await world.apply(await configure(oneVm()));
    const vm = (await world.readAccount()).find(({ kind }) => kind === 'vm');
    const console_ = world.connect();
    await world.time.run(
      console_.call({
        operation: 'createBackup',
        params: { projectId: vm?.projectId ?? '', vmId: vm?.id ?? '' },
      }),
    );
    const events: ApplyEvent[] = [];
    const desired = await configure(oneVm(', power: stopped'));
    await expectApplied(world, desired, { onEvent: (event) => events.push(event) });
    expect(events.map((event) => ('status' in event ? event.status : ''))).toContainEqual(
      // The loose service calls a status by a name that nobody knows.
      expect.stringMatching(/^waiting for a lock: CreateBackup (InProgress|Snapshotting)/),
    );
    // Whose it is, the service does not say; that it is none of this run's is known.
    const locks = events.flatMap((event) => ('lock' in event ? [event.lock] : []));
    expect(locks.length).toBeGreaterThan(0);
    for (const lock of locks) {
      expect(lock).toMatchObject({
        resource: 'projects.demo.vms.web',
        by: { kind: 'operation', type: 'CreateBackup', since: expect.any(Number) as number },
      });
    }
    expect(events.map((event) => ('status' in event ? event.status : ''))).toContain(
      'waited for a lock',
    );
    expect(await findViolations(world, desired)).toEqual([]);
  });

  describe('answers that get lost', () => {
    const requests = [
      ['POST', /\/projects$/],
      ['POST', /\/networks$/],
      ['POST', /\/vms$/],
      ['POST', /\/networks\/[^/]+\/vms$/],
      ['POST', /\/stop$/],
    ] as const;
    const ways: Record<string, (pass: () => Promise<Response>) => Promise<Response>> = {
      'cut before it arrives': () => Promise.reject(brokenConnection()),
      'cut after it was carried out': async (pass) => {
        await pass();
        throw brokenConnection();
      },
      'a proxy answers for the service': async (pass) => {
        await pass();
        return new Response('<html><h1>502 Bad Gateway</h1></html>', {
          status: 502,
          headers: { 'content-type': 'text/html' },
        });
      },
      'carried out, and answered 503 with Retry-After': async (pass) => {
        await pass();
        const headers = { 'retry-after': '2', 'content-type': 'application/problem+json' };
        return Response.json({ title: 'Busy', status: 503 }, { status: 503, headers });
      },
      'carried out, and answered 501': async (pass) => {
        await pass();
        return Response.json({ title: 'Not implemented', status: 501 }, { status: 501 });
      },
      'answered 503 with Retry-After, and not carried out': () =>
        Promise.resolve(Response.json({}, { status: 503, headers: { 'retry-after': '2' } })),
      'busy, try later': () =>
        Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': '7' } })),
    };
    const cases = requests.flatMap(([method, path]) =>
      Object.keys(ways).map((way) => ({ method, path, way })),
    );

    test.each(drawSome(cases, { short: 8, ci: 24 }, 'lost answers'))(
      '$method $path, $way: exactly once',
      async ({ method, path, way }) => {
        const world = await World.open({ variant });
        const desired = await configure(oneVm(', power: stopped'));
        const meddle = answering(method, path, 1, ways[way] as (typeof ways)[string]);
        await expectApplied(world, desired, { meddle });
        expect(meddle.count).toBe(1);
        expect(await findViolations(world, desired)).toEqual([]);
      },
    );
  });

  describe('a request that arrives twice, and whose second answer is heard', () => {
    test.each<[string, RegExp, string]>([
      ['a stop', /\/stop$/, ', power: stopped'],
      ['an attachment', /\/networks\/[^/]+\/vms$/, ', networks: [backend]'],
      ['a rename', /\/rename$/, ', name: www'],
    ])('%s is done all the same', async (_, path, more) => {
      const world = await World.open({ variant });
      const plain = (fields = '') => `
projects:
  demo:
    networks: { backend: }
    vms: { web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly${fields} } }
`;
      await world.apply(await configure(plain()));
      const desired = await configure(plain(more));
      const meddle = deliveringTwice(world, path);
      await expectApplied(world, desired, { meddle });
      expect(meddle.count).toBe(1);
      expect(await findViolations(world, desired)).toEqual([]);
    });

    test('a port forward: what has its port is named, and can be adopted', async () => {
      const world = await World.open({ variant });
      const desired = await configure(`
projects:
  demo:
    publicIps: { edge: { forwards: { ssh: { protocol: tcp, publicPort: 22, vm: web, vmPort: 22 } } } }
    vms: { web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly } }
`);
      const start = world.time.now();
      const end = await world.apply(desired, { meddle: deliveringTwice(world, /forwards$/) });
      expect(world.time.now() - start).toBeLessThan(120_000);
      const address = 'projects.demo.publicIps.edge.forwards.ssh';
      expect(resultsOf(end)[address]).toBe('failed: port-taken');
      const { plan } = await world.plan(desired);
      expect(plan.findings).toMatchObject([{ code: 'port-taken', address }, {}]);
      const adopting = { planOptions: { adoptsAll: true } };
      await expectBuilt(world, desired, adopting);
    });
  });

  test('a create that arrives after it was given up for lost is recognised by the refusal of the next', async () => {
    const world = await World.open({ variant });
    const desired = await configure('projects:\n  demo:\n    networks: { a: }\n');
    let late: Request | undefined;
    const meddle: Meddle = async (request, pass) => {
      if (request.method !== 'POST' || !/\/networks$/.test(request.url)) return pass();
      if (!late) {
        late = request.clone();
        throw brokenConnection();
      }
      await world.sandbox.fetch(late);
      return pass();
    };
    const end = await world.apply(desired, { meddle });
    expect(resultsOf(end)['projects.demo.networks.a']).toBe('applied');
    if (variant === 'strict') {
      expect(await findViolations(world, desired)).toEqual([]);
      return;
    }
    // Where names may repeat it is no refusal: then there are two, which is told and can be mended.
    expect(end).toMatchObject({ summary: { findings: [{ code: 'create-doubled' }] } });
    expect(await world.apply(desired)).toMatchObject({ kind: 'refused' });
    const removing = { planOptions: { removesDoubled: true } };
    await expectBuilt(world, desired, removing);
  });

  describe('an interruption', () => {
    test('starts nothing new, waits for what runs, and the next run goes on', async () => {
      const world = await World.open({ variant });
      const desired = await configure(oneVm());
      const interrupt = new AbortController();
      const end = await world.apply(desired, {
        interrupted: interrupt.signal,
        meddle: (request, pass) => {
          if (request.method === 'POST' && request.url.endsWith('/networks')) interrupt.abort();
          return pass();
        },
      });
      expect(end).toMatchObject({ kind: 'ended', summary: { isInterrupted: true } });
      expect(resultsOf(end)).toEqual({
        'projects.demo': 'applied',
        'projects.demo.networks.backend': 'applied',
        'projects.demo.vms.web': 'interrupted',
      });
      await expectBuilt(world, desired);
    });
  });

  describe('a destroy', () => {
    test('leaves the account as it was, what is not ours included', async () => {
      const world = await World.open({ variant });
      const other = world.connect();
      await world.time.run(
        other.call({ operation: 'createProject', params: {}, body: { name: 'not-ours' } }),
      );
      const desired = await configure(oneVm(', publicIp: new'));
      await world.apply(desired);
      await expectApplied(world, desired, { mode: 'destroy' });
      expect(await world.readAccount()).toMatchObject([{ kind: 'project', name: 'not-ours' }]);
      expect((await world.plan(desired, 'destroy')).plan.changes).toEqual([]);
    });

    test('of VMs that took their address with them releases the address after a kill too', async () => {
      const desired = await configure(oneVm(', publicIp: new'));
      const options = { mode: 'destroy' } as const;
      const open = async () => {
        const world = await World.open({ variant });
        await world.apply(desired);
        return world;
      };
      const goOn = async (world: World) => {
        const failures = describeFailures(await world.apply(desired, options));
        expect(await world.readAccount()).toEqual([]);
        return failures;
      };
      const run = { open, desired, options, goOn, from: 8 };
      expect(await killEverywhere(run)).toBeGreaterThan(9);
    });
  });

  describe('names and addresses that change hands', () => {
    const named = (a: string, b: string) => `
projects:
  demo:
    networks: { a: { name: ${a} }, b: { name: ${b} } }
    publicIps: { edge: { forwards: {
      x: { protocol: tcp, publicPort: ${a === 'one' ? 80 : 443}, vm: web, vmPort: 1 },
      y: { protocol: tcp, publicPort: ${a === 'one' ? 443 : 80}, vm: web, vmPort: 2 } } } }
    vms:
      web: { image: ubuntu-24.04, configuration: c1-r1-d20, tariff: monthly, networks: [a] }
`;

    test('two names and two ports are swapped in one run', async () => {
      const world = await World.open({ variant });
      await world.apply(await configure(named('one', 'two')));
      await expectBuilt(world, await configure(named('two', 'one')));
    });

    test('a public IP passes from one VM to another', async () => {
      const holder = (name: string) => `
projects:
  demo:
    publicIps: { edge: }
    vms:
      ${['a', 'b'].map((one) => `${one}: { image: ubuntu-24.04, configuration: c1-r1-d20, tariff: monthly${one === name ? ', publicIp: edge' : ''} }`).join('\n      ')}
`;
      const world = await World.open({ variant });
      await world.apply(await configure(holder('a')));
      await expectBuilt(world, await configure(holder('b')));
    });
  });
}
