import { expect, test } from 'vitest';
import { vmCommands } from '../../../../src/kinds/vm/commands.ts';
import { kindRegistry } from '../../../../src/kinds/registry.ts';
import type { LiveVm } from '../../../../src/kinds/vm/model.ts';
import { vmWireFormat } from '../../../../src/kinds/vm/wire.ts';
import { makeLive } from '../../../support/account.ts';

const vms = { 'vm-1': { name: 'web', sshKeys: ['k-1'], networks: ['n-1'], publicIp: 'ip-1' } };
const contents = {
  ...{ sshKeys: { 'k-1': { name: 'alice' } }, networks: { 'n-1': { name: 'lan' } } },
  ...{ publicIps: { 'ip-1': {} }, vms },
};
const { resources } = makeLive({ projects: { 'p-1': { name: 'shop', ...contents } } });
const web = resources.find(({ kind }) => kind === 'vm') as LiveVm;
const at = { project: 'p-1', vm: 'vm-1' };
const sale = { ...at, sale: null };

const create = {
  kind: 'createVm',
  ...{ project: 'p-1', name: 'web', imageId: web.imageId ?? '' },
  ...{ configurationId: web.configurationId ?? '', tariffId: web.tariffId ?? '' },
  ...{ sshKeys: ['k-1'], plugins: [] },
} as const;
type Create = { readonly publicIp: string; readonly imageId?: string };

test.each<[string, Partial<LiveVm>, Create, string, string]>([
  ['as it was asked for', {}, { publicIp: 'ip-1' }, 'same', 'same'],
  ['of another image', {}, { publicIp: 'new', imageId: 'img-x' }, 'other', 'same'],
  ['with another address', {}, { publicIp: 'ip-2' }, 'other', 'same'],
  ['with an address that nobody asked for', {}, { publicIp: 'none' }, 'other', 'same'],
  ['without one', { publicIpId: null }, { publicIp: 'none' }, 'same', 'same'],
  ['without the one that is to come', { publicIpId: null }, { publicIp: 'new' }, 'same', 'other'],
  ['whose address is untold', { publicIpId: undefined }, { publicIp: 'new' }, 'untold', 'untold'],
  ['whose keys are not there yet', { sshKeyIds: [] }, { publicIp: 'ip-1' }, 'same', 'same'],
  ['whose keys are untold', { sshKeyIds: undefined }, { publicIp: 'ip-1' }, 'untold', 'same'],
  ['with other keys', { sshKeyIds: ['k-2'] }, { publicIp: 'ip-1' }, 'other', 'same'],
])('a VM %s, beside its create', (_what, live, asked, unchanging, shown) => {
  const { createVm } = vmCommands;
  const command = { ...create, ...asked };
  expect(createVm.compareUnchanging?.({ ...web, ...live }, command)).toBe(unchanging);
  expect(createVm.compareShown?.({ ...web, ...live }, command)).toBe(shown);
});

test('a create gives an address unless it asks for none, and a sale has its id', () => {
  const gives = (publicIp: string) => vmCommands.createVm.givenBy?.({ ...create, publicIp });
  expect([gives('new'), gives('none')]).toEqual([['publicIp'], []]);
  const { resumeSaleRenewal, cancelSaleRenewal } = vmWireFormat.encode;
  const sales = [null, 's-1'].flatMap((id) => [
    resumeSaleRenewal({ kind: 'resumeSaleRenewal', ...at, sale: id }),
    cancelSaleRenewal({ kind: 'cancelSaleRenewal', ...at, sale: id }),
  ]);
  expect(sales.map((one) => one.params)).toEqual([
    ...[{ saleId: '' }, { saleId: '' }, { saleId: 's-1' }, { saleId: 's-1' }],
  ]);
  expect(kindRegistry.vm.traits.sale?.recall(web, { ...web, renewal: 'active' })).toMatchObject({
    renewal: 'active',
  });
  expect(kindRegistry.vm.traits.sale?.recall(web, web)).toBe(web);
});

test('what a VM shows of other commands, and how it is after them', () => {
  const { startVm, stopVm, rebuildVm, attachVm, detachVm, cancelSaleRenewal } = vmCommands;
  const stop = { kind: 'stopVm', ...at } as const;
  expect(stopVm.compareShown?.(web, stop)).toBe('other');
  expect(stopVm.compareShown?.({ ...web, bootStatus: undefined }, stop)).toBe('untold');
  expect(startVm.compareShown?.(web, { kind: 'startVm', ...at })).toBe('same');
  expect(stopVm.carryOut?.(web, stop)).toMatchObject({ bootStatus: 'Stopped' });
  const cancel = { kind: 'cancelSaleRenewal', ...sale } as const;
  expect(cancelSaleRenewal.compareShown?.(web, cancel)).toBe('other');
  const ending = cancelSaleRenewal.carryOut?.(web, cancel) ?? web;
  expect(cancelSaleRenewal.compareShown?.(ending, cancel)).toBe('same');
  const rebuild = { kind: 'rebuildVm', ...at, imageId: 'img-x', deleteBackups: false } as const;
  const keyed = { ...rebuild, sshKeys: ['k-2'] };
  const rebuilt = rebuildVm.carryOut?.(web, rebuild) ?? web;
  expect(rebuildVm.compareShown?.(rebuilt, rebuild)).toBe('same');
  expect(rebuildVm.compareShown?.(rebuilt, keyed)).toBe('other');
  expect(rebuildVm.carryOut?.(web, keyed)).toMatchObject({ sshKeyIds: ['k-2'] });
  const network = (name: string) => ({ ...at, network: name });
  const attach = { kind: 'attachVm', ...network('n-2') } as const;
  const detach = { kind: 'detachVm', ...network('n-1') } as const;
  expect(attachVm.compareShown?.(web, attach)).toBe('other');
  const both = attachVm.carryOut?.(web, attach) ?? web;
  expect(both.networks).toEqual([...(web.networks ?? []), { networkId: 'n-2', internalIp: null }]);
  expect(attachVm.carryOut?.(both, attach)).toBe(both);
  expect(detachVm.carryOut?.(both, detach)).toMatchObject({ networks: [{ networkId: 'n-2' }] });
  const untold = { ...web, networks: undefined };
  expect(attachVm.compareShown?.(untold, attach)).toBe('untold');
  expect(attachVm.carryOut?.(untold, attach)).toBe(untold);
});
