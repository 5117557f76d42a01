import { describe, expect, test } from 'vitest';
import { EvaluationBudget } from '../../../../src/expressions/values/budget.ts';
import { listIgnoredResources } from '../../../../src/plan/reconcile/list-ignored.ts';
import { afterApply, type World } from '../../../support/world.ts';
import { checkedPlanOf, changeLines } from '../../../support/plan-lines.ts';

const address = '203.0.113.7';

/** A project with nothing configured in it, and another that nobody ignores anything of. */
function worldOf(patterns: readonly string[], isExclusive = false): World {
  const { desired, live, ...rest } = afterApply({ shop: {}, blog: {} });
  const held = afterApply(
    { shop: {}, blog: {} },
    {
      besides: {
        'p-shop': {
          name: 'shop',
          networks: { 'n-1': { name: 'legacy-lan' }, 'n-2': { name: 'LAN' } },
          publicIps: { 'ip-1': { address, forwards: { 'f-1': { publicPort: 80, vm: 'vm-1' } } } },
          vms: { 'vm-1': { name: 'a+b', publicIp: 'ip-1' }, 'vm-2': { name: 'a*b' } },
        },
        'p-blog': { name: 'blog', networks: { 'n-3': { name: 'legacy-lan' } } },
      },
    },
  ).live;
  return {
    ...rest,
    live: { ...live, ...held },
    desired: {
      ...desired,
      ignored: [{ project: 'projects.shop', patterns }],
      ...(isExclusive && { exclusive: ['projects.shop'] }),
    },
  };
}

const idsOf = (patterns: readonly string[]) => {
  const { desired, live, state } = worldOf(patterns);
  return [...listIgnoredResources(desired, live, state).ids].sort();
};

describe('what is ignored of a project', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['a name, in its case', ['legacy-lan', 'lan'], ['n-1']],
    ['an id', ['n-2'], ['n-2']],
    ['an address, with what lies in it', [address], ['f-1', 'ip-1']],
    ['a star for any text', ['*-lan'], ['n-1']],
    ['a star at both ends', ['*A*'], ['n-2']],
    ['everything else in a name as it is', ['a+*'], ['vm-1']],
    ['a pattern of RE2', ['^(?i)lan$'], ['n-2']],
    ['no dot as any letter', ['203.0.113*', '203x0*'], ['f-1', 'ip-1']],
    ['a pattern without its beginning as a name', ['lan$'], []],
    ['nothing', [], []],
  ])('%s', (_what, patterns, ids) => expect(idsOf(patterns)).toEqual(ids));

  test('is not counted in the note', () => {
    const noteOf = (world: World) =>
      checkedPlanOf(world).findings.find(
        (one) => one.code === 'unmanaged-resources' && one.address === 'projects.shop',
      )?.summary;
    expect(noteOf(worldOf(['legacy-*', address]))).toContain('1 network, 2 VMs that');
    expect(noteOf(worldOf(['*']))).toBeUndefined();
  });

  test('is not deleted where the project is exclusive', () => {
    expect(changeLines(checkedPlanOf(worldOf(['legacy-*', 'a+b', address], true)))).toEqual([
      'delete shop.networks.(outside)["n-2"] (not-exclusive)',
      'delete shop.vms.(outside)["vm-2"] (not-exclusive)',
    ]);
  });

  test('is no longer ignored than the run may take', () => {
    const { desired, live, state } = worldOf(['^(a|b)*c']);
    expect(
      listIgnoredResources(desired, live, state, new EvaluationBudget(0)).findings,
    ).toMatchObject([{ severity: 'error', code: 'expression-too-costly' }]);
  });
});
