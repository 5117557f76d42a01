import { describe, expect, test } from 'vitest';
import { EvaluationBudget } from '../../src/expressions/values/budget.ts';
import { isEffectivePlan } from '../../src/model/plan/plan.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { configure, describeFailures, findViolations, World } from './world.ts';
import { expectApplied } from './expect-built.ts';

const secret = 'correct-horse-battery';
const main = `
variables: { password: { default: ${secret}, sensitive: true } }
projects:
  shop:
    networks: { backend: {} }
    publicIps: { edge: {}, spare: {} }
    vms:
      web: { count: 2, image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly, networks: [backend] }
outputs:
  webIp: { value: "\${projects.shop.publicIps.edge.address}" }
  webs: { value: "\${projects.shop.vms.web.map(vm, vm.internalIp)}" }
  spareId: { value: "\${projects.shop.publicIps.spare.id}" }
  password: { value: "\${var.password}:\${projects.shop.publicIps.edge.id}", sensitive: true }
checks:
  edgeHasIp: { assert: 'projects.shop.publicIps.edge.address != null' }
  bigNet: { assert: 'projects.shop.networks.backend.cidr.endsWith("/8")', message: 'It is \${projects.shop.networks.backend.cidr}', severity: deny }
`;

describe('outputs and checks', () => {
  test('are worked out against what stands after an apply, and kept without what is sensitive', async () => {
    const world = await World.open();
    const desired = await configure(main);
    const end = await expectApplied(world, desired);
    if (end.kind !== 'ended') return;
    const { state } = await world.store.reopen();
    const outputs = Object.fromEntries(state.outputs ?? []);
    expect(outputs).toMatchObject({
      webIp: { sensitive: false, value: expect.stringMatching(/^[\d.]+$/) as string },
      webs: { value: [expect.any(String), expect.any(String)] },
      password: { sensitive: true },
    });
    expect(outputs.password).not.toHaveProperty('value');
    expect(
      end.summary.findings?.map(({ code, severity, summary }) => [code, severity, summary]),
    ).toEqual([['check-failed', 'error', expect.stringMatching(/^Check bigNet: It is 10\./)]]);
    expect([...world.store.readDisk().values()].join()).not.toContain(secret);
    expect(JSON.stringify(end.planned.plan)).not.toContain(secret);
    expect(await findViolations(world, desired)).toEqual([]);
  });

  test('cost the run what is left of its budget, and no second one', async () => {
    const world = await World.open();
    const steps = new EvaluationBudget(100_000);
    const spendRest = () => {
      for (;;) steps.spend(1_000);
    };
    const end = await expectApplied(world, await configure(main), {
      steps,
      onPlanned: () => expect(spendRest).toThrow('too long'),
    });
    if (end.kind !== 'ended') return;
    const codes = end.summary.findings?.map(({ code, detail = '' }) => [code, detail]);
    const told = expect.stringContaining('of this run take too long') as string;
    expect(codes).toEqual([
      ...Array.from({ length: 3 }, () => ['output-failed', told]),
      ['output-failed', 'Its expression fails on a sensitive value, which is not shown.'],
      ['check-broken', told],
      ['check-broken', told],
    ]);
  });

  test('keep their values where something went wrong, and are mended by the next run', async () => {
    const world = await World.open();
    const desired = await configure(main);
    let lost = 0;
    const end = await world.apply(desired, {
      meddle: async (request, pass) => {
        const isAddress = request.method === 'POST' && request.url.endsWith('/public-ips');
        if (!isAddress || lost > 0) return pass();
        lost += 1;
        return new Response('{"title":"No"}', { status: 422 });
      },
    });
    expect(describeFailures(end)).toHaveLength(1);
    const known = (await world.store.reopen()).state.outputs ?? new Map<string, unknown>();
    expect(known.has('webs')).toBe(true);
    expect(known.has('webIp') && known.has('spareId')).toBe(false);
    await expectApplied(world, desired);
    const { outputs = new Map<string, unknown>() } = (await world.store.reopen()).state;
    expect([...outputs.keys()].sort()).toEqual(['password', 'spareId', 'webIp', 'webs']);
    expect(isEffectivePlan((await world.plan(desired)).plan)).toBe(false);
  });

  test('go with everything, and follow a configuration that only they changed in', async () => {
    const world = await World.open();
    await world.apply(await configure(main));
    const changed = await configure(main.replace('edge.address}', 'edge.id}'));
    const { plan } = await world.plan(changed);
    expect(isEffectivePlan(plan)).toBe(true);
    expect(plan.changes.every(({ action }) => action === 'no-op')).toBe(true);
    await world.apply(changed);
    expect(isEffectivePlan((await world.plan(changed)).plan)).toBe(false);
    await expectApplied(world, changed, { mode: 'destroy' });
    expect((await world.store.reopen()).state.outputs).toBeUndefined();
  });

  test('killed at any step, a run leaves what the next one completes', async () => {
    const desired = await configure(main);
    const whole = await (await World.open()).apply(desired);
    const goOn = async (world: World) => {
      const failures = describeFailures(await world.apply(desired));
      expect(isEffectivePlan((await world.plan(desired)).plan)).toBe(false);
      expect((await world.store.reopen()).state.outputs?.size).toBe(4);
      return failures;
    };
    const points = { from: whole.steps - 7, to: whole.steps + 1 };
    expect(await killEverywhere({ open: () => World.open(), desired, goOn, ...points })).toBe(8);
  });
});
