// A service that does not tell its operation records, or lacks them: the resources alone show what becomes of a request, also
// after a kill.
import { describe, expect, test } from 'vitest';
import type { Binding } from '../../src/model/account/binding.ts';
import { getLiveName } from '../../src/model/account/live.ts';
import type { RunProbeOnce } from '../../src/model/plan/readiness.ts';
import { drawSome } from '../support/budget/budget.ts';
import { walkPoints } from '../support/budget/walk-points.ts';
import { everyKind } from './every-kind.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { configure, describeFailures, World, type Meddle, type WorldOptions } from './world.ts';

/** A service that tells `active` in another word. */
const wording =
  (word: string): Meddle =>
  async (request, pass) => {
    const answer = await pass();
    if (request.method !== 'GET') return answer;
    const text = (await answer.text()).replaceAll('"status":"active"', `"status":"${word}"`);
    return new Response(text, answer);
  };
/** A service that refuses to tell its operations. */
const refusing =
  (status: number, word = 'active'): Meddle =>
  (request, pass) =>
    /\/operations\b/.test(request.url)
      ? Promise.resolve(Response.json({}, { status }))
      : wording(word)(request, pass);
/** A service of which the contract file says that it has no operation records. */
const lacking: Binding = { version: 1, operations: { listOperations: 'none' } };
const changed = everyKind.replace('power: stopped', 'networks: [backend]');

test.each([
  { status: 403, word: undefined },
  { status: 404, word: undefined },
  { status: 403, word: 'ready' },
])(
  'hold up no change of what is there: $status, $word',
  { timeout: 60_000 },
  async ({ status, word }) => {
    const world = await World.open();
    await expectBuilt(world, await configure(everyKind));
    await expectBuilt(world, await configure(changed), { meddle: refusing(status, word) });
  },
);

test('hold up no create beside which somebody else makes one like it', async () => {
  const world = await World.open();
  const meddle: Meddle = async (request, pass) => {
    if (request.method !== 'POST' || !request.url.endsWith('/networks')) {
      return refusing(403)(request, pass);
    }
    const { url, method, headers } = request;
    const answer = await pass();
    const body = JSON.stringify({ name: 'theirs' });
    await world.sandbox.fetch(new Request(url, { method, headers, body }));
    return answer;
  };
  const text = 'projects: { demo: { networks: { backend: } } }';
  await expectApplied(world, await configure(text), { meddle });
  const { resources } = world.store.state;
  const bound = resources.get('projects.demo.networks.backend')?.id;
  const made = (await world.readAccount()).find((one) => getLiveName(one) === 'backend');
  expect(bound).toBe(made?.id);
});

test.each<[string, WorldOptions, Meddle]>([
  ['which the contract file says', { binding: lacking }, wording('ready')],
  ['which it says by 403', {}, refusing(403, 'ready')],
  ['which it says by 404', {}, refusing(404, 'ready')],
])('hold up nothing that is made in a status that nobody knows, %s', async (_, options, meddle) => {
  const world = await World.open(options);
  await expectBuilt(world, await configure(everyKind), { meddle });
});

test('hold up nothing that is made, where its status is told', async () => {
  const world = await World.open();
  await expectBuilt(world, await configure(everyKind), { meddle: refusing(403) });
});

describe('after a kill', () => {
  const services: readonly (readonly [string, WorldOptions, Meddle])[] = [
    ['403', {}, refusing(403)],
    ['404', {}, refusing(404)],
    ['403, statuses that nobody knows', {}, refusing(403, 'ready')],
    ['lacking, statuses that nobody knows', { binding: lacking }, wording('ready')],
  ];
  const courses = {
    'everything created': ['', everyKind],
    'everything changed': [everyKind, changed.replace('ubuntu-24.04', 'debian-12')],
    'everything destroyed but the project': [everyKind, 'projects: { demo: }'],
  } as const;
  const runs = Object.entries(courses).flatMap(([course, [first, second]]) =>
    services.map(([service, options, meddle]) => ({
      name: `${course}, ${service}`,
      ...{ first, second, options, meddle },
    })),
  );

  test.each(drawSome(runs, { short: 1, ci: 4 }, 'kills without records'))(
    '$name',
    { timeout: 600_000 },
    async ({ first, second, options, meddle }) => {
      const open = async () => {
        const world = await World.open(options);
        if (first !== '') await world.apply(await configure(first));
        return world;
      };
      const desired = await configure(second);
      await killEverywhere({ open, desired, options: { meddle }, from: 12, every: 20 });
    },
  );
});

describe('hold up neither', () => {
  const vm = (image: string) => `projects:
  demo:
    vms:
      web: { image: ${image}, configuration: c1-r1-d20, tariff: monthly, power: running, rebuild: { backupFirst: true } }
`;
  const withhold = [refusing(403), refusing(404)].map(
    (meddle, at) => [[403, 404][at], meddle] as const,
  );

  test.each(withhold)(
    'a rebuild after a backup, also after a kill: %i',
    { timeout: 300_000 },
    async (_, meddle) => {
      const before = await configure(vm('ubuntu-24.04'));
      const open = async () => {
        const world = await World.open();
        await world.apply(before);
        return world;
      };
      await expectBuilt(await open(), await configure(vm('debian-12')), { meddle });
      const desired = await configure(vm('debian-12'));
      await killEverywhere({ open, desired, options: { meddle }, from: 12, every: 12 });
    },
  );

  test.each(withhold)(
    'a create whose answer is lost, which is made once: %i',
    async (_, withheld) => {
      for (const isCarriedOut of [true, false]) {
        const world = await World.open();
        let lost = 0;
        const meddle: Meddle = async (request, pass) => {
          if (request.method !== 'POST' || !request.url.endsWith('/vms') || lost > 0)
            return withheld(request, pass);
          lost += 1;
          if (isCarriedOut) await pass();
          throw new TypeError('lost');
        };
        await expectBuilt(world, await configure(vm('debian-12')), { meddle });
        expect(lost).toBe(1);
      }
    },
  );

  test.each(withhold)(
    'a change that was accepted and left no trace, which is sent again: %i',
    async (_, withheld) => {
      const world = await World.open();
      await expectApplied(world, await configure(vm('debian-12')));
      let swallowed = 0;
      const meddle: Meddle = (request, pass) => {
        if (!request.url.endsWith('/stop') || swallowed > 0) return withheld(request, pass);
        swallowed += 1;
        return Promise.resolve(Response.json({ commandId: 'c-1' }, { status: 202 }));
      };
      const stopped = await configure(vm('debian-12').replace('running', 'stopped'));
      await expectBuilt(world, stopped, { meddle });
      expect(swallowed).toBe(1);
    },
  );
});

describe('a rebuild that is not ready is taken back once', () => {
  const address = 'projects.demo.vms.web';
  const web = (image: string) =>
    configure(`projects: { demo: { vms: { web: { image: ${image}, configuration: c1-r1-d20, tariff: monthly,
      rebuild: { backupFirst: true, restoreOnFailure: true },
      rollout: { atOnce: 1, ready: [command: [./check]] } } } } }`);
  const services: readonly (readonly [string, WorldOptions, Meddle | undefined])[] = [
    ['where records are refused', {}, refusing(403)],
    ['where the contract file says that there are none', { binding: lacking }, undefined],
  ];

  async function open(options: WorldOptions) {
    const world = await World.open(options);
    const sent: string[] = [];
    const count: (meddle?: Meddle) => Meddle = (meddle) => async (request, pass) => {
      const answer = await (meddle ? meddle(request, pass) : pass());
      if (request.url.endsWith('/restore')) sent.push(request.url);
      return answer;
    };
    const askProbe: RunProbeOnce = (_probe, { isRestored }) => {
      const isRebuilt = world.store.state.resources.get(address)?.wayBack !== undefined;
      return Promise.resolve(
        isRebuilt && !isRestored ? { kind: 'failing', seen: 'no answer' } : { kind: 'holds' },
      );
    };
    await expectApplied(world, await web('ubuntu-24.04'), { askProbe });
    return { world, sent, count, askProbe };
  }

  test.each(services)('%s', async (_, service, withheld) => {
    const { world, sent, count, askProbe } = await open(service);
    const options = { meddle: count(withheld), askProbe };
    const end = await world.apply(await web('debian-12'), options);
    expect(describeFailures(end).join()).toContain('restoredFrom');
    await world.apply(await web('debian-12'), options);
    expect(sent).toHaveLength(1);
    expect(world.store.state.resources.get(address)).toMatchObject({
      attributes: { image: 'ubuntu-24.04' },
      failedTarget: { image: 'debian-12' },
    });
  });

  test.each(services)(
    '%s, also after a kill',
    { timeout: 300_000 },
    async (_, service, withheld) => {
      await walkPoints({ from: 30, every: 15 }, async (killAt) => {
        const { world, sent, count, askProbe } = await open(service);
        const options = { meddle: count(withheld), askProbe };
        const end = await world.apply(await web('debian-12'), { ...options, killAt });
        if (end.kind !== 'killed') return { kind: 'past', last: killAt - 1 };
        const disk = [...world.store.readDisk().values()].join('');
        // A restore that was sent, and whose answer the killed run did not record, may be done once more.
        const isUnanswered = sent.length === 1 && !disk.includes('"commandName":"restoreBackup"');
        const most = isUnanswered ? 2 : 1;
        for (let run = 0; run < 3; run += 1) await world.apply(await web('debian-12'), options);
        const isRight = sent.length > 0 && sent.length <= most;
        return { kind: 'tried', faults: isRight ? [] : [`${sent.length} restores`] };
      });
    },
  );
});
