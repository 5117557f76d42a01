import { describe, expect, it } from 'vitest';
import type { Guards } from '../../../src/model/resource.ts';
import { findingsOf } from '../../support/findings.ts';
import { checkedPlanOf, findingLine } from '../../support/plan-lines.ts';
import { afterApply, destroyAll, makeWorld, reconfigure, type World } from '../../support/world.ts';

const source = { file: 'main.yaml', line: 9, column: 3, endLine: 9, endColumn: 4 };
const networks = (count: number) => ({
  p: { networks: Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, {}])) },
});
/** A project with so many networks, of which so many are left. */
const fewer = (before: number, after: number) =>
  reconfigure(afterApply(networks(before)), networks(after));
const guarded = (world: World, guards: Omit<Guards, 'source'>): World => ({
  ...world,
  desired: { ...world.desired, guards: { ...guards, source } },
});
const forced = (world: World): World => ({
  ...world,
  planOptions: {
    adoptsAll: false,
    isForced: true,
    replace: [],
    selection: { targets: [], excludes: [] },
  },
});
const found = (world: World) =>
  ['empty-', 'too-many-deletes', 'too-few-'].flatMap((code) => findingsOf(world, code));

describe('bounds that the configuration sets', () => {
  const many = (deletes: number, of: number, bound: string, severity = 'error') =>
    `${severity} too-many-deletes at 9:3: This plan destroys ${deletes} of ${of} resources, guards.maxDeletes is ${bound}`;

  it.each<[string, World, string[]]>([
    ['none', fewer(9, 0), []],
    ['as many deletes as may be', guarded(fewer(9, 6), { maxDeletes: { count: 3 } }), []],
    ['one more', guarded(fewer(9, 5), { maxDeletes: { count: 3 } }), [many(4, 10, '3')]],
    ['none may be', guarded(fewer(9, 8), { maxDeletes: { count: 0 } }), [many(1, 10, '0')]],
    ['a share, just so', guarded(fewer(9, 6), { maxDeletes: { percent: 30 } }), []],
    [
      'a share, and one more',
      guarded(fewer(9, 5), { maxDeletes: { percent: 30 } }),
      [many(4, 10, '30 %')],
    ],
    [
      'a share is rounded down',
      guarded(fewer(2, 1), { maxDeletes: { percent: 30 } }),
      [many(1, 3, '30 %')],
    ],
    [
      'a replacement destroys too',
      guarded(
        reconfigure(afterApply({ p: { vms: { a: {} } } }), {
          p: { vms: { a: { tariff: 'yearly' } } },
        }),
        { maxDeletes: { count: 0 } },
      ),
      [many(1, 2, '0')],
    ],
    [
      'a rebuild takes away what is on the disk',
      guarded(
        reconfigure(afterApply({ p: { vms: { a: {}, b: {}, c: {} } } }), {
          p: { vms: { a: { image: 'debian-12' }, b: { image: 'debian-12' } } },
        }),
        { maxDeletes: { count: 2 } },
      ),
      [
        'error too-many-deletes at 9:3: This plan destroys 1 and rebuilds 2 of 4 resources, guards.maxDeletes is 2',
      ],
    ],
    [
      'a share counts from so many resources on',
      guarded(fewer(9, 4), { maxDeletes: { percent: 10 }, minResources: 10 }),
      [many(5, 10, '10 %')],
    ],
    [
      'and not for fewer',
      guarded(fewer(9, 4), { maxDeletes: { percent: 10 }, minResources: 11 }),
      [],
    ],
    [
      'a number counts always',
      guarded(fewer(9, 4), { maxDeletes: { count: 3 }, minResources: 11 }),
      [many(5, 10, '3')],
    ],
    [
      'with --force, only a warning',
      forced(guarded(fewer(9, 5), { maxDeletes: { count: 3 } })),
      [many(4, 10, '3', 'warning')],
    ],
    [
      'a destroy was asked for by name',
      destroyAll(guarded(fewer(9, 9), { maxDeletes: { count: 0 }, minResources: 5 })),
      [],
    ],
  ])('%s', (_what, world, lines) => expect(found(world).map(findingLine)).toEqual(lines));

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

it('one fault at one place is told once, however many instances have it', () => {
  const vms = Object.fromEntries([0, 1, 2, 3].map((at) => [`web[${at}]`, { image: 'nope' }]));
  const oneLine = (count: number): World => {
    const few = Object.fromEntries(Object.entries(vms).slice(0, count));
    const world = makeWorld({ config: { p: { vms: few } } });
    const resources = world.desired.resources.map((one) => ({
      ...one,
      attributeSources: {},
      source,
    }));
    return { ...world, desired: { ...world.desired, resources } };
  };
  const details = [1, 2, 4].map((count) => {
    const all = checkedPlanOf(oneLine(count)).findings.filter(
      ({ code }) => code === 'unknown-image',
    );
    expect(all).toHaveLength(1);
    return all[0]?.detail?.replace(/^It offers: [^.]*(\.\d[^.]*)*\. ?/, '');
  });
  expect(details[0]).not.toContain('same');
  expect(details[1]).toMatch(/The same holds for projects\.p\.vms\.web\[1\]\.$/);
  expect(details[2]).toMatch(/The same holds for projects\.p\.vms\.web\[1\] and 2 more\.$/);
});

it('lets a plan pass that only refreshes the state', () => {
  const nothing = makeWorld({ config: {} });
  const applied = guarded(fewer(9, 0), { maxDeletes: { count: 0 } });
  const refreshed: World = { ...applied, desired: nothing.desired, mode: 'refresh' };
  expect(found(refreshed)).toEqual([]);
});
