import { describe, expect, it } from 'vitest';
import { InternalError } from '../../../src/model/errors.ts';
import { indexAccount, parseKnownAddress } from '../../../src/plan/account-index.ts';
import { makeWorld } from '../../support/world.ts';

const { live, state } = makeWorld({
  account: {
    projects: {
      'p-1': {
        name: 'shop',
        publicIps: { 'ip-left': {}, 'ip-held': {} },
        vms: { 'vm-1': { name: 'web', publicIp: 'ip-held' } },
      },
    },
  },
  memory: {
    resources: {
      'projects.shop': 'p-1',
      'projects.shop.vms.web': { id: 'vm-1', allocatedPublicIpId: 'ip-held' },
      'projects.shop.vms.gone': { id: 'vm-9', allocatedPublicIpId: 'ip-left' },
      'projects.shop.vms.bare': { id: 'vm-8' },
      'projects.shop.vms.lost': { id: 'vm-7', allocatedPublicIpId: 'ip-9' },
    },
  },
});
const index = indexAccount(live, state);

describe('the account by address', () => {
  it.each([
    ['projects.shop', 'p-1', undefined],
    ['projects.shop.vms.web', 'vm-1', undefined],
    ['projects.shop.vms.gone', undefined, 'ip-left'],
    ['projects.shop.vms.bare', undefined, undefined],
    ['projects.shop.vms.lost', undefined, undefined],
    ['projects.shop.vms.never', undefined, undefined],
  ])('%s is %s, and left %s behind', (address, id, left) => {
    expect(index.liveAt(address)?.id).toBe(id);
    expect(index.leftPublicIp(address)).toBe(left);
  });

  it.each([
    ['a VM that is gone', 'vm-9', 'ip-left'],
    ['a VM that stands', 'vm-1', undefined],
    ['a VM of somebody else', 'vm-5', undefined],
    ['a VM that it does not tell', undefined, undefined],
  ])('takes an address that a list still names %s for left behind by its own', (_, vmId, left) => {
    const lagging = live.resources.map((one) => (one.id === 'ip-left' ? { ...one, vmId } : one));
    const lagged = indexAccount({ ...live, resources: lagging }, state);
    expect(lagged.leftPublicIp('projects.shop.vms.gone')).toBe(left);
  });

  it('knows what else still stands of what stood there before', () => {
    const { live: account, state: remembered } = makeWorld({
      account: { tokens: { 't-1': { name: 'ci' }, 't-2': { name: 'ci' } } },
      memory: { resources: { 'tokens.ci': { id: 't-1', deposed: ['t-1', 't-2', 't-9'] } } },
    });
    const ofTokens = indexAccount(account, remembered);
    expect(ofTokens.deposedAt('tokens.ci').map(({ id }) => id)).toEqual(['t-2']);
    expect(ofTokens.deposedAt('tokens.cd')).toEqual([]);
  });

  it('knows what stands behind an id', () => {
    expect(index.addressOf('vm-1')).toBe('projects.shop.vms.web');
    expect(index.addressOf('ip-held')).toBeUndefined();
  });
});

it('parseKnown takes what is no address for a bug', () => {
  expect(parseKnownAddress('projects.shop').kind).toBe('project');
  expect(() => parseKnownAddress('shop')).toThrow(InternalError);
});
