import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { followMovedEntries } from '../../../../src/plan/reconcile/moves.ts';
import { listImpliedCountMoves } from '../../../../src/plan/reconcile/rearrange-state.ts';
import { parseResourceAddress } from '../../../../src/model/address.ts';
import type { DesiredResource, MovedEntry } from '../../../../src/model/resource.ts';
import type { ManagedResource, State } from '../../../../src/model/state/state.ts';
import { changeLines, planOf } from '../../../support/plan-lines.ts';
import { readList, readRows } from '../../../support/read-rows.ts';
import { afterApply, reconfigure } from '../../../support/world.ts';

const p = 'projects.p';
const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
const full = (one: string) => (one.includes('.') ? one : `${p}.vms.${one}`);
const shorten = (text: string) => text.replaceAll(`${p}.vms.`, '');
/** A cell in which `M.` is `modules.` and `P.` is `projects.`. */
const spell = (cell: string) =>
  cell.replaceAll(/\bM\./g, 'modules.').replaceAll(/\bP\./g, 'projects.');

function stateOf(addresses: readonly string[]): State {
  const resource = (address: string): ManagedResource => ({
    ...{ address, kind: parseResourceAddress(address)!.kind, id: address, projectId: 'p-1' },
    ...{ attributes: {}, configured: [] },
  });
  return {
    ...{ lineage: 'l', serial: 1, service: null, pending: new Map() },
    resources: new Map(addresses.map(full).map((one) => [one, resource(one)])),
  };
}

const desiredOf = (addresses: readonly string[]) =>
  addresses.map(full).map((address) => ({ address, source }) as DesiredResource);

const movesOf = (arrows: readonly string[]): readonly MovedEntry[] =>
  arrows.map((arrow) => {
    const [from = '', to = ''] = arrow.split(' -> ').map(full);
    return { from, to, source };
  });

/** What is implied, and where everything stands then: `web[0] was web`. */
function follow(before: string, wanted: string, arrows = '') {
  const state = stateOf(readList(before));
  const moved = movesOf(readList(arrows));
  const implied = listImpliedCountMoves(state, { resources: desiredOf(readList(wanted)), moved });
  const after = followMovedEntries(state, [...moved, ...implied]);
  expect(after.findings).toEqual([]);
  return {
    implied: implied.map(({ from, to }) => shorten(`${from} -> ${to}`)).sort(),
    stands: [...after.state.resources.values()]
      .map(({ address, id }) => shorten(address === id ? address : `${address} was ${id}`))
      .sort(),
  };
}

describe('what count alone moves', () => {
  it.each(
    readRows(`
    count comes | web | web[0], web[1] | web -> web[0] | web[0] was web
    count goes | web[0] | web | web[0] -> web | web was web[0]
    count goes, and the others with it | web[0], web[1] | web | web[0] -> web | web was web[0], web[1]
    count is 0 | web | projects.p |  | web
    the block goes | web, web[0] | projects.p |  | web, web[0]
    keys are another thing | web | web["a"] |  | web
    a key that reads like an index | web | web["0"] |  | web
    from keys to one | web["a"] | web |  | web["a"]
    from an index to keys | web[0] | web["a"] |  | web[0]
    only the first | web[1] | web |  | web[1]
    nothing has to move | web[0], db | web[0], db |  | db, web[0]
    its place is taken | web, web[0] | web[0] |  | web, web[0]
    a module by keys | modules.a.projects.q | modules.a["eu"].projects.q |  | modules.a.projects.q
    a module comes to be repeated, with all that it holds | M.a.P.q, M.a.P.q.vms.v | M.a[0].P.q, M.a[0].P.q.vms.v | M.a -> M.a[0] | M.a[0].P.q was M.a.P.q, M.a[0].P.q.vms.v was M.a.P.q.vms.v
    a module is repeated no more | M.a[0].P.q, M.a[1].P.q | M.a.P.q | M.a[0] -> M.a | M.a.P.q was M.a[0].P.q, M.a[1].P.q
    a module, and what it holds | M.a.P.q.vms.v | M.a[0].P.q.vms.v[0] | M.a -> M.a[0], M.a[0].P.q.vms.v -> M.a[0].P.q.vms.v[0] | M.a[0].P.q.vms.v[0] was M.a.P.q.vms.v
    a module within a module | M.a.M.b[0].P.q | M.a[0].M.b.P.q | M.a -> M.a[0], M.a[0].M.b[0] -> M.a[0].M.b | M.a[0].M.b.P.q was M.a.M.b[0].P.q
    what stood there before goes along | web, web (deposed object vm-0) | web[0] | web -> web[0] | web[0] (deposed object vm-0) was web (deposed object vm-0), web[0] was web
  `),
  )('%s', (_what, ...cells) => {
    const [before = '', wanted = '', implied = '', stands = ''] = cells.map(spell);
    expect(follow(before, wanted)).toEqual({
      ...{ implied: readList(implied), stands: readList(stands).sort() },
    });
  });

  it.each(
    readRows(`
    a moved entry says another index | web | web[0], web[1] | web -> web[1] |  | web[1] was web
    a moved entry takes the place | web, old | web[0], web[1] | old -> web[0] |  | web, web[0] was old
    a moved entry that was followed long ago | web | web[0] | old -> web | web -> web[0] | web[0] was web
    a moved entry leads to several: it is for its author to say which | old | web[0], web[1] | old -> web |  | web was old
    a moved entry of a module that comes to be repeated | M.a.P.q.vms.old | M.a[0].P.q.vms.web | M.a[0].P.q.vms.old -> M.a[0].P.q.vms.web | M.a -> M.a[0] | M.a[0].P.q.vms.web was M.a.P.q.vms.old
    a moved entry into a module, within which count has come | web | M.a.P.q.vms.web[0] | projects.p -> M.a.P.q | M.a.P.q.vms.web -> M.a.P.q.vms.web[0] | M.a.P.q.vms.web[0] was web
  `),
  )('%s', (_what, ...cells) => {
    const [before = '', wanted = '', arrows, implied = '', stands = ''] = cells.map(spell);
    expect(follow(before, wanted, arrows)).toEqual({
      ...{ implied: readList(implied), stands: readList(stands).sort() },
    });
  });

  it('takes along what an interrupted run was creating', () => {
    const pending = new Map([[full('web'), { address: full('web') } as never]]);
    const state = { ...stateOf([]), pending };
    const implied = listImpliedCountMoves(state, { resources: desiredOf(['web[0]']) });
    expect(implied).toEqual([{ from: full('web'), to: full('web[0]'), source, isImplied: true }]);
  });
});

describe('the plan', () => {
  const single = (name: string) => ({ vms: { web: { name } } });
  const several = (names: readonly string[]) => ({
    vms: Object.fromEntries(names.map((name, index) => [`web[${index}]`, { name }])),
  });

  property.prop([fc.integer({ min: 1, max: 4 }), fc.boolean()])(
    'changes nothing of what count moved',
    (count, comes) => {
      const names = Array.from({ length: count }, (_, index) => `n${index}`);
      const [first = '', ...others] = names;
      const before = comes ? single(first) : several(names);
      const after = comes ? several(names) : single(first);
      const world = reconfigure(afterApply({ p: before }), { p: after });
      const { changes } = planOf(world);
      const [from, to] = comes ? ['web', 'web[0]'] : ['web[0]', 'web'];
      expect(changes.find(({ address }) => address === full(to))).toMatchObject({
        ...{ action: 'no-op', movedFrom: full(from) },
      });
      const verb = comes ? 'create' : 'delete';
      const lines = changeLines(planOf(world)).map((line) => line.split(' ').slice(0, 2).join(' '));
      expect(lines).toEqual(others.map((_, at) => `${verb} p.vms.web[${at + 1}]`));
    },
  );
});
