import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { copyExample, run, start } from './program.ts';
import { runInProcess, serve, type ServedSandbox } from './run-in-process.ts';

interface Page {
  readonly items: readonly { readonly id: string; readonly name: string }[];
}

/** What the account holds, counted over all projects through the service's own interface. */
async function countAccount(sandbox: ServedSandbox) {
  const { items: projects } = (await sandbox.get('/projects?pageSize=100')) as Page;
  const names: string[] = [];
  const counts = { projects: projects.length, vms: 0, networks: 0, publicIps: 0, sshKeys: 0 };
  for (const { id } of projects) {
    const vms = (await sandbox.get(`/projects/${id}/vms?pageSize=100`)) as Page;
    counts.vms += vms.items.length;
    names.push(...vms.items.map(({ name }) => `${id} ${name}`));
    const networks = (await sandbox.get(`/projects/${id}/networks?pageSize=100`)) as Page;
    counts.networks += networks.items.length;
    const publicIps = (await sandbox.get(`/projects/${id}/public-ips?pageSize=100`)) as Page;
    counts.publicIps += publicIps.items.length;
    counts.sshKeys += ((await sandbox.get(`/projects/${id}/ssh-keys`)) as unknown[]).length;
  }
  return { counts, hasDuplicates: new Set(names).size !== names.length };
}

const everything = { projects: 3, vms: 40, networks: 4, publicIps: 5, sshKeys: 4 };

async function edit(directory: string, file: string, from: string | RegExp, to: string) {
  const path = join(directory, file);
  const before = await readFile(path, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  await writeFile(path, after);
}

describe('examples/shop against a served sandbox', () => {
  let sandbox: ServedSandbox;
  let shop: Awaited<ReturnType<typeof copyExample>>;
  beforeAll(async () => {
    sandbox = await serve('--speed', '200');
    shop = await copyExample('shop');
  });
  afterAll(async () => {
    await sandbox.stop();
    await shop.remove();
  });
  const hostwright = (...args: string[]) => runInProcess(args, { env: sandbox.env });

  test('an apply creates every resource once, and a second plan has no changes', async () => {
    const applied = await hostwright('apply', shop.path, '--auto-approve');
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout).toContain(
      'Apply complete! Resources: 58 added, 0 changed, 0 destroyed.',
    );
    expect(await countAccount(sandbox)).toEqual({ counts: everything, hasDuplicates: false });
    const planned = await hostwright('plan', shop.path, '--detailed-exitcode');
    expect(planned).toMatchObject({ code: 0 });
    expect(planned.stdout).toContain('No changes.');
  });

  test('a name, an image, a count and a power state plan exactly what they mean', async () => {
    await edit(shop.path, 'tools.yaml', 'name: shop-tools', 'name: shop-tooling');
    await edit(shop.path, 'staging.yaml', 'image: debian-12', 'image: debian-13');
    await edit(shop.path, 'production.yaml', 'count: 10', 'count: 9');
    await edit(shop.path, 'staging.yaml', 'count: 4', 'count: 5');
    await edit(shop.path, 'tools.yaml', 'monitoring:\n', 'monitoring:\n        power: stopped\n');
    const planned = await hostwright('plan', shop.path, '--detailed-exitcode', '--format', 'json');
    expect(planned.code).toBe(2);
    const json = JSON.parse(planned.stdout) as {
      resource_changes: { address: string; change: { actions: string[] } }[];
    };
    const changed = json.resource_changes
      .filter(({ change }) => change.actions[0] !== 'no-op')
      .map(({ address, change }) => `${change.actions.join('+')} ${address}`);
    expect(changed).toEqual([
      'delete projects.production.vms.web[9]',
      'update projects.staging.vms.proxy',
      'create projects.staging.vms.web[4]',
      'update projects.tools',
      'update projects.tools.vms.monitoring',
    ]);
    const text = await hostwright('plan', shop.path);
    expect(text.stdout).toContain('# projects.staging.vms.proxy will be rebuilt');
    expect(text.stdout).toContain('~ name = "shop-tools" -> "shop-tooling"');
    expect(text.stdout).toContain('"running" -> "stopped"');
    expect(text.stdout).toContain(
      'Plan: 1 to add, 2 to change, 1 to rebuild (1 disk lost), 1 to destroy.',
    );
    expect(await hostwright('apply', shop.path, '--auto-approve')).toMatchObject({ code: 0 });
    expect(await hostwright('plan', shop.path, '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('a destroy leaves the account as it was', async () => {
    expect(await hostwright('destroy', shop.path, '--auto-approve')).toMatchObject({ code: 0 });
    const { counts } = await countAccount(sandbox);
    expect(counts).toEqual({ projects: 0, vms: 0, networks: 0, publicIps: 0, sshKeys: 0 });
    expect(await sandbox.get('/limits')).toMatchObject({
      projects: { used: 0 },
      publicIps: { used: 0 },
      vmResources: { cpu: { used: 0 } },
    });
  });
});

// `kill-apply.full.test.ts` kills it at many more points, and on the loose service.
test('an apply that is killed in the middle and run again: everything exists exactly once', async () => {
  const sandbox = await serve('--speed', '200');
  const shop = await copyExample('shop');
  onTestFinished(async () => {
    await sandbox.stop();
    await shop.remove();
  });
  const first = start(['apply', shop.path, '--auto-approve'], { env: sandbox.env });
  await first.waitFor('Creation complete', 12);
  first.child.kill('SIGKILL');
  expect(await first.ended).toMatchObject({ code: null });
  const second = await run(['apply', shop.path, '--auto-approve'], { env: sandbox.env });
  expect(second).toMatchObject({ code: 0 });
  expect(second.stderr).toContain('Took over the lock of a process that has exited');
  const planned = await runInProcess(['plan', shop.path, '--detailed-exitcode'], {
    env: sandbox.env,
  });
  expect(planned).toMatchObject({ code: 0 });
  expect(await countAccount(sandbox)).toEqual({ counts: everything, hasDuplicates: false });
});
