import { expect, test } from 'vitest';
import { listRevertedDrift } from '../../../src/plan/list-drifted.ts';
import { makeChange } from '../render/sample-plan.ts';

const source = { file: 'a.yaml', line: 3, column: 5, endLine: 3, endColumn: 8 };
const at = 'projects.shop.vms.web';
const drifted = makeChange({
  ...{
    address: at,
    kind: 'vm',
    action: 'update',
    source,
    ignored: ['power'],
    sensitive: ['tariff'],
  },
  before: { name: 'b', image: 'x', tariff: 't' },
  after: { name: 'c', image: 'y' },
  drift: { name: 'a', tariff: 's' },
  fields: [
    { name: 'name', effect: 'update' },
    { name: 'image', effect: 'rebuild' },
    { name: 'tariff', effect: 'replace' },
  ],
});

test('an attribute that somebody changed, and not one that the configuration changes', () => {
  const [name, tariff, ...rest] = listRevertedDrift({ changes: [drifted], mode: 'apply' });
  expect(rest).toEqual([]);
  expect(name).toMatchObject({ field: 'name', applied: 'a', live: 'b', configured: 'c', source });
  expect(name?.ignore).toEqual({ line: 'lifecycle: { ignoreChanges: [power, name] }', source });
  expect(tariff).toMatchObject({ isSensitive: true, applied: null, live: null, configured: null });
  expect(listRevertedDrift({ changes: [drifted], mode: 'destroy' })).toEqual([]);
});

test('a value that is known after apply, or that the account does not tell', () => {
  const change = { ...drifted, before: null, after: null };
  expect(listRevertedDrift({ changes: [change], mode: 'apply' })[0]).toMatchObject({
    live: null,
    configured: null,
  });
});

test('the account cannot be ignored', () => {
  const account = { ...drifted, kind: 'account' as const, address: 'account' };
  expect(listRevertedDrift({ changes: [account], mode: 'apply' })[0]?.ignore).toHaveProperty('why');
});

test('resources that went, and resources that came', () => {
  const gone = makeChange({ address: at, kind: 'vm', action: 'create', reason: 'deleted-outside' });
  const project = makeChange({
    address: 'projects.shop',
    kind: 'project',
    action: 'no-op',
    source,
  });
  const names = ['web-1', 'yes', '*', undefined];
  const came = names.map((name, index) =>
    makeChange({
      ...{ address: `${at}${index}`, kind: 'vm', action: 'delete', reason: 'not-exclusive' },
      ...{
        project: 'projects.shop',
        id: `vm-${index}`,
        before: name === undefined ? null : { name },
      },
    }),
  );
  const [first, ...others] = listRevertedDrift({
    changes: [project, gone, ...came],
    mode: 'apply',
  });
  expect(first).toMatchObject({ what: 'deleted', address: at });
  expect(others.map(({ ignore }) => ignore)).toEqual(
    ['web-1', '"vm-1"', '"vm-2"', '"vm-3"'].map((name) => ({
      line: `ignoreUnmanaged: [${name}]`,
      source,
    })),
  );
});
