import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DayTwoWorld, type RunOptions } from '../../../support/day-two.ts';

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open({ variant: 'loose' });
});
afterEach(() => world.close());

/** The projects that are written, by key, with the keys of their VMs. */
async function exportProjects(argv: readonly string[], options: RunOptions = {}) {
  const { code, stdout, stderr, writes } = await world.run(['export', ...argv], options);
  expect(writes).toEqual([]);
  const { projects = {} } = (parse(stdout) ?? {}) as {
    projects?: Record<string, { vms?: Record<string, object> }>;
  };
  return {
    ...{ code, stdout, stderr, projects },
    vms: Object.fromEntries(
      Object.entries(projects).map(([key, { vms = {} }]) => [key, Object.keys(vms)]),
    ),
  };
}

describe('the projects', () => {
  test('are those that are named, by name or id, each once', async () => {
    await world.client.send({ kind: 'createProject', name: 'blog' });
    const shop = { shop: ['web-0', 'web-1'] };
    const named = ['--project', 'shop', '--project', world.projectId];
    expect((await exportProjects(named)).vms).toEqual(shop);
    expect((await exportProjects(['--all'])).vms).toEqual({ blog: [], ...shop });
  });

  test('must be told apart', async () => {
    await world.client.send({ kind: 'createProject', name: 'shop' });
    const { code, stdout, stderr } = await exportProjects(['--project', 'shop']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('2 projects are called shop');
    const both = await exportProjects(['--all']);
    expect(both.code).toBe(0);
    expect(both.stderr).toContain('Left out: project "shop"');
  });
});

test('what cannot be said is told on standard error and in the file', async () => {
  const [, second = ''] = world.vmIds;
  const project = world.projectId;
  await world.client.send({ kind: 'renameVm', project, vm: second, name: 'web-0' });
  const { stderr, stdout, projects } = await exportProjects(['--all']);
  expect(stderr).toContain('A configuration cannot describe all of projects.shop.vms.web-0-2');
  expect(stdout).toContain('# Its name is "web-0", like that of another VM');
  expect(projects.shop?.vms?.['web-0-2']).toMatchObject({ lifecycle: { ignoreChanges: ['name'] } });
});

describe('renewals', () => {
  test('that were cancelled are written', async () => {
    await world.run(['sales', 'cancel', 'projects.shop.vms.web[0]', '--auto-approve']);
    const { projects } = await exportProjects(['--all']);
    expect(projects.shop?.vms?.['web-0']).toMatchObject({ renewal: 'cancelled' });
    expect(projects.shop?.vms?.['web-1']).not.toHaveProperty('renewal');
  });

  test('that the token may not read are left out', async () => {
    const { body } = await world.client.call({
      operation: 'createToken',
      params: {},
      body: { name: 'few', scopes: ['compute', 'network'] },
    });
    const env = { HOSTWRIGHT_TOKEN: (body as { value: string }).value };
    const { code, stderr, vms } = await exportProjects(['--all'], { env });
    expect({ code, vms }).toEqual({ code: 0, vms: { shop: ['web-0', 'web-1'] } });
    expect(stderr).toContain('Whether VMs renew cannot be read');
  });

  test('that the service cannot tell now stop it', async () => {
    const { code, stdout } = await exportProjects(['--all'], {
      meddle: (request, pass) =>
        request.url.includes('/sales')
          ? Promise.resolve(new Response('{}', { status: 401 }))
          : pass(),
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});
