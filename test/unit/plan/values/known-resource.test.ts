import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/model/plan/plan.ts';
import {
  findResourceAfterChange,
  findResourceDuringApply,
} from '../../../../src/plan/values/known-resource.ts';
import { planOf } from '../../../support/plan-lines.ts';
import { makeWorld } from '../../../support/world.ts';

it('knows a resource as it will be, with every attribute that may be read', () => {
  const after = { name: 'lan' };
  expect(findResourceAfterChange({ kind: 'network', after, unknown: ['id', 'cidr'] })).toEqual({
    names: ['name', 'id', 'cidr'],
    values: after,
    unknown: ['id', 'cidr'],
  });
});

it('knows nothing of what will be gone', () =>
  expect(findResourceAfterChange({ kind: 'network', after: null, unknown: [] })).toBeUndefined());

describe('while a plan is carried out', () => {
  const { changes } = planOf(makeWorld({ config: { p: { networks: { lan: {} } } } }));
  const change = changes.find(({ kind }) => kind === 'network') as Change;
  const standing = { id: 'n-9', name: 'old', cidr: '10.0.9.0/24' };

  it.each<[string, Change['action'], boolean, object]>([
    [
      'nothing is known of what is not made yet',
      'create',
      false,
      { unknown: ['id', 'cidr'], values: { name: 'lan' } },
    ],
    [
      'all is known of what is done',
      'create',
      true,
      { unknown: [], values: { ...standing, name: 'lan' } },
    ],
    [
      'what is left alone is as it stands',
      'no-op',
      false,
      { values: { ...standing, name: 'lan' } },
    ],
  ])('%s', (_what, action, isDone, known) => {
    expect(findResourceDuringApply({ ...change, action }, isDone, standing)).toMatchObject(known);
    expect(
      findResourceDuringApply({ ...change, action, after: null }, isDone, standing),
    ).toBeUndefined();
  });
});
