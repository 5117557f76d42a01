import { expect, test } from 'vitest';
import { renderInventoryJson } from '../../../../src/render/account/inventory-text.ts';

/** Groups of these VMs, each by its address. */
function groupsOf(...addresses: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const hosts = addresses.map((address) => ({
    ...{ address, alias: address, id: 'vm-1', keyAlias: 'k', internalIps: [] },
    route: undefined,
  }));
  return (renderInventoryJson({ hosts, knownHosts: '/k' }) as { groups: never }).groups;
}

const vm = (project: string, key: string) => `projects.${project}.vms.${key}`;

test('a group holds one block, also where another one would be called the same', () => {
  const [one, other] = [vm('shop', 'prod-db'), vm('shop-prod', 'db')];
  expect(groupsOf(one, other)).toEqual({
    project_shop: [one],
    project_shop_prod: [other],
    block_shop_x2e_prod_x2d_db: [one],
    block_shop_x2d_prod_x2e_db: [other],
  });
  // Alone, each has the short name.
  expect(groupsOf(one)).toHaveProperty('block_shop_prod_db', [one]);
  expect(groupsOf(other)).toHaveProperty('block_shop_prod_db', [other]);
});

test('all instances of a module are a group, and each is one', () => {
  const [eu, us] = ['eu', 'us'].map((key) => `modules.shop["${key}"].${vm('shop', 'web[0]')}`);
  const inner = `modules.shop["eu"].modules.data.${vm('data', 'db')}`;
  expect(groupsOf(eu!, us!, inner)).toMatchObject({
    module_shop: [eu, us, inner],
    module_shop_eu: [eu, inner],
    module_shop_us: [us],
    module_data: [inner],
    project_shop: [eu, us],
    block_shop_web: [eu, us],
  });
  expect(groupsOf(`modules.shop.${vm('shop', 'web')}`)).not.toHaveProperty('module_shop_');
});
