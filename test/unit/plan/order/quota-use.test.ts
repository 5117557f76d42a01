import { describe, expect, it } from 'vitest';
import { quotaNames } from '../../../../src/model/account/live.ts';
import { planOf } from '../../../support/plan-lines.ts';
import { readRows } from '../../../support/read-rows.ts';
import { readWorld } from '../../../support/read-stories.ts';
import { makeWorld, type World } from '../../../support/world.ts';

const small = 'networks: {lan}, vms: {web: {networks: [lan]}}';
const withNew = 'vms: {web: {publicIp: new}}';

/** `name used → after (ours)` of every quota that is touched or ours. */
const lines = (world: World): string[] =>
  planOf(world)
    .quotas.filter(({ used, after, ours }) => used !== after || ours > 0)
    .map(({ name, used, after, ours }) => `${name} ${used} → ${after} (${ours})`);
/** As many cores and GB of memory and disk as a VM of the smallest size takes: `0 → 1 (0)` of them. */
const oneVm = (before: number, after: number, ours = before) =>
  [
    `vmCpu ${before} → ${after} (${ours})`,
    `vmRam ${before} → ${after} (${ours})`,
    `vmDisk ${20 * before} → ${20 * after} (${20 * ours})`,
  ].join(', ');

describe('what the quotas hold, before and after', () => {
  it.each(
    readRows(`
    creates | empty => ${small} | projects 0 → 1 (0), networks 0 → 1 (0), ${oneVm(0, 1)}
    nothing to do | ${small} | projects 1 → 1 (1), networks 1 → 1 (1), ${oneVm(1, 1)}
    deletes | ${small} & destroy | projects 1 → 0 (1), networks 1 → 0 (1), ${oneVm(1, 0)}
    a replacement by a bigger one | vms: {web} => vms: {web: {configuration: c2-r4-d40}} | projects 1 → 1 (1), vmCpu 1 → 2 (1), vmRam 1 → 4 (1), vmDisk 20 → 40 (20)
    what was deleted outside is not there any more | vms: {web} & vms.web lost | projects 1 → 1 (1), ${oneVm(0, 1)}
    a VM with an address of its own | empty => ${withNew} | projects 0 → 1 (0), publicIps 0 → 1 (0), ${oneVm(0, 1)}
    a VM that goes with its address | ${withNew} => | projects 1 → 1 (1), publicIps 1 → 0 (1), ${oneVm(1, 0)}
    a VM that gives its address up | ${withNew} => vms: {web} | projects 1 → 1 (1), publicIps 1 → 0 (1), ${oneVm(1, 1)}
    a VM that is replaced with its address | ${withNew} => vms: {web: {publicIp: new, tariff: yearly}} | projects 1 → 1 (1), publicIps 1 → 1 (1), ${oneVm(1, 1)}
    a VM that was deleted outside, its address left behind, and is made again | ${withNew} & vms.web lost | projects 1 → 1 (1), publicIps 1 → 1 (1), ${oneVm(0, 1)}
    a VM that was deleted outside, its address left behind, and is not wanted | ${withNew} => & vms.web lost | projects 1 → 1 (1), publicIps 1 → 0 (1)
    a failed VM holds its share until it is replaced | vms: {web} & vms.web is {status: failed} | projects 1 → 1 (1), ${oneVm(1, 1)}
  `),
  )('%s', (_what, world, expected) => expect(lines(readWorld(world)).join(', ')).toBe(expected));

  it('what is not ours counts too', () => {
    const account = { quotas: { projects: { limit: 20, used: 7 } } };
    expect(lines(makeWorld({ config: { p: {} }, account }))).toEqual(['projects 7 → 8 (0)']);
  });

  it('are all there, in their order, with their limits', () => {
    const { quotas } = planOf(makeWorld({ account: { quotas: { vmRam: 64 } } }));
    expect(quotas.map(({ name }) => name)).toEqual(quotaNames);
    expect(quotas.find(({ name }) => name === 'vmRam')).toMatchObject({ limit: 64, used: 0 });
  });

  it('leave out a quota that the service does not give', () => {
    const { quotas } = planOf(makeWorld({ account: { quotas: { vmCpu: null } } }));
    expect(quotas.map(({ name }) => name)).not.toContain('vmCpu');
  });

  it('take what is ours for what is used where the service gives the limit alone', () => {
    const quotas = { networks: { limit: 5, used: null } };
    const wanted = readWorld('networks: {a, b} => networks: {a, b, c}', { quotas });
    expect(lines(wanted)).toContain('networks 2 → 3 (2)');
  });
});
