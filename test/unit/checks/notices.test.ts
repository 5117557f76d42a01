// What a plan does that somebody should know of: what may be short, what is lost, what is left out.
import { describe, expect, it } from 'vitest';
import type { PlanWishes } from '../../../src/model/plan.ts';
import { defaultCatalog, type AccountInput } from '../../support/account.ts';
import type { Config } from '../../support/desired.ts';
import { findingsOf } from '../../support/findings.ts';
import { findingLine } from '../../support/plan-lines.ts';
import {
  afterApply,
  destroyAll,
  lose,
  makeWorld,
  reconfigure,
  type World,
} from '../../support/world.ts';

const noWishes: PlanWishes = {
  adoptsAll: false,
  isForced: false,
  replace: [],
  selection: { targets: [], excludes: [] },
};
const wish = (world: World, wishes: Partial<PlanWishes>): World => ({
  ...world,
  wishes: { ...noWishes, ...wishes },
});
const vms = (...keys: string[]): Config => ({
  shop: { vms: Object.fromEntries(keys.map((key) => [key, {}])) },
});
const p = 'projects.shop';

describe('little capacity', () => {
  const sizes = (first: Partial<(typeof defaultCatalog.configurations)[number]>): AccountInput => ({
    catalog: {
      configurations: defaultCatalog.configurations.map((one) =>
        one.name === 'c1-r1-d20' ? { ...one, ...first } : { ...one, availability: 'limited' },
      ),
    },
  });
  const empty = (first: Parameters<typeof sizes>[0]) =>
    makeWorld({ config: vms('a', 'b'), account: sizes(first) });
  const told = (vmCount: string, room: string) =>
    `warning little-capacity at 2:30 shop.vms.a: This plan creates ${vmCount} of configuration "c1-r1-d20"; the cluster says it has room for ${room} at the moment`;

  it.each<[string, World, string[]]>([
    ['is no matter where nobody says', empty({}), []],
    ['is no matter where there is just enough', empty({ maxCount: 2 }), []],
    ['is told where there is not', empty({ maxCount: 1 }), [told('2 VMs', '1')]],
    ['is told where there is nothing', empty({ maxCount: 0 }), [told('2 VMs', 'none')]],
    [
      'is told where it is not to be had at all',
      empty({ availability: 'unavailable' }),
      [told('2 VMs', 'none')],
    ],
    [
      'is told of one that is replaced',
      reconfigure(afterApply(vms('a'), sizes({ maxCount: 0 })), {
        shop: { vms: { a: { tariff: 'yearly' } } },
      }),
      [told('a VM', 'none')],
    ],
    ['is no matter of what stands', afterApply(vms('a'), sizes({ maxCount: 0 })), []],
    [
      'is no matter of a size that nobody knows',
      makeWorld({ config: { shop: { vms: { a: { configuration: 'huge' } } } } }),
      [],
    ],
  ])('%s', (_what, world, expected) => {
    expect(findingsOf(world, 'little-capacity').map(findingLine)).toEqual(expected);
  });

  it('names what there is instead', () => {
    const [none] = findingsOf(empty({ maxCount: 0 }), 'little-capacity');
    expect(none?.detail).toBe(
      'The service decides when they are created; some creates may be refused.',
    );
    expect(none).not.toHaveProperty('hint');
    const account: AccountInput = {
      catalog: {
        configurations: [
          { id: 'a', name: 'full', cpu: 2, ram: 4, disk: 9, availability: null, maxCount: 0 },
          {
            id: 'b',
            name: 'small',
            cpu: 1,
            ram: 9,
            disk: 9,
            availability: 'available',
            maxCount: null,
          },
          {
            id: 'c',
            name: 'big',
            cpu: 2,
            ram: 4,
            disk: 9,
            availability: 'available',
            maxCount: null,
          },
        ],
      },
    };
    const config = { shop: { vms: { web: { configuration: 'full' } } } };
    const [some] = findingsOf(makeWorld({ config, account }), 'little-capacity');
    expect(some?.hint).toBe('Of at least that size and with room: big.');
  });
});

describe('the loss of data', () => {
  const many = afterApply(vms('a', 'b', 'c', 'd', 'e', 'f', 'g'));
  const rebuilt = (deleteBackupsOnRebuild: boolean, ...keys: string[]): Config => ({
    shop: {
      vms: Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => [
          key,
          keys.includes(key) ? { image: 'debian-13', deleteBackupsOnRebuild } : {},
        ]),
      ),
    },
  });
  const list = (...keys: string[]) => keys.map((key) => `${p}.vms.${key}`).join(', ');

  it.each<[string, World, [summary: string, detail: string] | undefined]>([
    ['is none', many, undefined],
    [
      'of one that is rebuilt',
      reconfigure(many, rebuilt(false, 'a')),
      ['This plan loses the disk of 1 VM (20 GB)', `It is: ${list('a')}.`],
    ],
    [
      'of one, with its backups',
      reconfigure(many, rebuilt(true, 'a')),
      ['This plan loses the disk of 1 VM (20 GB)', `It is: ${list('a')}. Its backups go with it.`],
    ],
    [
      'of two that go',
      reconfigure(many, vms('a', 'b', 'c', 'd', 'e')),
      [
        'This plan loses the disks of 2 VMs (40 GB)',
        `They are: ${list('f', 'g')}. Their backups go with them.`,
      ],
    ],
    [
      'of more than can be listed',
      destroyAll(many),
      [
        'This plan loses the disks of 7 VMs (140 GB)',
        `They are: ${list('a', 'b', 'c', 'd', 'e')} and 2 more. Their backups go with them.`,
      ],
    ],
    [
      'of some with their backups',
      reconfigure(many, {
        shop: {
          vms: {
            ...rebuilt(false, 'a').shop?.vms,
            b: { image: 'debian-13', deleteBackupsOnRebuild: true },
          },
        },
      }),
      [
        'This plan loses the disks of 2 VMs (40 GB)',
        `They are: ${list('a', 'b')}. The backups of 1 of them go with them.`,
      ],
    ],
    ['is none where the disk was gone before', lose(many, `${p}.vms.a`), undefined],
  ])('%s', (_what, world, expected) => {
    const found = findingsOf(world, 'data-loss').map(({ severity, summary, detail, hint }) => [
      ...[severity, summary, detail, hint],
    ]);
    const hint = 'Save what is needed before you apply.';
    expect(found).toEqual(expected ? [['warning', ...expected, hint]] : []);
  });
});

describe('a plan of a part', () => {
  const both = { targets: [`${p}.vms.a`, `${p}.vms.b`], excludes: [`${p}.vms.c`] };
  it.each<[string, World, string | undefined]>([
    ['is none without flags', makeWorld({ config: vms('a') }), undefined],
    [
      'is none with other flags',
      wish(makeWorld({ config: vms('a') }), { isForced: true }),
      undefined,
    ],
    [
      'is told with its flags',
      wish(makeWorld({ config: vms('a', 'b', 'c') }), { selection: both }),
      `It was asked for with --target ${p}.vms.a --target ${p}.vms.b --exclude ${p}.vms.c, so the account may not match the configuration afterwards.`,
    ],
  ])('%s', (_what, world, detail) => {
    expect(findingsOf(world, 'partial-plan').map((one) => [one.severity, one.detail])).toEqual(
      detail === undefined ? [] : [['warning', detail]],
    );
  });
});

describe('a quota on the way', () => {
  const networks = (...keys: string[]): Config => ({
    shop: { networks: Object.fromEntries(keys.map((key) => [key, {}])) },
  });
  const two = (limit: number) => afterApply(networks('a', 'b'), { quotas: { networks: limit } });
  const notes = (world: World) =>
    findingsOf(world, 'deletes-first').map(({ summary, detail }) => `${summary}: ${detail ?? ''}`);

  it.each<[string, World, string[], string[]]>([
    ['has room for all at once', reconfigure(two(4), networks('c', 'd')), [], []],
    [
      'has room when deletes go first',
      reconfigure(two(3), networks('c', 'd')),
      ['Deletes go first to make room in quota "networks": All at once would need 4, limit 3.'],
      [],
    ],
    [
      'has no room even so',
      reconfigure(two(2), networks('a', 'c', 'd')),
      [],
      ['quota "networks" needs 3 at the peak, limit 2, used 2'],
    ],
    ['is above its limit, and nothing is made', reconfigure(two(1), networks('a')), [], []],
    [
      'is above its limit, and another is made',
      reconfigure(two(1), networks('a', 'c')),
      [],
      ['quota "networks" needs 2 at the peak, limit 1, used 2'],
    ],
  ])('%s', (_what, world, expected, errors) => {
    expect(notes(world)).toEqual(expected);
    expect(findingsOf(world, 'quota-exceeded').map(({ summary }) => summary)).toEqual(errors);
  });

  it('tells a way out that fits', () => {
    const tight = reconfigure(two(1), networks('a', 'c'));
    expect(findingsOf(tight, 'quota-exceeded')[0]?.hint).toContain('Plan fewer');
  });
});

describe('one fault at one place', () => {
  /** As `count` makes them: all attributes stand at the same place. */
  const counted = (count: number): World => {
    const keys = Array.from({ length: count }, (_, index) => `web[${index}]`);
    const world = makeWorld({
      config: {
        shop: {
          vms: Object.fromEntries(
            keys.map((key, index) => [key, { image: 'ubuntu', name: `web-${index}` }]),
          ),
        },
      },
      account: { nameLengths: { vm: 4 } },
    });
    const attributeSources = world.desired.resources[1]!.attributeSources;
    const resources = world.desired.resources.map((one) =>
      one.kind === 'vm' ? { ...one, attributeSources } : one,
    );
    return { ...world, desired: { resources } };
  };
  const offers =
    'It offers: alma-9, debian-12, debian-13, fedora-42, rocky-9, ubuntu-22.04, ubuntu-24.04.';

  it.each<[number, string]>([
    [1, offers],
    [2, `${offers} The same holds for ${p}.vms.web[1].`],
    [3, `${offers} The same holds for ${p}.vms.web[1] and 1 more.`],
    [40, `${offers} The same holds for ${p}.vms.web[1] and 38 more.`],
  ])('is told once for %i instances', (count, detail) => {
    expect(findingsOf(counted(count), 'unknown-image')).toMatchObject([
      { address: `${p}.vms.web[0]`, detail },
    ]);
  });

  it('is told apart where it reads otherwise', () => {
    // web-0 to web-9 have five characters, web-10 and web-11 have six.
    expect(findingsOf(counted(12), 'name-too-long').map(({ address }) => address)).toEqual([
      `${p}.vms.web[0]`,
      `${p}.vms.web[10]`,
    ]);
  });
});
