import { expect, it } from 'vitest';
import {
  bringBackRetiredResource,
  selectRestoreTargets,
} from '../../../../src/plan/reconcile/bring-back.ts';
import { noPlanOptions } from '../../../../src/model/plan/plan.ts';
import { makeLive } from '../../../support/account.ts';
import { makeDesired } from '../../../support/desired.ts';
import { makeState, type MemoryEntry } from '../../../support/memory.ts';

const web = 'projects.shop.vms.web';
const aside = (id: string) => `${web} (deposed object ${id})`;
const kept = { name: 'web-retired', forMs: 1_000, until: 2_000 };
const desired = makeDesired({
  shop: {
    publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
    vms: { web: {}, db: {} },
  },
});

/** The account has VMs a to d; the state has these beside the project. */
function restore(
  address: string | undefined,
  resources: Record<string, string | MemoryEntry>,
  isConfigured = true,
) {
  const vms = Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, { name: id }]));
  const live = makeLive({ projects: { p: { name: 'shop', vms } } });
  const state = makeState({ resources: { 'projects.shop': 'p', ...resources } }, live);
  const of = isConfigured ? desired : makeDesired({ shop: {} });
  const found = bringBackRetiredResource({ state, live, desired: of, restore: address });
  return {
    codes: found.findings.map(({ code }) => code),
    isSame: found.state === state,
    ids: Object.fromEntries([...found.state.resources].slice(1).map(([at, { id }]) => [at, id])),
    resources: found.state.resources,
  };
}
const retired = (id: string, more: Partial<MemoryEntry> = {}) => ({
  [aside(id)]: { id, retired: kept, ...more },
});

it.each([
  ['nothing is asked for', undefined, { [web]: 'a', ...retired('b') }, []],
  ['nothing is retired', web, { [web]: 'a' }, ['not-retired']],
  ['the retired one was deleted', web, { [web]: 'a', ...retired('x') }, ['not-retired']],
  ['what is left over is not retired', web, { [web]: 'a', [aside('b')]: 'b' }, ['not-retired']],
  ['two are retired', web, { ...retired('b'), ...retired('c') }, ['restore-ambiguous']],
  ['it is on its way already', web, { [web]: { id: 'a', retired: kept }, ...retired('b') }, []],
  ['it has arrived, asked for again', web, { [web]: 'a', ...retired('b', { gaveWayTo: 'a' }) }, []],
  [
    'it is on its way by its own address',
    aside('a'),
    { [web]: { id: 'a', retired: kept }, ...retired('b') },
    [],
  ],
  [
    'it has arrived by its own address',
    aside('a'),
    { [web]: 'a', ...retired('b', { gaveWayTo: 'a' }) },
    [],
  ],
])('nothing moves where %s', (...[, address, resources, codes]) =>
  expect(restore(address, resources)).toMatchObject({ codes, isSame: true }),
);

it('asks for the block first', () =>
  expect(restore(web, retired('b'), false)).toMatchObject({
    codes: ['restore-unconfigured'],
    isSame: true,
  }));

it('gives the address back, and an address of its own to what stands there', () => {
  const both = restore(aside('c'), {
    [web]: { id: 'a', retired: kept },
    ...retired('b'),
    ...retired('c'),
  });
  expect(both.ids).toEqual({ [aside('b')]: 'b', [aside('a')]: 'a', [web]: 'c' });
  expect(both.resources.get(aside('a'))).toMatchObject({
    gaveWayTo: 'c',
    retired: { name: 'web-retired' },
  });
  expect(both.resources.get(aside('a'))?.retired).not.toHaveProperty('until');
  expect(restore(web, retired('b')).ids).toEqual({ [web]: 'b' });
  // What once gave way returns where its own address is asked for.
  const turned = { [web]: 'a', ...retired('b', { gaveWayTo: 'a' }) };
  expect(restore(aside('b'), turned).ids).toEqual({ [aside('a')]: 'a', [web]: 'b' });
});

it('selects the resource and what leads to it', () => {
  const select = (address?: string) =>
    selectRestoreTargets({ ...noPlanOptions, ...(address && { restore: address }) }, desired)
      .selection;
  const targets = [web, 'projects.shop.publicIps.edge.forwards.https'];
  expect(select(web)).toEqual({ targets, excludes: [] });
  expect(select(aside('b'))).toEqual({ targets, excludes: [] });
  expect(select()).toBe(noPlanOptions.selection);
});
