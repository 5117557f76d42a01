import { describe, expect, it } from 'vitest';
import { findChangesSincePlan, hasReviewedAttributes } from '../../../src/kinds/unseen-changes.ts';
import type { ResolvedCommand } from '../../../src/model/account/command.ts';
import type { LiveRecordOfKind, LiveResource } from '../../../src/model/account/live.ts';
import type { KindName } from '../../../src/model/kind-places.ts';
import { defaultCatalog, makeLive } from '../../support/account.ts';

const account = makeLive({
  tokens: { t: { name: 'ci', scopes: ['compute', 'network'], expiresAt: 1_000 } },
  projects: {
    p: {
      name: 'shop',
      sshKeys: { k: { name: 'alice' } },
      networks: { n: { name: 'lan' }, m: { name: 'wan' } },
      publicIps: { ip: { forwards: { f: { publicPort: 443, vm: 'vm', vmPort: 8443 } } } },
      vms: { vm: { name: 'web', networks: ['n'], power: 'stopped' } },
    },
  },
});
const all: readonly LiveResource[] = [...account.projects, ...account.resources];
const find = <K extends KindName>(kind: K) =>
  all.find((one) => one.kind === kind) as LiveRecordOfKind<K>;
const at = { project: 'p', vm: 'vm' } as const;

function changesOf(
  kind: KindName,
  patch: object,
  done: readonly ResolvedCommand[] = [],
  planned: object = {},
): readonly string[] {
  const before = { ...find(kind), ...planned };
  return findChangesSincePlan(before, { ...before, ...patch }, done, defaultCatalog);
}

describe('what somebody did since the plan was made', () => {
  it.each<[KindName, object, readonly string[]]>([
    ['project', { name: 'kept' }, ['name is "kept", was "shop"']],
    ['network', { name: 'kept' }, ['name is "kept", was "lan"']],
    ['network', { cidr: '10.9.0.0/24' }, []],
    ['sshKey', { publicKey: 'ssh-ed25519 other' }, [expect.stringContaining('publicKey is')]],
    ['portForward', { vmPort: 1 }, ['vmPort is 1, was 8443']],
    [
      'vm',
      { name: 'kept', plugins: ['a'] },
      ['name is "kept", was "web"', 'plugins is ["a"], was []'],
    ],
    ['accessToken', { name: 'kept' }, ['name is "kept", was "ci"']],
    ['accessToken', { scopes: ['full'] }, ['scopes is ["full"], was ["compute","network"]']],
    ['accessToken', { expiresAt: null }, ['expiresAt is null, was 1000']],
    ['accessToken', { scopes: ['network', 'compute'], lastUsedAt: 5 }, []],
    ['vm', { imageId: 'img-debian-13' }, ['image is "debian-13", was "ubuntu-24.04"']],
    ['vm', { networks: [] }, ['networks is [], was ["n"]']],
    ['vm', { publicIpId: 'ip' }, ['publicIp is "ip", was null']],
    ['vm', { bootStatus: 'Running' }, ['it is running, was stopped']],
    ['vm', { sshKeyIds: ['k'], operation: 'Start', operationStatus: 'Succeeded' }, []],
  ])('to a %s: %j', (kind, patch, changes) => expect(changesOf(kind, patch)).toEqual(changes));

  it('is told without what is sensitive', () => {
    const before = find('network');
    const after = { ...before, name: 'hush' };
    expect(findChangesSincePlan(before, after, [], defaultCatalog, ['name'])).toEqual([
      'name is another',
    ]);
  });

  it('is nothing on a stop, and nothing on an unpublished boot status', () => {
    expect(changesOf('vm', { bootStatus: 'Stopped' }, [], { bootStatus: 'Running' })).toEqual([]);
    expect(changesOf('vm', { bootStatus: 'Hibernating' })).toEqual([]);
  });

  it.each<[string, ResolvedCommand, object]>([
    ['a rename', { kind: 'renameVm', ...at, name: 'www' }, { name: 'www' }],
    ['a detachment', { kind: 'detachVm', ...at, network: 'n' }, { networks: [] }],
    ['a start', { kind: 'startVm', ...at }, { bootStatus: 'Running' }],
    [
      'an attachment',
      { kind: 'attachVm', ...at, network: 'm' },
      { networks: ['m', 'n'].map((networkId) => ({ networkId, internalIp: null })) },
    ],
  ])('is not %s of our own', (_what, command, patch) => {
    expect(changesOf('vm', patch, [command])).toEqual([]);
    expect(changesOf('vm', patch)).not.toEqual([]);
  });

  it('is a start after a stop of our own', () => {
    const stop: ResolvedCommand = { kind: 'stopVm', ...at };
    const reboot: ResolvedCommand = { kind: 'rebootVm', ...at };
    expect(
      changesOf('vm', { bootStatus: 'Running' }, [stop, reboot], { bootStatus: 'Running' }),
    ).toEqual(['it is running, was stopped']);
  });

  it('is only another name of what was being changed when it was planned', () => {
    const busy = { status: 'updating' };
    const patch = { status: 'active', networks: [], imageId: 'img-debian-13' };
    expect(changesOf('vm', patch, [], busy)).toEqual([]);
    expect(changesOf('vm', { ...patch, name: 'x' }, [], busy)).toEqual(['name is "x", was "web"']);
  });

  it('is anything where a backup was made of it when it was planned', () => {
    const busy = { operation: 'CreateBackup', operationStatus: 'Running' };
    const patch = { operationStatus: 'Succeeded', imageId: 'img-debian-13' };
    const image = ['image is "debian-13", was "ubuntu-24.04"'];
    expect(changesOf('vm', patch, [], busy)).toEqual(image);
    // The backup has ended, and something else goes on.
    const over = { ...busy, status: 'updating', operationStatus: 'Succeeded' };
    expect(changesOf('vm', { ...patch, status: 'active' }, [], over)).toEqual([]);
  });

  it('is not looked for where the service itself refuses', () => {
    expect(hasReviewedAttributes('publicIp')).toBe(false);
    expect(hasReviewedAttributes('vm')).toBe(true);
    expect(hasReviewedAttributes('accessToken')).toBe(true);
    expect(changesOf('publicIp', { vmId: 'vm' })).toEqual([]);
  });
});

describe('a rename of ours', () => {
  const renamed: ResolvedCommand = { kind: 'renameVm', ...at, name: 'Web-aside' };

  it('shows as the service keeps names', () => {
    expect(changesOf('vm', { name: 'Web-aside' }, [renamed])).toEqual([]);
    expect(changesOf('vm', { name: 'web-aside' }, [renamed])).toEqual([]);
  });

  it('does not hide that of somebody else', () => {
    expect(changesOf('vm', { name: 'kept' }, [renamed])).toEqual([
      'name is "kept", was "Web-aside"',
    ]);
    expect(changesOf('vm', { name: 'WEB' })).toEqual(['name is "WEB", was "web"']);
  });
});
