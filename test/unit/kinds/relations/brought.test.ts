import { describe, expect, it } from 'vitest';
import {
  findCompanionResourceId,
  findAdoptedCompanionId,
} from '../../../../src/kinds/relations/brought.ts';
import { makeLive } from '../../../support/account.ts';

const { resources } = makeLive({
  projects: {
    'p-1': {
      name: 'shop',
      networks: { 'n-1': { name: 'lan' } },
      publicIps: { 'ip-1': {} },
      vms: { holder: { name: 'a', publicIp: 'ip-1' }, bare: { name: 'b' } },
    },
  },
});
const find = (id: string) => resources.find((one) => one.id === id);
const wantsNew = { attributes: { publicIp: 'new' } };

describe('the public IP that came with a VM', () => {
  it.each([
    ['is the one in the state', { ...wantsNew, allocatedPublicIpId: 'ip-9' }, 'holder', 'ip-9'],
    ['is known although the VM is gone', { ...wantsNew, allocatedPublicIpId: 'ip-9' }, '', 'ip-9'],
    ['is what the VM holds when the state lacks it', wantsNew, 'holder', 'ip-1'],
    ['is not there yet', wantsNew, 'bare', undefined],
    ['is unknown when the VM is gone too', wantsNew, '', undefined],
    ['is none when none was asked for', { attributes: { publicIp: 'edge' } }, 'holder', undefined],
    ['is none when nothing is remembered', undefined, 'holder', undefined],
    ['is none for what is no VM', wantsNew, 'n-1', undefined],
  ])('%s', (_what, managed, id, expected) =>
    expect(findCompanionResourceId(managed, find(id))).toBe(expected),
  );
});

describe('the public IP that an adopted VM brings', () => {
  const holder = find('holder');
  const create = {
    ...{ kind: 'createVm' as const, project: 'p-1', name: 'a', imageId: 'i' },
    ...{ configurationId: 'c', tariffId: 't' },
    ...{ sshKeys: [], plugins: [] },
  } as const;
  it.each([
    ['is the one that its block asks for', { publicIp: 'new' }, '', 'ip-1'],
    ['is the one that our open create asked for', {}, 'new', 'ip-1'],
    ['is none where neither did', {}, '', undefined],
    ['is none where the create named another', { publicIp: 'edge' }, 'ip-2', undefined],
  ])('%s', (_what, attributes, publicIp, expected) => {
    const command = { ...create, publicIp };
    expect(holder && findAdoptedCompanionId(attributes, { command }, holder, new Set())).toBe(
      expected,
    );
  });

  it('is none where it is managed already', () => {
    const found =
      holder && findAdoptedCompanionId({ publicIp: 'new' }, undefined, holder, new Set(['ip-1']));
    expect(found).toBeUndefined();
  });
});
