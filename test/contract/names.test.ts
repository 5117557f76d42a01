import { describe, expect, it } from 'vitest';

import type { NameNormalization } from '../../src/sandbox/store/world.ts';
import { addProject, newest, openBench, publicKey, vmRequest } from './bench.ts';

const given = ' Cafe\u0301 ';

/** What a sandbox with that option keeps of `given`. */
const kept: readonly (readonly [NameNormalization | undefined, string])[] = [
  [undefined, given],
  ['as-given', given],
  ['trimmed', 'Cafe\u0301'],
  ['lower-case', ' cafe\u0301 '],
  ['nfc', ' Caf\u00E9 '],
];

/** The operations on what has a name, with the rest of what a create asks for. */
const named = [
  ['createNetwork', 'listNetworks', 'renameNetwork', 'networkId', {}],
  ['createSshKey', 'listSshKeys', 'renameSshKey', 'sshKeyId', { publicKey }],
  ['createVm', 'listVms', 'renameVm', 'vmId', vmRequest(given)],
  ['createToken', 'listTokens', 'renameToken', 'tokenId', { scopes: ['read'] }],
  ['createProject', 'listProjects', 'renameProject', 'projectId', {}],
] as const;

describe.each(kept)('a sandbox whose names are %s', (names, name) => {
  it('keeps the names of creates and renames so', async () => {
    const bench = await openBench(names ? { names } : {});
    await addProject(bench, 'shop');
    for (const [create, list, rename, param, more] of named) {
      await bench.get(create, { body: { ...more, name: given } });
      bench.pass(60);
      const { id } = await newest(bench, list);
      const nameOf = async () =>
        (await bench.list<{ id: string; name: string }>(list)).find((one) => one.id === id)?.name;
      expect(await nameOf()).toBe(name);
      const params = { [param]: id };
      await bench.get(rename, { params, body: { name: 'plain' } });
      expect(await nameOf()).toBe('plain');
      expect(await bench.get(rename, { params, body: { name: given } })).toMatchObject({ name });
      expect(await nameOf()).toBe(name);
    }
  });
});

it('a sandbox that lower-cases names refuses the second of two names that it makes one of', async () => {
  const bench = await openBench({ names: 'lower-case' });
  await addProject(bench, 'shop');
  await bench.get('createNetwork', { body: { name: 'backend' } });
  expect(await bench.refusal(409, 'createNetwork', { body: { name: 'Backend' } })).toMatchObject({
    detail: expect.stringContaining('backend') as string,
  });
});
