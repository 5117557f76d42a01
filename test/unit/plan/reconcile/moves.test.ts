import { describe, expect, it } from 'vitest';
import type { ManagedResource, PendingCreate, State } from '../../../../src/model/state/state.ts';
import { parseResourceAddress, type ResourceAddress } from '../../../../src/model/address.ts';
import { noPlanOptions, type PlanOptions } from '../../../../src/model/plan/plan.ts';
import { followMovedEntries } from '../../../../src/plan/reconcile/moves.ts';
import {
  changeLines,
  checkedPlanOf,
  planOf,
  rearrangedWorld,
} from '../../../support/plan-lines.ts';
import { readList, readRows } from '../../../support/read-rows.ts';
import {
  afterApply,
  destroyAll,
  lifecycleOf,
  patchDesired,
  reconfigure,
  type World,
} from '../../../support/world.ts';

const p = 'projects.p';

/** `web -> site` moves a VM of the project; whole addresses stand for themselves. */
const movesOf = (arrows: readonly string[]) =>
  arrows.map((arrow, index) => {
    const [from = '', to = ''] = arrow
      .split(' -> ')
      .map((one) => (one.includes('.') ? one : `${p}.vms.${one}`));
    const line = index + 1;
    return {
      from,
      to,
      source: { file: 'main.yaml', line, column: 1, endLine: line, endColumn: 2 },
    };
  });

/** A state that remembers these, each under an id made of its address. */
function remembering(addresses: readonly string[], pending: readonly string[] = []): State {
  const full = (one: string) => (one.includes('.') ? one : `${p}.vms.${one}`);
  const resource = (address: string): ManagedResource => ({
    address,
    kind: parseResourceAddress(address)?.kind ?? 'vm',
    id: `id of ${address}`,
    projectId: 'p-1',
    attributes: {},
    configured: [],
  });
  const create = (address: string): PendingCreate => ({
    address,
    command: { kind: 'createProject', name: address },
    knownIds: [],
    at: 0,
    configured: [],
  });
  return {
    lineage: 'a-lineage',
    serial: 1,
    service: null,
    resources: new Map(addresses.map(full).map((one) => [one, resource(one)])),
    pending: new Map(pending.map(full).map((one) => [one, create(one)])),
  };
}

const shorten = (text: string) => text.replaceAll(/(?<=^| )projects\.p\.vms\./g, '');
/** The entries of a cell, in which `M.` is `modules.` and `P.` is `projects.`. */
const spell = (cell: string) =>
  readList(cell.replaceAll(/\bM\./g, 'modules.').replaceAll(/\bP\./g, 'projects.'));

/** Every order of some things. */
function permute<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length < 2) return [all];
  return all.flatMap((one, at) => permute(all.toSpliced(at, 1)).map((others) => [one, ...others]));
}

/** `site was web`: where everything stands afterwards, and whose it was. */
const standing = ({ state, from }: ReturnType<typeof followMovedEntries>): string[] =>
  [...state.resources.values()].map(({ address, id }) => {
    const was = id.replace('id of ', '');
    expect(from.get(address)).toBe(was === address ? undefined : was);
    return shorten(was === address ? address : `${address} was ${was}`);
  });

describe('where a move leads', () => {
  it.each(
    readRows(`
    another key | web | web -> site | site was web
    of nothing that is there | web | db -> data | web
    that an earlier run followed | site | web -> site | site
    none of a longer key | web, web-2 | web -> site | web-2, site was web
    a chain, in one go | a | a -> b, b -> c | c was a
    a chain, whatever its order | a | c -> d, b -> c, a -> b | d was a
    none in a circle, which the configuration refuses | a | a -> b, b -> a | a
    a chain, from its middle | b | a -> b, b -> c | c was b
    every instance | web[0], web[1] | web -> site | site[0] was web[0], site[1] was web[1]
    one of several instances | web[0], web[1] | web[1] -> db | web[0], db was web[1]
    an index for what had none | web | web -> web[0] | web[0] was web
    no index for what had one | web[0] | web[0] -> web | web was web[0]
    keys for indexes | web[0] | web[0] -> web["a"] | web["a"] was web[0]
    an index leaves other instances alone | web[1] | web -> web[0] | web[1]
    a chain of projects and what they hold | P.p, a | a -> P.q.vms.b, P.p -> P.q | P.q was P.p, P.q.vms.b was a
    what a project holds | P.p, web, P.p.publicIps.e.forwards.f | P.p -> P.q | P.q was P.p, P.q.vms.web was web, P.q.publicIps.e.forwards.f was P.p.publicIps.e.forwards.f
    the forwards of a public IP | P.p.publicIps.e, P.p.publicIps.e.forwards.f | P.p.publicIps.e -> P.p.publicIps.g | P.p.publicIps.g was P.p.publicIps.e, P.p.publicIps.g.forwards.f was P.p.publicIps.e.forwards.f
    what stood there before goes along | web (deposed object vm-0), db[0] (deposed object vm-1) | web -> site, db -> data | data[0] (deposed object vm-1) was db[0] (deposed object vm-1), site (deposed object vm-0) was web (deposed object vm-0)
    what a module holds | M.a.P.p, M.a.P.p.vms.web, M.a.tokens.ci, web | M.a -> M.b | M.b.P.p was M.a.P.p, M.b.P.p.vms.web was M.a.P.p.vms.web, M.b.tokens.ci was M.a.tokens.ci, web
    every instance of a module | M.a["eu"].P.p, M.a["us.1"].P.p | M.a -> M.b | M.b["eu"].P.p was M.a["eu"].P.p, M.b["us.1"].P.p was M.a["us.1"].P.p
    a key for a module that had none | M.a.P.p, M.ab.P.p | M.a -> M.a["eu"] | M.a["eu"].P.p was M.a.P.p, M.ab.P.p
    a module into another one | M.a.P.p | M.a -> M.b.M.a | M.b.M.a.P.p was M.a.P.p
    of a module that grows into itself, which the configuration refuses | M.a.P.p | M.a -> M.a.M.a | M.a.M.a.P.p was M.a.P.p
    into a module | P.p, web | P.p -> M.eu.P.p | M.eu.P.p was P.p, M.eu.P.p.vms.web was web
  `),
  )('%s', (_what, ...cells) => {
    const [before = [], arrows = [], after = []] = cells.map(spell);
    const moved = followMovedEntries(remembering(before), movesOf(arrows));
    expect(moved.findings).toEqual([]);
    expect(standing(moved).sort()).toEqual(after.sort());
  });

  it.each(
    readRows(`
    a chain | a, b, c, d | c -> z, a -> b1, b1 -> b2, b2 -> b3, d -> e[0] | b, b3 was a, e[0] was d, z was c
    one instance of several | web[0], web[1] | web -> site, web[1] -> db | db was web[1], site[0] was web[0]
    what a module holds, under its former and its present address | M.a.P.p.vms.x, M.a.P.p.vms.y, M.a.P.p.vms.z | M.a.P.p.vms.x -> M.a.P.p.vms.x1, M.a -> M.b, M.b.P.p.vms.y -> M.b.P.p.vms.y1 | M.b.P.p.vms.x1 was M.a.P.p.vms.x, M.b.P.p.vms.y1 was M.a.P.p.vms.y, M.b.P.p.vms.z was M.a.P.p.vms.z
    one out of a module that moves | M.a.P.p.vms.x, M.a.P.p.vms.y | M.a -> M.b, M.a.P.p.vms.x -> x | M.b.P.p.vms.y was M.a.P.p.vms.y, x was M.a.P.p.vms.x
  `),
  )('is the same in every order: %s', (_what, ...cells) => {
    const [before = [], arrows = [], after = []] = cells.map(spell);
    for (const order of permute(movesOf(arrows))) {
      const moved = followMovedEntries(remembering(before), order);
      expect(moved.findings).toEqual([]);
      expect(standing(moved).sort()).toEqual(after.sort());
    }
  });

  it('leaves a state without entries as it is', () => {
    const state = remembering(['web']);
    expect(followMovedEntries(state, []).state).toBe(state);
  });

  it('takes along what an earlier run was creating', () => {
    const { state } = followMovedEntries(remembering([], ['web', 'db']), movesOf(['web -> site']));
    expect([...state.pending].map(([at, { address }]) => [shorten(at), shorten(address)])).toEqual([
      ['site', 'site'],
      ['db', 'db'],
    ]);
  });
});

it.each(
  readRows(`
  by what stands still | web, site | web -> site | web, site | 1 web to site
  by what stands still, whichever comes first | site, web | web -> site | web, site | 1 web to site
  by another that moves there: both stay | a, b | a -> c, b -> c | a, b | 1 a to c, 2 b to c
  at the end of a chain: both stay | a, b | a -> b, b -> c | a, b | 1 a to c, 2 b to c
  at the end of a chain, whatever its order | a, b | b -> c, a -> b | a, b | 2 a to c, 1 b to c
  by one that cannot leave it | x, b, c | b -> c, x -> b | x, b, c | 2 x to c, 1 b to c
  by another module that moves there | M.a.P.p, M.b.P.p, M.b.P.q | M.a -> M.c, M.b -> M.c | M.a.P.p, M.b.P.p, M.c.P.q was M.b.P.q | 1 M.a.P.p to M.c.P.p, 2 M.b.P.p to M.c.P.p
  of one of several instances | web[0], web[1], site[1] | web -> site | site[0] was web[0], web[1], site[1] | 1 web[1] to site[1]
`),
)('a move onto an address that is taken: %s', (_what, ...cells) => {
  const [before = [], arrows = [], after = [], stuck = []] = cells.map(spell);
  const moved = followMovedEntries(remembering(before), movesOf(arrows));
  expect(standing(moved).sort()).toEqual(after.sort());
  const said = moved.findings.map(({ code, severity, source, summary, address }) => {
    expect([code, severity]).toEqual(['move-target-taken', 'error']);
    const [, from = '', to = ''] = /^(\S+) cannot move to (\S+): /.exec(summary) ?? [];
    expect(address).toBe(to);
    return shorten(`${source?.line ?? '-'} ${from} to ${to}`);
  });
  expect(said.sort()).toEqual(stuck.sort());
});

describe('the plan after a move', () => {
  const withMoves = (world: World, ...arrows: string[]): World => ({
    ...world,
    desired: { ...world.desired, moved: movesOf(arrows) },
  });
  const shop = {
    publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
    networks: { lan: {} },
    vms: { web: { name: 'w', networks: ['lan'] } },
  };
  const renamed = {
    publicIps: { edge: { https: { publicPort: 443, vm: 'site' } } },
    networks: { lan: {} },
    vms: { site: { name: 'w', networks: ['lan'] } },
  };
  const vmsOf = (keys: readonly string[]) => ({
    p: { vms: Object.fromEntries(keys.map((key, at) => [key, { name: `n${at}` }])) },
  });
  const applied = afterApply({ p: shop });
  const moved = withMoves(reconfigure(applied, { p: renamed }), 'web -> site');

  it('changes nothing in the account', () => {
    expect(changeLines(planOf(moved))).toEqual([]);
    expect(planOf(moved).tasks).toEqual([]);
    const change = planOf(moved).changes.find(({ address }) => address === `${p}.vms.site`);
    expect(change).toMatchObject({ action: 'no-op', movedFrom: `${p}.vms.web`, id: 'vm-p-web' });
  });

  it('is without the move once it is done', () =>
    expect(planOf(rearrangedWorld(moved)).changes.filter((one) => one.movedFrom)).toEqual([]));

  it('destroys and creates without the entry', () => {
    expect(changeLines(planOf(reconfigure(applied, { p: renamed })))).toEqual([
      'update p.publicIps.edge.forwards.https: vm',
      'create p.vms.site',
      'delete p.vms.web (not-configured)',
    ]);
  });

  it('is no drift of what refers to it by its key', () => {
    const before = { networks: { lan: {}, wan: {} }, vms: { web: { networks: ['lan'] } } };
    const after = {
      networks: { office: { name: 'lan' }, wan: {} },
      vms: { web: { networks: ['office', 'wan'] } },
    };
    const world = withMoves(
      reconfigure(afterApply({ p: before }), { p: after }),
      `${p}.networks.lan -> ${p}.networks.office`,
    );
    const change = planOf(world).changes.find(({ address }) => address === `${p}.vms.web`);
    expect(change?.fields.map(({ name }) => name)).toEqual(['networks']);
    expect(change?.drift).toBeUndefined();
  });

  it.each<[string, before: string[], after: string[], arrow: string, findings: string[]]>([
    ['all of several', ['web[0]', 'web[1]'], ['site[0]', 'site[1]'], 'web -> site', []],
    ['more than there are to be', ['web[0]', 'web[1]'], ['site[0]'], 'web -> site', []],
    [
      'one to where there are several',
      ['web'],
      ['site[0]', 'site[1]'],
      'web -> site',
      ['several of projects.p.vms.site, for example projects.p.vms.site[0].'],
    ],
    [
      'several to where there is one',
      ['web["a"]'],
      ['site'],
      'web -> site',
      ['only one projects.p.vms.site, for example projects.p.vms.site.'],
    ],
  ])('tells what would be destroyed where it moves to: %s', (_what, before, after, arrow, said) => {
    const world = withMoves(reconfigure(afterApply(vmsOf(before)), vmsOf(after)), arrow);
    const found = planOf(world).findings.filter(({ code }) => code === 'moved-beside');
    expect(found.map(({ severity, source }) => [severity, source?.line])).toEqual(
      said.map(() => ['error', 1]),
    );
    const texts = found.map(({ detail = '', hint = '' }) => {
      const [, what = ''] = /^There (?:are|is) (.*), (?:each|without) /.exec(detail) ?? [];
      return `${what}, ${hint.slice(hint.indexOf('for example'))}`;
    });
    expect(texts).toEqual(said);
  });

  it('is harmless once its target has left the configuration', () => {
    const world = withMoves(
      reconfigure(afterApply({ p: { vms: { site: {}, db: {} } } }), { p: { vms: { db: {} } } }),
      'web -> site',
    );
    expect(planOf(world).findings).toEqual([]);
    expect(changeLines(planOf(world))).toEqual(['delete p.vms.site (not-configured)']);
  });

  it.each<[string, before: string[], after: string[], arrows: string[], end: string]>([
    ['a misspelt address', ['web', 'db'], ['wbe', 'db'], ['web -> web2'], 'web2'],
    ['the end of a chain', ['web'], ['db'], ['web -> site', 'site -> shop'], 'shop'],
    ['an instance that is not there', ['web'], ['site[0]'], ['web -> site[1]'], 'site[1]'],
  ])('refuses to destroy what it still has to move, and names no other: %s', (_what, ...given) => {
    const [before, after, arrows, end] = given;
    const world = withMoves(reconfigure(afterApply(vmsOf(before)), vmsOf(after)), ...arrows);
    const [finding, ...others] = planOf(world).findings.filter(
      ({ severity }) => severity === 'error',
    );
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'unknown-address', source: { line: arrows.length } });
    expect(finding?.summary).toContain(`${p}.vms.web would move to ${p}.vms.${end}`);
    for (const other of [...after, 'db']) expect(finding?.hint).not.toContain(`vms.${other}`);
  });

  it('never takes what is held already for an example', () => {
    const before = { p: { vms: { web: {}, 'site[0]': {} } } };
    const world = withMoves(
      reconfigure(afterApply(before), { p: { vms: { 'site[0]': {} } } }),
      'web -> site',
    );
    const [finding] = planOf(world).findings.filter(({ code }) => code === 'moved-beside');
    expect(finding?.hint).toBe('Name the new address in the moved entry.');
  });

  it('tells what would be destroyed in a module that is used several times', () => {
    const world = withMoves(
      reconfigure(afterApply({ p: {} }), { p: {} }),
      `${p} -> modules.a.projects.p`,
    );
    const resources = world.desired.resources.map((one) => ({
      ...one,
      ...{ address: 'modules.a["eu"].projects.p', project: 'modules.a["eu"].projects.p' },
    }));
    const plan = planOf({ ...world, desired: { ...world.desired, resources } });
    expect(plan.findings.map(({ code, address }) => `${code} ${address ?? ''}`)).toContain(
      'moved-beside modules.a.projects.p',
    );
  });

  const flags = (
    world: World,
    given: Partial<PlanOptions['selection']>,
    replace: ResourceAddress[] = [],
  ) => ({
    ...world,
    planOptions: { ...noPlanOptions, replace, selection: { targets: [], excludes: [], ...given } },
  });
  const guarded = (world: World, key: string): World => {
    const lifecycle = lifecycleOf({ preventDestroy: true });
    return destroyAll(patchDesired(world, `${p}.vms.${key}`, { lifecycle }));
  };
  const single = (before: string, after: string, ...arrows: string[]) =>
    withMoves(
      reconfigure(afterApply({ p: { vms: { [before]: {} } } }), { p: { vms: { [after]: {} } } }),
      ...arrows,
    );
  const said = (world: World) =>
    checkedPlanOf(world).findings.flatMap(({ severity, code, address = '' }) =>
      severity === 'error' ? `${code} ${shorten(address)}` : [],
    );

  it.each<[string, World, string[]]>([
    ['its new block', guarded(moved, 'site'), ['prevent-destroy site']],
    [
      'what count makes of it',
      guarded(single('web', 'web[0]'), 'web[0]'),
      ['prevent-destroy web[0]'],
    ],
    ['nothing that is not configured', destroyAll(single('a', 'b', 'a -> c')), []],
    [
      'one of several, and none is named',
      guarded(single('web', 'site[0]', 'web -> site'), 'site[0]'),
      ['moved-beside site'],
    ],
  ])('is protected where everything is to be destroyed: by %s', (_what, world, errors) => {
    expect(said(world)).toEqual(errors);
  });

  it.each(['web', 'site'])('goes by both addresses in flags: %s', (key) => {
    const named = [`${p}.vms.${key}`];
    const gone = 'delete p.vms.site (not-configured)';
    expect(changeLines(planOf(flags(destroyAll(moved), { targets: named })))).toContain(gone);
    expect(changeLines(planOf(flags(destroyAll(moved), { excludes: named })))).not.toContain(gone);
    expect(changeLines(planOf(flags(moved, {}, named)))).toContain(
      'replace p.vms.site (requested)',
    );
    for (const world of [flags(moved, { targets: named }, named), destroyAll(moved)]) {
      expect(said(world)).toEqual([]);
    }
  });
});

it('a move of a network is followed in the lists of its neighbours, and in nothing else of them', () => {
  const web = `${p}.vms.web`;
  const state = remembering(['web', `${p}.networks.lan`, `${p}.networks.wan`]);
  const before = { ...state.resources.get(web), attributes: { networks: ['wan', 'lan'] } };
  const resources = new Map(state.resources).set(web, before as ManagedResource);
  const arrows = movesOf([`${p}.networks.lan -> ${p}.networks.core`]);
  const moved = followMovedEntries({ ...state, resources }, arrows).state.resources;
  expect(moved.get(web)?.attributes).toEqual({ networks: ['wan', 'core'] });
});
