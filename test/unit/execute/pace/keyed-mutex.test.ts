import { expect, test } from 'vitest';
import { mistakableKind } from '../../../../src/execute/pace/keyed-mutex.ts';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';

const vm = (publicIp: string): ResolvedCommand => ({
  ...{ kind: 'createVm', project: 'p-1', name: 'web', imageId: 'i', configurationId: 'c' },
  ...{ tariffId: 't', sshKeys: [], publicIp, plugins: [] },
});
const forward: ResolvedCommand = {
  ...{ kind: 'createPortForward', project: 'p-1', publicIp: 'ip-1', protocol: 'tcp' },
  ...{ publicPort: 443, vm: 'vm-1', vmPort: 443 },
};

test.each<[string, ResolvedCommand, string | undefined]>([
  ['what has neither a name nor marks', { kind: 'createPublicIp', project: 'p-1' }, 'publicIp'],
  ['what brings such a one along', vm('new'), 'publicIp'],
  ['what brings none', vm('none'), undefined],
  ['what takes one that is there', vm('ip-1'), undefined],
  ['what has marks', forward, undefined],
  ['what has a name', { kind: 'createNetwork', project: 'p-1', name: 'lan' }, undefined],
])('a create of %s', (_what, command, kind) => {
  expect(mistakableKind(command)).toBe(kind);
});
