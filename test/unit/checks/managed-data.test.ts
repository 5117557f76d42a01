import { describe, expect, test } from 'vitest';
import type { UsedDataResult } from '../../../src/model/data.ts';
import { afterApply, destroyAll, type World } from '../../support/world.ts';
import { checkedPlanOf } from '../../support/plan-lines.ts';

const source = { file: 'a.yaml', line: 3, column: 3, endLine: 3, endColumn: 6 };

const reading = (name: string, id: string, kind: UsedDataResult['query']['kind'] = 'network') => ({
  query: {
    ...{ name, kind, project: 'shop', isNewest: false, source },
    selector: { attribute: 'name', value: 'lan' },
  },
  ...{ id, values: {} },
});

const world = afterApply({ shop: { networks: { lan: {} } } });
const findingsOf = ({ desired, ...rest }: World, ...data: readonly UsedDataResult[]) =>
  checkedPlanOf({ ...rest, desired: { ...desired, data } }).findings.filter(
    ({ code }) => code === 'data-managed',
  );

describe('data that is managed', () => {
  test('is refused, with the reference to write instead', () => {
    expect(findingsOf(world, reading('data.lan', 'n-shop-lan'))).toMatchObject([
      {
        ...{ severity: 'error', address: 'projects.shop.networks.lan', source },
        hint: 'Write `${projects.shop.networks.lan.…}` in its place, and remove the entry of `data`.',
      },
    ]);
  });

  test('is read by an output, where it lies in another module', () => {
    const inModule = (prefix: string): World => {
      const [project, network] = [...world.state.resources.values()];
      if (!project || !network) throw new Error('the world is empty');
      const moved = [project, network].map((one) => ({ ...one, address: prefix + one.address }));
      return {
        ...world,
        desired: {
          resources: world.desired.resources.map((one) => ({
            ...one,
            ...{ address: prefix + one.address, project: prefix + one.project },
          })),
        },
        state: { ...world.state, resources: new Map(moved.map((one) => [one.address, one])) },
      };
    };
    const hintOf = (name: string) =>
      findingsOf(inModule('modules.m.'), reading(name, 'n-shop-lan')).map(({ hint }) => hint);
    expect(hintOf('data.lan')).toEqual([
      'Read it by an output of its module, and remove the entry of `data`.',
    ]);
    expect(hintOf('modules.m.data.lan')).toEqual([
      'Write `${projects.shop.networks.lan.…}` in its place, and remove the entry of `data`.',
    ]);
    expect(hintOf('modules.n.data.lan')).toEqual([
      'Read it by an output of its module, and remove the entry of `data`.',
    ]);
  });

  test.each<[string, World, UsedDataResult]>([
    ['what nobody manages', world, reading('data.lan', 'n-9')],
    ['what another kind has under this id', world, reading('data.lan', 'n-shop-lan', 'image')],
    [
      'what this plan forgets',
      {
        ...world,
        desired: {
          resources: world.desired.resources.filter(({ kind }) => kind === 'project'),
          removed: [{ from: 'projects.shop.networks.lan', destroy: false, source }],
        },
      },
      reading('data.lan', 'n-shop-lan'),
    ],
    ['anything, when all is destroyed', destroyAll(world), reading('data.lan', 'n-shop-lan')],
  ])('is not %s', (_what, given, data) => expect(findingsOf(given, data)).toEqual([]));
});
