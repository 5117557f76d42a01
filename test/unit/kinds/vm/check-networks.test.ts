import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../support/findings.ts';
import { afterApply, forget, idOf, reconfigure, type World } from '../../../support/world.ts';

const shop = 'projects.shop';
const vm = (networks: readonly string[] = ['lan']) => ({ networks });
const project = (vms: Record<string, object>) => ({
  shop: { networks: { lan: {}, other: {} }, vms },
});

/** The world with a network of six addresses. */
function narrow(world: World, cidr = '10.0.0.0/29'): World {
  const lan = idOf(`${shop}.networks.lan`);
  const resources = world.live.resources.map((one) => (one.id === lan ? { ...one, cidr } : one));
  return { ...world, live: { ...world.live, resources } };
}

const named = (names: string) => Object.fromEntries(Array.from(names, (name) => [name, vm()]));
const fullOf = (world: World) =>
  findingsOf(world, '').filter(({ code }) => code === 'network-full');

describe('the room in a network', () => {
  const five = narrow(afterApply(project(named('abcde'))));

  it('is enough up to its last address', () =>
    expect(fullOf(reconfigure(five, project(named('abcdef'))))).toEqual([]));

  it('is not enough beyond that', () => {
    expect(fullOf(reconfigure(five, project(named('abcdefg'))))).toMatchObject([
      {
        severity: 'error',
        address: `${shop}.networks.lan`,
        summary: 'This network would have 7 VMs, and its range 10.0.0.0/29 has 6 addresses',
      },
    ]);
  });

  it('counts what is not ours', () => {
    const world = forget(five, `${shop}.vms.a`);
    expect(fullOf(reconfigure(world, project(named('bcdefg'))))).toMatchObject([
      { detail: '1 of them are not in this configuration.' },
    ]);
  });

  it('is no matter where nobody joins, or what joins goes elsewhere', () => {
    const eight = narrow(afterApply(project(named('abcdefgh'))));
    expect(fullOf(eight)).toEqual([]);
    const elsewhere = { ...named('abcdefgh'), i: vm(['other']), j: {} };
    expect(fullOf(reconfigure(eight, project(elsewhere)))).toEqual([]);
    expect(fullOf(reconfigure(eight, project(named('abcdefghi'))))).toHaveLength(1);
  });

  it('is needed by who moves there, and by who is replaced', () => {
    const moving = { ...named('abcde'), f: vm(['other']), g: vm(['other']) };
    const world = narrow(afterApply(project(moving)));
    expect(fullOf(reconfigure(world, project(named('abcdefg'))))).toHaveLength(1);
    const full = narrow(afterApply(project(named('abcdefg'))));
    const larger = { ...named('abcdef'), g: { ...vm(), configuration: 'c2-r4-d40' } };
    expect(fullOf(reconfigure(full, project(larger)))).toHaveLength(1);
  });

  it('is unknown where the range is', () => {
    const unknown = narrow(afterApply(project(named('abcdefg'))), 'fd00::/64');
    expect(fullOf(reconfigure(unknown, project(named('abcdefgh'))))).toEqual([]);
    expect(fullOf(reconfigure(afterApply({}), project(named('abcdefgh'))))).toEqual([]);
  });

  const copies = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`vm${index}`, vm()]));
  const many = (count: number) => ({
    shop: { networks: { lan: {}, other: {} }, vms: copies(count) },
  });
  const warned = (world: World) =>
    findingsOf(world, '').filter(({ code }) => code === 'network-may-be-full');

  it('of a new network is expected to be what is usual', () => {
    expect(warned(reconfigure(afterApply({}), many(254)))).toEqual([]);
    expect(warned(reconfigure(afterApply({}), many(255)))).toMatchObject([
      {
        severity: 'warning',
        address: `${shop}.networks.lan`,
        summary: 'This network would have 255 VMs, and its range will probably have 254 addresses',
      },
    ]);
  });

  it.each([
    [{ b: '10.0.0.0/29' }, 6, 'The network of this account has 6 addresses.'],
    [
      { b: '10.0.0.0/29', c: '10.0.1.0/29' },
      6,
      '2 networks of this account have 6 addresses each.',
    ],
    [{ b: '10.0.0.0/28', c: '10.0.1.0/29' }, 6, 'The network of this account has 6 addresses.'],
    [{ b: '10.0.0.0/28', c: '10.0.1.0/28', d: '10.0.2.0/29' }, 14, '2 networks of this'],
    [{ b: 'fd00::/64' }, 254, 'A range usually has 254 addresses.'],
  ])('of a new network is expected to be like that of the others: %j', (cidrs, room, detail) => {
    const others = Object.fromEntries(Object.keys(cidrs).map((key) => [key, {}]));
    const before = afterApply({ shop: { networks: others } });
    const ids = new Map(
      Object.entries(cidrs).map(([key, cidr]) => [idOf(`${shop}.networks.${key}`), cidr]),
    );
    const resources = before.live.resources.map((one) =>
      one.kind === 'network' ? { ...one, cidr: ids.get(one.id) ?? one.cidr } : one,
    );
    const world = { ...before, live: { ...before.live, resources } };
    const wanted = (count: number) => ({
      shop: { networks: { ...others, lan: {} }, vms: copies(count) },
    });
    expect(warned(reconfigure(world, wanted(room)))).toEqual([]);
    const [warning] = warned(reconfigure(world, wanted(room + 1)));
    expect(warning?.detail).toContain(detail);
  });
});
