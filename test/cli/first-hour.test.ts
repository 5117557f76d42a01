// The first hour with an account: what needs no configuration, and names in place of ids.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DayTwoWorld } from '../support/day-two.ts';

let world: DayTwoWorld;
beforeAll(async () => {
  world = await DayTwoWorld.open();
  await mkdir(join(world.directory, 'empty'));
});
afterAll(() => world.close());

test.each<[string, ...string[]]>([
  ['catalog', 'catalog'],
  ['limits', 'limits'],
  ['account', 'account'],
  ['tokens', 'tokens', 'list'],
  ['sales', 'sales', 'list'],
  ['notifications', 'notifications', 'list'],
  ['operations', 'operations'],
])('%s need no configuration where the environment has the address', async (_, ...argv) => {
  const { code, stdout, stderr } = await world.run([...argv, '--chdir', 'empty']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toBe('');
  const bare = await world.run([...argv, '--chdir', 'empty'], {
    env: { HOSTWRIGHT_BASE_URL: '' },
  });
  expect(bare.code).toBe(1);
  expect(bare.stderr).toContain('Set HOSTWRIGHT_BASE_URL and HOSTWRIGHT_TOKEN');
});

test('operations are those of all projects, by their names', async () => {
  const { json } = await world.run(['operations', '--chdir', 'empty', '--json']);
  expect(json).toMatchObject({ operations: [{ project: 'shop' }, {}] });
  const { stderr } = await world.run(['vm', 'backups', 'projects.shop.vms.x', '--chdir', 'empty']);
  expect(stderr).toContain('[no-configuration]');
});

test('a name imports as an id does, and one of both is an error', async () => {
  const { client, projectId: project, vmIds } = world;
  const web = 'projects.shop.vms.web[0]';
  await world.run(['state', 'rm', web]);
  expect((await world.run(['import', web, 'web-9'])).stderr).toContain('[import-not-found]');
  await client.send({ kind: 'renameVm', project, vm: vmIds[1]!, name: vmIds[0]! });
  await world.pass(60);
  const refused = await world.run(['import', web, vmIds[0]!]);
  expect(refused.stderr).toContain(`2 VMs can be meant by ${vmIds[0]!} [import-ambiguous]`);
  const byName = `the name "web-0" for ${vmIds[0]!}.`;
  expect(refused.stderr.replaceAll(/\s+│\s+/g, ' ')).toContain(byName);
  const { code, stdout } = await world.run(['import', web, 'web-0']);
  expect(code).toBe(0);
  expect(stdout).toContain('Import successful!');
  expect((await world.run(['state', 'show', web])).stdout).toContain(vmIds[0]);
});
