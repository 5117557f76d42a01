import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { PlanLossGuards } from '../../../src/model/resource.ts';
import { findingsOf } from '../../support/findings.ts';
import { findingLine } from '../../support/plan-lines.ts';
import { afterApply, destroyAll, makeWorld, reconfigure, type World } from '../../support/world.ts';
import { noPlanOptions } from '../../../src/model/plan/plan.ts';
import { type Config, type VmConfig } from '../../support/desired.ts';
import { readRows } from '../../support/read-rows.ts';

const source = { file: 'main.yaml', line: 9, column: 3, endLine: 9, endColumn: 4 };
const networks = (count: number) => ({
  p: { networks: Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, {}])) },
});
/** A project with so many networks, of which so many are left. */
const fewer = (before: number, after: number) =>
  reconfigure(afterApply(networks(before)), networks(after));
const guarded = (world: World, guards: Omit<PlanLossGuards, 'source'>): World => ({
  ...world,
  desired: { ...world.desired, guards: { ...guards, source } },
});
const forced = (world: World): World => ({
  ...world,
  planOptions: { ...noPlanOptions, isForced: true },
});
const found = (world: World) =>
  ['empty-', 'too-many-deletes', 'too-few-'].flatMap((code) => findingsOf(world, code));

describe('bounds that the configuration sets', () => {
  const small = (vms: Record<string, VmConfig>): Config => ({ p: { vms } });
  const debian = { image: 'debian-12' };
  const worlds: Readonly<Record<string, World>> = {
    replaced: reconfigure(afterApply(small({ a: {} })), small({ a: { tariff: 'yearly' } })),
    rebuilt: reconfigure(
      afterApply(small({ a: {}, b: {}, c: {} })),
      small({ a: debian, b: debian }),
    ),
  };

  it.each(
    readRows(`
    as many deletes as may be | 9 to 6 | { maxDeletes: { count: 3 } } |
    one more | 9 to 5 | { maxDeletes: { count: 3 } } | destroys 4 of 10 resources, guards.maxDeletes is 3
    none may be | 9 to 8 | { maxDeletes: { count: 0 } } | destroys 1 of 10 resources, guards.maxDeletes is 0
    a share, just so | 9 to 6 | { maxDeletes: { percent: 30 } } |
    a share, and one more | 9 to 5 | { maxDeletes: { percent: 30 } } | destroys 4 of 10 resources, guards.maxDeletes is 30 %
    a share is rounded down | 2 to 1 | { maxDeletes: { percent: 30 } } | destroys 1 of 3 resources, guards.maxDeletes is 30 %
    a replacement destroys too | replaced | { maxDeletes: { count: 0 } } | destroys 1 of 2 resources, guards.maxDeletes is 0
    a rebuild takes away what is on the disk | rebuilt | { maxDeletes: { count: 2 } } | destroys 1 and rebuilds 2 of 4 resources, guards.maxDeletes is 2
    a share counts from so many resources on | 9 to 4 | { maxDeletes: { percent: 10 }, minResources: 10 } | destroys 5 of 10 resources, guards.maxDeletes is 10 %
    and not for fewer | 9 to 4 | { maxDeletes: { percent: 10 }, minResources: 11 } |
    a number counts always | 9 to 4 | { maxDeletes: { count: 3 }, minResources: 11 } | destroys 5 of 10 resources, guards.maxDeletes is 3
  `),
  )('%s', (_what, name, guards, said) => {
    const [before, after] = name.split(' to ').map(Number);
    const world = guarded(worlds[name] ?? fewer(before!, after!), parse(guards) as PlanLossGuards);
    const told = (severity: string) =>
      said === '' ? [] : [`${severity} too-many-deletes at 9:3: This plan ${said}`];
    expect(found(world).map(findingLine)).toEqual(told('error'));
    expect(found(forced(world)).map(findingLine)).toEqual(told('warning'));
    expect(found(destroyAll(world))).toEqual([]);
  });

  it('are none unless they are set', () => expect(found(fewer(9, 0))).toEqual([]));

  it('names five of what would go, and the way past', () => {
    const [finding] = found(guarded(fewer(9, 0), { maxDeletes: { count: 3 } }));
    const names = [0, 1, 2, 3, 4].map((at) => `projects.p.networks.n${at}`);
    expect(finding).toMatchObject({
      detail: `Among them: ${names.join(', ')}.`,
      hint: 'Check the plan again. To apply it all the same, add --force.',
    });
    const [warning] = found(forced(guarded(fewer(9, 0), { maxDeletes: { count: 3 } })));
    expect(warning).not.toHaveProperty('hint');
  });
});

describe('a configuration without anything', () => {
  const empty = reconfigure(afterApply(networks(2)), {});
  const said = 'empty-configuration: The configuration has no resources, the state has 3';

  it.each<[string, World, string[]]>([
    ['would destroy all that the state has', empty, [`error ${said}`]],
    ['may with --force', forced(empty), [`warning ${said}`]],
    ['is asked for by destroy', destroyAll(empty), []],
    ['is nothing where the state has nothing', makeWorld({}), []],
  ])('%s', (_what, world, lines) => expect(found(world).map(findingLine)).toEqual(lines));
});

it('lets a plan pass that only refreshes the state', () => {
  const nothing = makeWorld({ config: {} });
  const applied = guarded(fewer(9, 0), { maxDeletes: { count: 0 } });
  const refreshed: World = { ...applied, desired: nothing.desired, mode: 'refresh' };
  expect(found(refreshed)).toEqual([]);
});
