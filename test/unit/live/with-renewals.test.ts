import { expect, it } from 'vitest';
import { withRenewals } from '../../../src/live/with-renewals.ts';
import type { Sale } from '../../../src/model/account.ts';
import { makeLive } from '../../support/account.ts';

const live = makeLive({
  projects: { 'p-1': { name: 'p', vms: { 'vm-1': { name: 'a' }, 'vm-2': { name: 'b' } } } },
});
const saleOf = (resourceId: string): Sale => ({
  ...{ id: `sale-${resourceId}`, resourceType: 'vm', resourceId, tariffId: 'monthly' },
  ...{ renewal: 'cancelled', paidUntil: null },
});

it('tells of each VM whether it renews, and which sales are of what no list showed', () => {
  const { resources, unlistedIds } = withRenewals(live, [saleOf('vm-1'), saleOf('vm-9')]);
  const renewals = resources.map((one) => [one.id, one.kind === 'vm' && one.renewal]);
  expect(renewals).toEqual([
    ['vm-1', 'cancelled'],
    ['vm-2', undefined],
  ]);
  expect(unlistedIds).toEqual(['vm-9']);
});
