import { describe, expect, it } from 'vitest';
import { quotaNames, type QuotaName } from '../../../../src/model/account/live.ts';
import { planOf } from '../../../support/plan-lines.ts';
import {
  afterApply,
  destroyAll,
  lose,
  makeWorld,
  reconfigure,
  touch,
  type World,
} from '../../../support/world.ts';

const small = { networks: { lan: {} }, vms: { web: { networks: ['lan'] } } };
const applied = afterApply({ p: small });
const withNew = afterApply({ p: { vms: { web: { publicIp: 'new' } } } });
const web = 'projects.p.vms.web';

/** `name used → after (ours)` of every quota that is touched or ours. */
const lines = (world: World): string[] =>
  planOf(world)
    .quotas.filter(({ used, after, ours }) => used !== after || ours > 0)
    .map(({ name, used, after, ours }) => `${name} ${used} → ${after} (${ours})`);

describe('what the quotas hold, before and after', () => {
  it.each<[string, World, string[]]>([
    [
      'creates',
      makeWorld({ config: { p: small } }),
      [
        'projects 0 → 1 (0)',
        'networks 0 → 1 (0)',
        'vmCpu 0 → 1 (0)',
        'vmRam 0 → 1 (0)',
        'vmDisk 0 → 20 (0)',
      ],
    ],
    [
      'nothing to do',
      applied,
      [
        'projects 1 → 1 (1)',
        'networks 1 → 1 (1)',
        'vmCpu 1 → 1 (1)',
        'vmRam 1 → 1 (1)',
        'vmDisk 20 → 20 (20)',
      ],
    ],
    [
      'deletes',
      destroyAll(applied),
      [
        'projects 1 → 0 (1)',
        'networks 1 → 0 (1)',
        'vmCpu 1 → 0 (1)',
        'vmRam 1 → 0 (1)',
        'vmDisk 20 → 0 (20)',
      ],
    ],
    [
      'a replacement by a bigger one',
      reconfigure(afterApply({ p: { vms: { web: {} } } }), {
        p: { vms: { web: { configuration: 'c2-r4-d40' } } },
      }),
      ['projects 1 → 1 (1)', 'vmCpu 1 → 2 (1)', 'vmRam 1 → 4 (1)', 'vmDisk 20 → 40 (20)'],
    ],
    [
      'what was deleted outside is not there any more',
      lose(afterApply({ p: { vms: { web: {} } } }), web),
      ['projects 1 → 1 (1)', 'vmCpu 0 → 1 (0)', 'vmRam 0 → 1 (0)', 'vmDisk 0 → 20 (0)'],
    ],
    [
      'a VM with an address of its own',
      makeWorld({ config: { p: { vms: { web: { publicIp: 'new' } } } } }),
      [
        'projects 0 → 1 (0)',
        'publicIps 0 → 1 (0)',
        'vmCpu 0 → 1 (0)',
        'vmRam 0 → 1 (0)',
        'vmDisk 0 → 20 (0)',
      ],
    ],
    [
      'a VM that goes with its address',
      reconfigure(withNew, { p: {} }),
      [
        'projects 1 → 1 (1)',
        'publicIps 1 → 0 (1)',
        'vmCpu 1 → 0 (1)',
        'vmRam 1 → 0 (1)',
        'vmDisk 20 → 0 (20)',
      ],
    ],
    [
      'a VM that gives its address up',
      reconfigure(withNew, { p: { vms: { web: {} } } }),
      [
        'projects 1 → 1 (1)',
        'publicIps 1 → 0 (1)',
        'vmCpu 1 → 1 (1)',
        'vmRam 1 → 1 (1)',
        'vmDisk 20 → 20 (20)',
      ],
    ],
    [
      'a VM that is replaced with its address',
      reconfigure(withNew, { p: { vms: { web: { publicIp: 'new', tariff: 'yearly' } } } }),
      [
        'projects 1 → 1 (1)',
        'publicIps 1 → 1 (1)',
        'vmCpu 1 → 1 (1)',
        'vmRam 1 → 1 (1)',
        'vmDisk 20 → 20 (20)',
      ],
    ],
    [
      'a VM that was deleted outside, its address left behind, and is made again',
      lose(withNew, web),
      [
        'projects 1 → 1 (1)',
        'publicIps 1 → 1 (1)',
        'vmCpu 0 → 1 (0)',
        'vmRam 0 → 1 (0)',
        'vmDisk 0 → 20 (0)',
      ],
    ],
    [
      'a VM that was deleted outside, its address left behind, and is not wanted',
      reconfigure(lose(withNew, web), { p: {} }),
      ['projects 1 → 1 (1)', 'publicIps 1 → 0 (1)'],
    ],
    [
      'a failed VM holds its share until it is replaced',
      touch(afterApply({ p: { vms: { web: {} } } }), web, { status: 'failed' }),
      ['projects 1 → 1 (1)', 'vmCpu 1 → 1 (1)', 'vmRam 1 → 1 (1)', 'vmDisk 20 → 20 (20)'],
    ],
    [
      'what is not ours counts too',
      makeWorld({ config: { p: {} }, account: { quotas: { projects: { limit: 20, used: 7 } } } }),
      ['projects 7 → 8 (0)'],
    ],
  ])('%s', (_what, world, expected) => expect(lines(world)).toEqual(expected));

  it('are all there, in their order, with their limits', () => {
    const { quotas } = planOf(makeWorld({ account: { quotas: { vmRam: 64 } } }));
    expect(quotas.map(({ name }) => name)).toEqual(quotaNames);
    expect(quotas.find(({ name }) => name === 'vmRam')).toMatchObject({ limit: 64, used: 0 });
  });

  it.each<[string, QuotaName]>([['a quota that the service does not give', 'vmCpu']])(
    'leave out %s',
    (_what, name) => {
      const { quotas } = planOf(makeWorld({ account: { quotas: { [name]: null } } }));
      expect(quotas.map((one) => one.name)).not.toContain(name);
    },
  );

  it('take what is ours for what is used where the service gives the limit alone', () => {
    const quotas = { networks: { limit: 5, used: null } };
    const world = afterApply({ p: { networks: { a: {}, b: {} } } }, { quotas });
    const wanted = reconfigure(world, { p: { networks: { a: {}, b: {}, c: {} } } });
    expect(lines(wanted)).toContain('networks 2 → 3 (2)');
  });
});
