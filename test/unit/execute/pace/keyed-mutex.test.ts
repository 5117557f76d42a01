import { expect, test } from 'vitest';
import {
  createKeyedMutex,
  findLookalikeCreateKind,
} from '../../../../src/execute/pace/keyed-mutex.ts';
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
])('a create of %s', (_what, command, kind) => expect(findLookalikeCreateKind(command)).toBe(kind));

test('those who ask for the same key go one after the other, also after a failure, and nobody else waits', async () => {
  const mutex = createKeyedMutex();
  const steps: string[] = [];
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((done) => (answer = done));
  const first = mutex.run('publicIp p-1', async () => {
    await answered;
    steps.push('first');
    throw new Error('refused');
  });
  const second = mutex.run('publicIp p-1', () => Promise.resolve(steps.push('second')));
  await mutex.run('publicIp p-2', () => Promise.resolve(steps.push('elsewhere')));
  answer();
  await expect(first).rejects.toThrow('refused');
  await second;
  expect(steps).toEqual(['elsewhere', 'first', 'second']);
});
