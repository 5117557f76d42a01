import { describe, expect, it } from 'vitest';
import type { CheckEntry } from '../../../../src/model/deferred.ts';
import { noPlanOptions } from '../../../../src/model/plan/plan.ts';
import type { ModuleInstanceOrder } from '../../../../src/model/resource.ts';
import { buildPlan } from '../../../../src/plan/build-plan.ts';
import { estimateCommandTimes } from '../../../../src/plan/forecast/expect-spans.ts';
import { expressionOf } from '../../../support/defer.ts';
import type { Config } from '../../../support/desired.ts';
import { afterApply, makeWorld, reconfigure, type World } from '../../../support/world.ts';

/** Projects stand for instances: an address is all that an order knows of either. */
const configOf = (images: Readonly<Record<string, string>>): Config =>
  Object.fromEntries(
    Object.entries(images).map(([key, image]) => [key, { vms: { web: { image } } }]),
  );
const [old, now] = ['debian-12', 'debian-13'];

const check: CheckEntry = {
  name: 'sound',
  prefix: '',
  assert: expressionOf('projects.x.vms.web.image == "debian-13"', ['projects.x.vms.web.image']),
  severity: 'warn',
  source: { file: 'a.yaml', line: 1, column: 1 } as CheckEntry['source'],
};

function ordered(
  world: World,
  { needsChecks = false, waitMs = 0 }: Partial<ModuleInstanceOrder> = {},
): World {
  const instances = ['projects.b', 'projects.a', 'projects.c'];
  const orders = { instanceOrders: [{ instances, needsChecks, waitMs }], checks: [check] };
  return { ...world, desired: { ...world.desired, ...orders } };
}

const rebuilt = (before: Record<string, string>, after: Record<string, string>) =>
  reconfigure(afterApply(configOf(before)), configOf(after));

/** Each gate with what it waits for, and who waits for it. */
function gatesOf(world: World): string[] {
  const { tasks } = buildPlan(world).plan;
  const short = (id: string) => id.replace('projects.', '').replace('.vms.web', '');
  return tasks.flatMap(({ id, gate, dependsOn }) => {
    if (!gate) return [];
    const on = dependsOn.map(({ on: one, reason }) => `${short(one)} (${reason})`).join(' ');
    const by = tasks.filter((task) => task.dependsOn.some((one) => one.on === id));
    const held = `${gate.needsChecks ? ' checks' : ''} ${gate.waitMs / 1_000}s`;
    return [`${short(id)}:${held}: ${on} -> ${by.map((task) => short(task.id)).join(' ')}`];
  });
}

const all = { a: old, b: old, c: old, x: old };
const wait = { waitMs: 60_000 };

describe('instances in an order', () => {
  it.each<[string, World, readonly string[]]>([
    [
      'go one after the other',
      ordered(rebuilt(all, { ...all, a: now, b: now, c: now, x: now }), wait),
      ['a#gate: 60s: b#apply (rollout) -> a#apply', 'c#gate: 60s: a#apply (rollout) -> c#apply'],
    ],
    [
      'leave out what has no change',
      ordered(rebuilt(all, { ...all, b: now, c: now }), wait),
      ['c#gate: 60s: b#apply (rollout) -> c#apply'],
    ],
    ['wait for nothing before the first', ordered(rebuilt(all, { ...all, c: now }), wait), []],
    [
      'are held by the checks also where nothing before them changes',
      ordered(rebuilt(all, { ...all, a: now, x: now }), { ...wait, needsChecks: true }),
      ['a#gate: checks 0s: x#apply (value) -> a#apply'],
    ],
    [
      'go in reverse when they are destroyed, and no check counts',
      ordered({ ...afterApply(configOf(all)), mode: 'destroy' }, { ...wait, needsChecks: true }),
      [
        'a#gate: 60s: c#destroy (rollout) c#destroy (rollout) -> a#destroy a#destroy',
        'b#gate: 60s: a#destroy (rollout) a#destroy (rollout) -> b#destroy b#destroy',
      ],
    ],
  ])('%s', (_, world, expected) => expect(gatesOf(world)).toEqual(expected));

  it('are those that a selection names', () => {
    const world = ordered(rebuilt(all, { a: now, b: now, c: now, x: old }), {
      ...wait,
      needsChecks: true,
    });
    const planOptions = {
      ...noPlanOptions,
      selection: { targets: ['projects.c', 'projects.a'], excludes: [] },
    };
    expect(gatesOf({ ...world, planOptions })).toEqual([
      'c#gate: checks 60s: a#apply (rollout) -> c#apply',
    ]);
  });

  it('are forecast with their waits', () => {
    const world = ordered(makeWorld({ config: configOf({ a: old, b: old }) }), wait);
    const spans = estimateCommandTimes(buildPlan(world).plan.tasks);
    const [first, second] = ['projects.b', 'projects.a'].map((at) =>
      spans.filter(({ address }) => address.startsWith(at)),
    );
    const end = Math.max(...first!.map(({ endMs }) => endMs));
    const start = Math.min(...second!.map(({ startMs }) => startMs));
    expect(start - end).toBeGreaterThanOrEqual(60_000);
  });
});
