import { describe, expect, it } from 'vitest';
import {
  commandSubjects,
  resolveCommand,
  findCommandSubjectId,
  type Command,
  type ResourceRef,
  type ResolvedCommand,
} from '../../../../src/model/account/command.ts';
import { kindNames } from '../../../../src/model/kind-places.ts';

const byAddress = (ref: ResourceRef) => ('id' in ref ? ref.id : `id of ${ref.idOf}`);

const plain = {
  ...({
    kind: 'createVm',
    name: 'web',
    imageId: 'i',
    configurationId: 'c',
    tariffId: 't',
  } as const),
  plugins: ['monitoring'],
};
const forward = {
  kind: 'createPortForward',
  protocol: 'tcp',
  publicPort: 443,
  vmPort: 8443,
} as const;
const [project, ip, vm] = [{ id: 'p-1' }, { id: 'ip-1' }, { id: 'vm-1' }];

it.each<[string, Command, ResolvedCommand]>([
  [
    'ids stay, addresses become ids',
    { kind: 'renameVm', project, vm: { idOf: 'projects.a.vms.b' }, name: 'x' },
    { kind: 'renameVm', project: 'p-1', vm: 'id of projects.a.vms.b', name: 'x' },
  ],
  [
    'in lists too; texts, numbers and flags are left alone',
    { ...plain, project, sshKeys: [{ id: 'k-1' }, { idOf: 'a.b' }], publicIp: ip },
    { ...plain, project: 'p-1', sshKeys: ['k-1', 'id of a.b'], publicIp: 'ip-1' },
  ],
  [
    'words that stand for no resource stay',
    { ...plain, project, sshKeys: [], publicIp: 'new' },
    { ...plain, project: 'p-1', sshKeys: [], publicIp: 'new' },
  ],
  [
    'a port forward has three references',
    { ...forward, project, publicIp: ip, vm },
    { ...forward, project: 'p-1', publicIp: 'ip-1', vm: 'vm-1' },
  ],
])('resolveCommand: %s', (_what, command, resolved) => {
  expect(resolveCommand(command, byAddress)).toEqual(resolved);
});

it.each<[ResolvedCommand, string | undefined]>([
  [{ kind: 'createProject', name: 'a' }, undefined],
  [{ kind: 'createNetwork', project: 'p-1', name: 'a' }, undefined],
  [{ kind: 'renameProject', project: 'p-1', name: 'a' }, 'p-1'],
  [{ kind: 'deleteProject', project: 'p-1' }, 'p-1'],
  [{ kind: 'deleteSshKey', project: 'p-1', sshKey: 'k-1' }, 'k-1'],
  [{ kind: 'deletePublicIp', project: 'p-1', publicIp: 'ip-1' }, 'ip-1'],
  [{ kind: 'attachVm', project: 'p-1', vm: 'vm-1', network: 'n-1' }, 'vm-1'],
  [{ kind: 'deletePortForward', project: 'p-1', publicIp: 'ip-1', portForward: 'f-1' }, 'f-1'],
])('subjectId of %j is %s', (command, id) => expect(findCommandSubjectId(command)).toBe(id));

describe('commandSubjects', () => {
  it.each(kindNames.filter((kind) => kind !== 'account'))(
    'lets a %s be made and removed',
    (kind) => {
      const effects = Object.values(commandSubjects)
        .filter((subject) => subject.kind === kind)
        .map(({ effect }) => effect);
      expect(effects.filter((effect) => effect === 'create')).toHaveLength(1);
      expect(effects.filter((effect) => effect === 'delete')).toHaveLength(1);
    },
  );

  it('lets the account be changed alone', () => {
    const ofAccount = Object.values(commandSubjects).filter(({ kind }) => kind === 'account');
    expect(ofAccount.map(({ effect }) => effect)).toEqual(['update', 'update']);
  });

  it('says in the name of each command what it does', () => {
    const verbs = { create: /^create/, delete: /^delete/, update: /^(?!delete)/ };
    const odd = Object.entries(commandSubjects).filter(
      ([name, { effect }]) => !verbs[effect].test(name),
    );
    expect(odd).toEqual([]);
  });
});
