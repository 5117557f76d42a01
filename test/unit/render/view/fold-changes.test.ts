import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { Change, Plan } from '../../../../src/model/plan/plan.ts';
import { foldChanges } from '../../../../src/render/view/fold-changes.ts';
import { joinAddresses } from '../../../../src/render/view/instance-texts.ts';
import { renderPlanMarkdown } from '../../../../src/render/markdown/markdown.ts';
import { renderPlanText } from '../../../../src/render/text/text.ts';
import { viewPlan } from '../../../../src/render/view/view.ts';
import { unfoldAddress } from '../../../support/unfold-address.ts';
import { makeChange, makePlan, plain } from '../sample-plan.ts';

const at = (key: number | string, resource = 'vms.web') =>
  `projects.shop.${resource}[${JSON.stringify(key)}]`;
const create = (key: number | string, after: Change['after'] = {}) =>
  makeChange({ address: at(key), action: 'create', after: { name: `web-${key}`, ...after } });
const each = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const fold = (changes: readonly Change[], given: Partial<Plan> = {}) =>
  foldChanges(viewPlan(makePlan(changes, given)).changes);
const render = (changes: readonly Change[], given: Partial<Plan> = {}, isVerbose = false) =>
  renderPlanText(makePlan(changes, given), { ...plain, isVerbose });
/** The headlines without what is below them. */
const headlines = (changes: readonly Change[], given: Partial<Plan> = {}) =>
  render(changes, given).match(/^ {2}# projects.*/gm);

describe('equal changes of one resource', () => {
  test('are one from four on, with all their addresses and how many they are', () => {
    expect(headlines(each(4, (index) => create(index)))).toEqual([
      '  # projects.shop.vms.web[0..3] will be created (4 VMs)',
    ]);
    expect(headlines(each(3, (index) => create(index)))).toHaveLength(3);
  });

  test('are unfolded when asked for', () => {
    const changes = each(40, (index) => create(index));
    expect(render(changes, {}, true).match(/will be created/g)).toHaveLength(40);
    const text = renderPlanMarkdown(makePlan(changes), { isVerbose: true });
    expect(text.match(/will be created/g)).toHaveLength(40);
    expect(renderPlanMarkdown(makePlan(changes))).toContain('web[0..39] will be created (40 VMs)');
  });

  test('the one that differs stands on its own, each in its place', () => {
    const changes = each(12, (index) => create(index, { image: index === 0 ? 'b' : 'a' }));
    const others = [makeChange({ address: 'projects.shop.vms.x', action: 'create', after: {} })];
    expect(headlines([...changes, ...others])).toEqual([
      '  # projects.shop.vms.web[0] will be created',
      '  # projects.shop.vms.web[1..11] will be created (11 VMs)',
      '  # projects.shop.vms.x will be created',
    ]);
    const few = each(8, (index) => create(index, { image: index % 3 === 0 ? 'b' : 'a' }));
    expect(headlines(few)).toEqual([
      '  # projects.shop.vms.web[0] will be created',
      '  # projects.shop.vms.web[1, 2, 4, 5, 7] will be created (5 VMs)',
      '  # projects.shop.vms.web[3] will be created',
      '  # projects.shop.vms.web[6] will be created',
    ]);
  });

  test('many keys take as many lines as they need', () =>
    expect(
      render(each(30, (index) => create(`key-${index}`)))
        .split('\n')
        .filter((line) => line.startsWith('  #')),
    ).toMatchInlineSnapshot(`
      [
        "  # projects.shop.vms.web["key-0", "key-1", "key-2", "key-3", "key-4",",
        "  #   "key-5", "key-6", "key-7", "key-8", "key-9", "key-10", "key-11", "key-12",",
        "  #   "key-13", "key-14", "key-15", "key-16", "key-17", "key-18", "key-19",",
        "  #   "key-20", "key-21", "key-22", "key-23", "key-24", "key-25", "key-26",",
        "  #   "key-27", "key-28", "key-29"]",
        "  #   will be created (30 VMs)",
      ]
    `));

  test.each<[string, readonly Change[]]>([
    ['actions', each(8, (index) => (index < 3 ? create(index) : create(index, { power: 'off' })))],
    [
      'reasons',
      each(6, (index) => ({
        ...create(index),
        ...(index < 3 && { reason: 'deleted-outside' as const }),
      })),
    ],
    [
      'losses',
      each(6, (index) => ({ ...create(index), losses: [index % 2 === 0 ? 'A disk.' : 'Much.'] })),
    ],
    ['numbers', each(6, (index) => create(index, { port: 80 + index }))],
    [
      'names that nothing derives',
      each(6, (index) => create(index, { name: 'abcdef'[index] ?? '' })),
    ],
    ['numbers in their names', each(6, (index) => create(index, { name: 'w1'.repeat(index) }))],
    ['what they read', each(6, (index) => create(index, { vm: `web[${index % 3}]` }))],
  ])('differ in their %s', (_, changes) => {
    expect(fold(changes).filter(({ members }) => (members?.length ?? 0) > 5)).toEqual([]);
  });

  test('what was changed outside stands apart, and says what it was', () => {
    const rename = (index: number, drift: Change['drift']) =>
      makeChange({
        address: at(index),
        action: 'update',
        before: { name: drift ? 'by-hand' : `web-${index}`, power: 'running' },
        after: { name: `web-${index}`, power: 'stopped' },
        fields: [{ name: 'power', effect: 'update' }],
        ...(drift && { drift }),
      });
    const text = render(
      each(9, (index) => rename(index, index > 4 ? { name: `web-${index}` } : undefined)),
    );
    expect(text.slice(text.indexOf('  # '), text.indexOf('Summary:'))).toMatchInlineSnapshot(`
      "  # projects.shop.vms.web[0..4] will be updated in-place (5 VMs)
        ~ vm "web" {
              id    = "vm-1"
              name  = "web-{0..4}"
            ~ power = "running" -> "stopped"
          }

        # projects.shop.vms.web[5..8] will be updated in-place (4 VMs)
        ~ vm "web" {
              id    = "vm-1"
            ~ name  = "by-hand" -> "web-{5..8}" # changed outside: was "web-{5..8}"
            ~ power = "running" -> "stopped"
          }

      "
    `);
  });

  test('whatever was changed outside has to be equal', () => {
    const drifted = (drift: Change['drift']) =>
      each(5, (index) => ({
        ...create(index, { hosts: [], meta: {}, note: '' }),
        drift: drift ?? {},
      }));
    const shown = (drift: Change['drift']) => fold(drifted(drift))[0]?.attributes;
    const drift = { hosts: ['a', 1], meta: { a: null, b: { c: 'd' } }, note: 'x' };
    expect(shown(drift)?.map(({ outside }) => outside)).toEqual([
      ...[drift.hosts, undefined, drift.meta, undefined, drift.note],
    ]);
    const mixed = [...drifted({ hosts: [1] }).slice(0, 3), ...drifted({ hosts: [2] }).slice(3)];
    expect(fold(mixed)).toHaveLength(5);
  });

  test('unchanged names that nothing derives are counted', () => {
    const names = ['web-0', 'web-1', 'db', 'x-3', 'y-4'];
    const change = (index: number) =>
      makeChange({
        ...{ address: at(index), action: 'update', id: null },
        before: { name: names[index] ?? '', ports: [index], power: 'on' },
        after: { name: names[index] ?? '', ports: [index], power: 'off' },
      });
    const text = render(each(5, change));
    expect(text).toContain('        name  = (5 different values)\n');
    expect(text).toContain('        # (1 unchanged attribute hidden)\n');
    expect(render([change(0), change(1), change(3), change(4)])).toContain('(4 different values)');
  });

  test('names count from one, and with zeros before them', () => {
    const name = (text: (index: number) => string) => {
      const [change] = fold(each(12, (index) => create(index, { name: text(index) })));
      const found = change?.attributes.find((one) => one.name === 'name')?.diff;
      return found?.kind === 'scalar' ? found.after : undefined;
    };
    expect(name((index) => `v2-${index + 1}`)).toBe('v2-{1..12}');
    expect(name((index) => `web-${String(index + 1).padStart(2, '0')}`)).toBe('web-{01..12}');
    expect(name((index) => `${index}-of-${index + 1}`)).toBe('{0..11}-of-{1..12}');
    expect(name((index) => `web-${String(index).padStart(index < 6 ? 2 : 3, '0')}`)).toBe(
      'web-{00..05, 006..011}',
    );
  });

  test('texts that say the key of a forEach', () => {
    const names = (text: (key: string) => string) => {
      const keys = ['a', 'b', 'c', 'd'];
      const [change] = fold(keys.map((key) => create(key, { name: text(key) })));
      const found = change?.attributes.find((one) => one.name === 'name')?.diff;
      return found?.kind === 'scalar' ? found.after : undefined;
    };
    expect(names((key) => `data-${key}`)).toBe('data-{a, b, c, d}');
    expect(names((key) => `${key}-x-${key}`)).toBe('{a, b, c, d}-x-{a, b, c, d}');
    expect(names((key) => `disk["${key}"]`)).toBe('disk["a", "b", "c", "d"]');
    expect(names((key) => `["a"]-${key}`)).toBe('["a"]-{a, b, c, d}');
    expect(names((key) => `vm-${key.charCodeAt(0)}`)).toBe('vm-97');
  });

  test('an empty key says nothing in a text', () =>
    expect(fold(['', 'b', 'c', 'd', 'e'].map((key) => create(key)))).toHaveLength(2));

  test('the numbers of a count in reasons, moves, lists and texts', () => {
    const moved = each(5, (index) =>
      makeChange({
        ...{ address: at(index), action: 'update', movedFrom: at(index, 'vms.old') },
        ...{ before: { hosts: [], note: null, meta: {} } },
        after: {
          hosts: [`host-${index}`],
          note: `first\nnumber ${index}`,
          meta: { rack: `r${index}`, slot: null, isOn: true },
        },
      }),
    );
    const text = render(moved);
    expect(text.slice(text.indexOf('  # '), text.indexOf('Summary:'))).toMatchInlineSnapshot(`
      "  # projects.shop.vms.web[0..4] will be updated in-place (5 VMs)
        # (moved from projects.shop.vms.old[0..4])
        ~ vm "web" {
            ~ hosts = [
                + "host-{0..4}",
              ]
              id    = "vm-1"
            ~ meta  = {
                + isOn = true
                + rack = "r{0..4}"
                  # (1 unchanged attribute hidden)
              }
            + note  = <<-EOT
                  first
                  number {0..4}
              EOT
          }

      "
    `);
    const gone = each(5, (index) =>
      makeChange({
        address: at(index + 3),
        action: 'delete',
        reason: 'not-configured',
        before: {},
      }),
    );
    expect(render([...gone, create(0)])).toContain(
      '  # projects.shop.vms.web[3..7] will be destroyed (5 VMs)\n  # (because indexes [3..7] are out of range for count)\n',
    );
  });

  test('ids and what does not change may differ', () => {
    const ids = ['q', 'w', 'e', 'r', 't'];
    const change = (index: number, action: Change['action']) =>
      makeChange({
        ...{ address: at(index), action, id: ids[index] ?? null },
        before: { name: `n${ids[index]}`, power: 'on', internalIp: `10.0.0.${index * index}` },
        after: action === 'delete' ? null : { name: `n${ids[index]}`, power: 'off' },
        unknown: action === 'replace' ? ['internalIp'] : [],
        fields: [{ name: 'power', effect: 'update' }],
        sensitive: ['power'],
      });
    const drawn = (action: Change['action']) => {
      const text = render(each(5, (index) => change(index, action)));
      return text.slice(text.indexOf('  # '), text.indexOf('Summary:'));
    };
    expect(drawn('replace')).toMatchInlineSnapshot(`
      "  # projects.shop.vms.web[0..4] must be replaced (5 VMs)
      -/+ vm "web" {
              name  = (5 different values)
            ~ power = (sensitive value)
              # the replacement changes id and internalIp
          }

      "
    `);
    // A name that goes is part of what is approved.
    expect(fold(each(5, (index) => change(index, 'delete')))).toHaveLength(5);
  });

  test('what lives in an instance, and instances in several projects', () => {
    const forward = (index: number, project: string) =>
      makeChange({
        address: `projects.${project}.publicIps.edge[${index}].forwards.https`,
        action: 'create',
        after: { publicPort: 443, vm: `web[${index}]` },
      });
    expect(
      headlines([
        ...each(4, (index) => forward(index, 'a')),
        ...each(4, (index) => forward(index, 'b')),
      ]),
    ).toEqual([
      '  # projects.a.publicIps.edge[0..3].forwards.https',
      '  # projects.b.publicIps.edge[0..3].forwards.https',
    ]);
    const projects = each(4, (index) =>
      makeChange({ address: `projects.p[${index}]`, action: 'create', after: {} }),
    );
    expect(headlines(projects)).toEqual(['  # projects.p[0..3] will be created (4 projects)']);
  });

  test('changes made outside, and what was deleted there', () => {
    const drift = each(5, (index) => ({
      ...({ address: at(index), kind: 'vm', project: 'projects.shop', id: `vm-${index}` } as const),
      ...{ before: { power: 'running' }, after: index < 5 ? { power: 'stopped' } : null },
      ...{ names: ['power'], sensitive: [] },
    }));
    expect(headlines([], { mode: 'refresh', drift })).toEqual([
      '  # projects.shop.vms.web[0..4] has changed (5 VMs)',
    ]);
    const gone = [...each(5, (index) => at(index)), 'projects.shop.networks.a'];
    expect(headlines([], { gone })).toEqual([
      '  # projects.shop.vms.web[0..4] has been deleted (5 VMs)',
      '  # projects.shop.networks.a has been deleted',
    ]);
    const all = { ...plain, isVerbose: true };
    expect(renderPlanText(makePlan([], { gone }), all)).toContain(at(3));
    expect(renderPlanMarkdown(makePlan([], { gone }), { isVerbose: true })).toContain(at(3));
    expect(renderPlanText(makePlan([], { mode: 'refresh', drift }), all)).toContain(at(3));
    expect(renderPlanMarkdown(makePlan([], { gone }))).toContain('[0..4] has been deleted (5 VMs)');
    const strange = each(5, (index) => `modules.m[${index}]`);
    expect(headlines([], { gone: strange })).toBeNull();
  });
});

describe('whatever the keys', () => {
  const key = fc.oneof(fc.nat(60), fc.constantFrom('a', 'b', 'ä"', ']', ', ', '0..3'));
  const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 30 });

  property.prop([keys])('joined addresses are those that were joined', (given) => {
    const addresses = given.map((one) => at(one));
    const joined = joinAddresses(addresses, 1);
    expect(joined.flatMap(({ address }) => unfoldAddress(address)).sort()).toEqual(
      [...addresses].sort(),
    );
    expect(joined.flatMap(({ members }) => members).sort()).toEqual([...addresses].sort());
  });

  property.prop([keys, fc.array(fc.constantFrom('a', 'b'), { minLength: 30, maxLength: 30 })])(
    'every change is shown once, with its own attributes',
    (given, images) => {
      const changes = given.map((one, index) => create(one, { image: images[index] ?? 'a' }));
      const shown = fold(changes);
      const seen = shown.flatMap((change) =>
        unfoldAddress(change.address).map((address) => ({
          address,
          image: change.attributes.find(({ name }) => name === 'image')?.diff,
        })),
      );
      const expected = viewPlan(makePlan(changes)).changes.map(({ address, attributes }) => ({
        address,
        image: attributes.find(({ name }) => name === 'image')?.diff,
      }));
      const byAddress = (a: { address: string }, b: { address: string }) =>
        a.address < b.address ? -1 : 1;
      expect(seen.sort(byAddress)).toEqual(expected.sort(byAddress));
    },
  );
});
