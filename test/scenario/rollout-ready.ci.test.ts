// The probes of a rollout, at the service: whoever is not ready in time stops its block, and is probed again by the next apply.
import { describe, expect, it } from 'vitest';
import type { ResourceAddress } from '../../src/model/address.ts';
import type { RunProbeOnce } from '../../src/model/plan/readiness.ts';
import { configure, World } from './world.ts';

interface Setting {
  readonly image?: string;
  readonly rollout?: string;
  readonly lifecycle?: string;
  readonly configuration?: string;
}

const yaml = ({
  image = '12',
  rollout = '',
  lifecycle = '',
  configuration = 'c1-r1-d20',
}: Setting) => `
defaults: { vms: { configuration: ${configuration}, tariff: monthly, image: debian-${image} } }
projects:
  p:
    publicIps:
      edge: { forwards: { ssh: { protocol: tcp, publicPort: 22, vm: 'web[0]', vmPort: 22 } } }
    vms:
      web:
        count: 3
        lifecycle: { ${lifecycle} }
        rollout:
          atOnce: 1
          ready: [tcp: "\${projects.p.publicIps.edge.address}:\${2200 + each.index}", command: [./x, "\${self.name}"]]
          ${rollout}
      other: {}
`;

const web = (at: number): ResourceAddress => `projects.p.vms.web[${at}]`;

/** Answers of members: those in `failing` never answer. */
function answer(failing: readonly ResourceAddress[], asked: string[] = []): RunProbeOnce {
  return (probe, { address, publicIps = [] }) => {
    // The address of a forward is known to be one of the account, also in the apply that makes it.
    if (probe.kind === 'tcp') expect(publicIps).toContain(probe.host);
    asked.push(`${address.slice(-7)} ${probe.kind === 'tcp' ? probe.port : probe.kind}`);
    const isFailing = failing.includes(address);
    return Promise.resolve(isFailing ? { kind: 'failing', seen: 'refused' } : { kind: 'holds' });
  };
}

async function apply(world: World, setting: Setting, askProbe: RunProbeOnce) {
  const events: string[] = [];
  const end = await world.apply(await configure(yaml(setting)), {
    askProbe,
    onEvent: (event) => {
      if (event.kind !== 'progress') events.push(`${event.kind} ${event.step} ${event.address}`);
    },
  });
  if (end.kind !== 'ended') throw new Error(end.kind);
  const results = end.summary.changes
    .filter(({ address }) => address.includes('vms'))
    .map(({ address, result }) => {
      const cause = 'diagnostic' in result ? ` ${result.diagnostic.code}` : '';
      return `${address.slice(address.lastIndexOf('.') + 1)} ${result.kind}${cause}`;
    });
  return { results, events, summary: end.summary, plan: end.planned.plan };
}

const unready = (world: World) =>
  [...world.store.state.resources.values()].flatMap(({ address, isNotReady }) =>
    isNotReady ? [address] : [],
  );

describe('a rollout with probes', () => {
  it.each([
    ['stop', ['other applied', 'web[0] applied', 'web[1] failed not-ready', 'web[2] skipped']],
    ['continue', ['other applied', 'web[0] applied', 'web[1] failed not-ready', 'web[2] applied']],
  ])('on failure: %s', async (onFailure, expected) => {
    const world = await World.open();
    const rollout = `onFailure: ${onFailure}`;
    const asked: string[] = [];
    const first = await apply(world, { rollout }, answer([], asked));
    expect(first.results.every((one) => one.endsWith('applied'))).toBe(true);
    // A member that is made is probed, by the values that are known then.
    expect(asked.filter((one) => one.startsWith('.web[1]')).slice(0, 2)).toEqual([
      '.web[1] 2201',
      '.web[1] command',
    ]);
    const changed = { rollout, image: '13' };
    const bad = await apply(world, changed, answer([web(1)]));
    expect(bad.results).toEqual(expected);
    expect(unready(world)).toEqual([web(1)]);
    const failed = bad.summary.changes.find(({ result }) => result.kind === 'failed')!;
    expect(failed.elapsedMs).toBeGreaterThanOrEqual(300_000);
    expect('diagnostic' in failed.result && failed.result.diagnostic.detail).toMatch(
      /^Last seen: tcp [\d.]+:2201: refused\.$/,
    );

    // Without a further change it is probed first, and the rest follows.
    const next = await apply(world, changed, answer([]));
    expect(next.plan.changes.find(({ address }) => address === web(1))?.action).toBe('no-op');
    expect(next.plan.findings.map(({ code }) => code)).toContain('not-ready-yet');
    expect(next.events[0]).toBe(`started probe ${web(1)}`);
    expect(unready(world)).toEqual([]);
    expect((await world.plan(await configure(yaml(changed)))).plan.tasks).toEqual([]);
    world.sandbox.close();
  });

  it('repairs what is not ready before all others, and does not probe it before', async () => {
    const world = await World.open();
    await apply(world, {}, answer([]));
    await apply(world, { image: '13' }, answer([web(0)]));
    expect(unready(world)).toEqual([web(0)]);
    const { events, results } = await apply(world, { image: '12' }, answer([]));
    expect(events.filter((one) => one.includes('web'))).toEqual([
      ...[`started rebuild ${web(0)}`, `completed rebuild ${web(0)}`],
      ...[`started probe ${web(0)}`, `completed probe ${web(0)}`],
    ]);
    expect(results).toContain('web[0] applied');
    world.sandbox.close();
  });

  it('keeps the old one, and the forward on it, until a new one that is made first is ready', async () => {
    const world = await World.open();
    const lifecycle = 'createBeforeDestroy: true';
    await apply(world, { lifecycle }, answer([]));
    const before = world.store.state.resources.get(web(0))!.id;
    const bigger = { lifecycle, configuration: 'c2-r4-d40' };
    const bad = await apply(world, bigger, answer([web(0)]));
    expect(bad.results).toContain('web[0] failed not-ready');
    // Nothing is wrong with the old one.
    expect(unready(world)).toEqual([web(0)]);
    const account = await world.readAccount();
    expect(account.map(({ id }) => id)).toContain(before);
    expect(account.find(({ kind }) => kind === 'portForward')).toMatchObject({ vmId: before });

    const good = await apply(world, bigger, answer([]));
    expect(good.events[0]).toBe(`started probe ${web(0)}`);
    expect((await world.readAccount()).map(({ id }) => id)).not.toContain(before);
    world.sandbox.close();
  });

  it('is remembered from before the first request that takes a member out, whenever the run is killed', async () => {
    const desired = [await configure(yaml({})), await configure(yaml({ image: '13' }))] as const;
    let seen = 0;
    for (let killAt = 24; killAt <= 44; killAt += 2) {
      const world = await World.open();
      await world.apply(desired[0]);
      const end = await world.apply(desired[1], { killAt, askProbe: answer([web(0)]) });
      const [project] = await world.time.run(world.connect().listProjects());
      const operations = await world.time.run(world.connect().listOperations(project!.id));
      const rebuilt = operations.some(({ type }) => type === 'Rebuild');
      seen += rebuilt ? 1 : 0;
      expect([killAt, unready(world)]).toEqual([
        killAt,
        rebuilt || unready(world).length > 0 ? [web(0)] : [],
      ]);
      world.sandbox.close();
      if (end.kind === 'ended') break;
    }
    expect(seen).toBeGreaterThan(3);
  });

  it('teaches how long it takes: the next forecast counts on it', async () => {
    const world = await World.open();
    const late: RunProbeOnce = (_probe, { address, since }) =>
      Promise.resolve(
        world.time.now() - since < (address === web(0) ? 20_000 : 40_000)
          ? { kind: 'failing', seen: 'starting' }
          : { kind: 'holds' },
      );
    const forecast = async (image: string, askProbe = late) => {
      const { plan } = await apply(world, { image, rollout: 'settle: 5s' }, askProbe);
      const [web] = plan.downtime!.blocks.filter(({ address }) => address === 'projects.p.vms.web');
      return { isAssumed: web!.isAssumed, ms: web!.out.forMs! };
    };
    await apply(world, {}, late);
    await forecast('13');
    const { readyTimes } = world.store.state;
    expect(Object.keys(readyTimes!)).toEqual(['projects.p.vms.web']);
    expect(readyTimes!['projects.p.vms.web']!.meanMs).toBeGreaterThan(25_000);
    const first = await forecast('12');
    expect(first.isAssumed).toBe(false);
    expect(first.ms).toBeGreaterThan(3 * 33_000);
    // What an earlier run has changed tells nothing: it had all the time in between.
    await forecast('13', answer([web(0), web(1), web(2)]));
    const known = world.store.state.readyTimes;
    await apply(world, { image: '13' }, answer([web(1)]));
    expect(world.store.state.readyTimes).toEqual(known);
    world.sandbox.close();
  });

  it('must hold for as long as it settles', async () => {
    const world = await World.open();
    await apply(world, {}, answer([]));
    const times: number[] = [];
    const flicker: RunProbeOnce = (_probe, { since }) => {
      const now = world.time.now() - since;
      const isUp = now < 5_000 || now > 20_000;
      times.push(now);
      return Promise.resolve(isUp ? { kind: 'holds' } : { kind: 'failing', seen: 'gone' });
    };
    const { summary } = await apply(world, { image: '13', rollout: 'settle: 30s' }, flicker);
    expect(summary.changes.every(({ result }) => result.kind === 'applied')).toBe(true);
    expect(Math.max(...times)).toBeGreaterThanOrEqual(50_000);
    expect(Math.max(...times)).toBeLessThan(60_000);
    world.sandbox.close();
  });
});
