import { expect, test } from 'vitest';
import { listInvolvedResourceIds } from '../../../../src/execute/requests/send-command.ts';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';

const vm = (publicIp: string): ResolvedCommand => ({
  ...{ kind: 'createVm', project: 'p-1', name: 'web', imageId: 'i', configurationId: 'c' },
  ...{ tariffId: 't', sshKeys: [], publicIp, plugins: [] },
});

test.each<[ResolvedCommand, readonly string[]]>([
  [{ kind: 'renameNetwork', project: 'p-1', network: 'n-1', name: 'lan' }, ['n-1']],
  [{ kind: 'attachVm', project: 'p-1', vm: 'vm-1', network: 'n-1' }, ['vm-1', 'n-1']],
  [{ kind: 'createPublicIp', project: 'p-1' }, []],
  [vm('new'), []],
  [vm('ip-1'), ['ip-1']],
  [
    {
      ...{ kind: 'updatePortForward', project: 'p-1', publicIp: 'ip-1', portForward: 'f-1' },
      ...{ publicPort: 443, vm: 'vm-1', vmPort: 443 },
    },
    ['f-1', 'vm-1', 'ip-1'],
  ],
  [{ kind: 'deleteToken', accessToken: 't-1' }, ['t-1']],
])('what %j involves', (command, ids) => expect(listInvolvedResourceIds(command)).toEqual(ids));
