import { expect, it } from 'vitest';
import { knownAfter } from '../../../../src/plan/deferred/known-resource.ts';

it('knows a resource as it will be, with every attribute that may be read', () => {
  const after = { name: 'lan' };
  expect(knownAfter({ kind: 'network', after, unknown: ['id', 'cidr'] })).toEqual({
    names: ['name', 'id', 'cidr'],
    values: after,
    unknown: ['id', 'cidr'],
  });
});

it('knows nothing of what will be gone', () => {
  expect(knownAfter({ kind: 'network', after: null, unknown: [] })).toBeUndefined();
});
