import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../../support/desired.ts';
import { offerMovedEntries } from '../../../../src/plan/reconcile/offer-moves.ts';
import { planOf } from '../../../support/plan-lines.ts';
import {
  afterApply,
  forget,
  lifecycleOf,
  patchDesired,
  reconfigure,
  type World,
} from '../../../support/world.ts';
import { readRows } from '../../../support/read-rows.ts';

/** The entries that are offered, as `from -> to`. */
function offersOf(world: World): string[] {
  const [finding] = planOf(world).findings.filter(({ code }) => code === 'moved-perhaps');
  const text = finding?.detail ?? '';
  return [...text.matchAll(/- from: (.*)\n {4}to: (.*)/g)].map(([, from, to]) =>
    `${String(from)} -> ${String(to)}`.replaceAll('projects.', ''),
  );
}

/** Everything ignores the changes of a field. */
const ignoring = (world: World, field: string) =>
  patchDesired(world, 'vm', { lifecycle: lifecycleOf({ ignoreChanges: [field] }) });

const rename = (before: Config, after: Config) => reconfigure(afterApply(before), after);
const vms = { web: { networks: ['lan'] }, db: {} };
const networks = { lan: {} };
const https = 'https: { publicPort: 443, vm: web }';
const shop = 'shop: { networks: { lan: {} }, vms: { web: { networks: [lan] }, db: {} } }';

describe('an offered move', () => {
  it.each(
    readRows(`
    none where nothing left | ${shop} | ${shop.replace('db: {}', 'db: {}, x: {}')} |
    none where nothing came | ${shop} | shop: {} |
    under another key, the name kept | shop: { vms: { web: {} } } | shop: { vms: { site: { name: web, image: debian-12 } } } | shop.vms.web -> shop.vms.site
    under another key with all alike | ${shop} | ${shop.replace('web:', 'site:')} | shop.vms.web -> shop.vms.site
    none where two could be meant | shop: { vms: { a: {}, b: {} } } | shop: { vms: { c: {}, d: {} } } |
    none where it is not alike | shop: { vms: { a: {} } } | shop: { vms: { b: { image: debian-12 } } } |
    one for all instances | shop: { vms: { "web[0]": {}, "web[1]": {} } } | shop: { vms: { "site[0]": {}, "site[1]": {} } } | shop.vms.web -> shop.vms.site
    one of a project under another key, not one of each that it holds | ${shop} | ${shop.replace('shop', 'store')} | shop -> store
    one of a project by its name | ${shop} | store: { name: shop, networks: { lan: {} } } | shop -> store
    none of empty projects with other names | shop: {} | store: {} |
    with the forwards of a public IP | shop: { publicIps: { a: { ${https} } }, vms: { web: {} } } | shop: { publicIps: { b: { ${https} } }, vms: { web: {} } } | shop.publicIps.a -> shop.publicIps.b
    of a forward | shop: { publicIps: { a: { x: { publicPort: 443, vm: web } } }, vms: { web: {} } } | shop: { publicIps: { a: { y: { publicPort: 443, vm: web } } }, vms: { web: {} } } | shop.publicIps.a.forwards.x -> shop.publicIps.a.forwards.y
    that has a field wait for a rebuild since | shop: { sshKeys: { al: {}, bo: {} }, vms: { web: { sshKeys: [al] } } } | shop: { sshKeys: { al: {}, bo: {} }, vms: { site: { sshKeys: [al, bo] } } } | shop.vms.web -> shop.vms.site
    exactly alike before one that may have waited | shop: { sshKeys: { al: {} }, vms: { web: { sshKeys: [al] }, db: {} } } | shop: { sshKeys: { al: {} }, vms: { site: { sshKeys: [al] }, base: {} } } | shop.vms.db -> shop.vms.base, shop.vms.web -> shop.vms.site
  `),
  )('%s', (_what, before, after, offers) => {
    const world = rename(parse(before) as Config, parse(after) as Config);
    expect(offersOf(world).join(', ')).toBe(offers);
  });

  it('that ignores a field which is another one', () => {
    const [before, after] = [{ image: 'debian-12' }, { image: 'debian-13' }];
    const world = rename({ shop: { vms: { web: before } } }, { shop: { vms: { site: after } } });
    expect(offersOf(ignoring(world, 'image'))).toEqual(['shop.vms.web -> shop.vms.site']);
  });

  it('none of what the state does not have', () => {
    const applied = afterApply({ shop: { vms: { web: {} } } });
    const world = forget(applied, 'projects.shop.vms.web');
    expect(offersOf(reconfigure(world, { shop: { vms: { site: {} } } }))).toEqual([]);
  });

  it('is none where a removed entry asks for the end of it', () => {
    const world = rename({ shop: { vms: { web: {} } } }, { shop: { vms: { site: {} } } });
    const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
    const removed = [{ from: 'projects.shop.vms.web', destroy: true, source }];
    expect(offersOf({ ...world, desired: { ...world.desired, removed } })).toEqual([]);
  });

  it('is one entry in a module for all of its instances, beside those of the configuration', () => {
    const shops = (key: string): Config =>
      Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [name, { vms: { [key]: { name: `${name}-vm` } } }]),
      );
    const { changes } = planOf(rename(shops('web'), shops('site')));
    const inModules = changes.map((one) => ({
      ...one,
      address: one.address.replace(/^projects\.([ab])\b/, 'modules.env["$1"].projects.p'),
    }));
    const [finding] = offerMovedEntries(inModules, { resources: [] });
    expect(finding?.summary).toBe('3 new blocks look like removed ones under other addresses');
    expect(finding?.detail?.split('instead, ')[1]).toBe(
      [
        'add to the configuration:\n\nmoved:\n  - from: projects.c.vms.web\n    to: projects.c.vms.site\n\n',
        'Also, add to the module modules.env:\n\nmoved:\n  - from: projects.p.vms.web\n    to: projects.p.vms.site',
      ].join(''),
    );
  });

  it('is quoted where a key could be read as something else', () => {
    const world = rename(
      { shop: { vms: { 'web["a: b"]': { name: 'a' } } } },
      { shop: { vms: { 'site["a: b"]': { name: 'a' } } } },
    );
    expect(offersOf(world)).toEqual(['shop.vms.web -> shop.vms.site']);
    const single = rename(
      { shop: { vms: { 'web["a: b"]': { name: 'a' } } } },
      { shop: { vms: { site: { name: 'a' } } } },
    );
    expect(planOf(single).findings[0]?.detail).toContain(
      '  - from: "projects.shop.vms.web[\\"a: b\\"]"\n    to: projects.shop.vms.site',
    );
  });

  it('is one of at most fifty that are written out', () => {
    const named = (key: string) =>
      Object.fromEntries(
        Array.from({ length: 53 }, (_, at) => [`${key}${at}`, { name: `n${at}` }]),
      );
    const world = rename({ shop: { networks: named('a') } }, { shop: { networks: named('b') } });
    expect(offersOf(world)).toHaveLength(50);
    expect(planOf(world).findings[0]?.detail).toMatch(/\n# and 3 more$/);
  });

  it('is gone once the entry stands there', () => {
    const world = rename({ shop: { networks, vms } }, { store: { networks, vms } });
    const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
    const moved = [{ from: 'projects.shop', to: 'projects.store', source }];
    const plan = planOf({ ...world, desired: { ...world.desired, moved } });
    expect(plan.findings).toEqual([]);
    expect(
      plan.changes.filter(({ action }) => action !== 'no-op').map(({ address }) => address),
    ).toEqual(['projects.store']);
  });
});
