// What was changed outside, by its three ways: the command line as people use it.
import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DayTwoWorld } from '../support/day-two.ts';

const web = 'projects.shop.vms.web';
const db = 'projects.shop.vms.db';

let world: DayTwoWorld;
let main: string;
let written: string;
beforeAll(async () => {
  world = await DayTwoWorld.open();
  main = join(world.directory, 'main.yaml');
  const { images, configurations, tariffs } = await world.client.getCatalog();
  const size = `image: ${images[0]!.name}, configuration: ${configurations[0]!.name}, tariff: ${tariffs[0]!.name}`;
  written = `version: 1
service: { baseUrl: 'https://sandbox/v1' }
variables: { power: { type: string, default: running } }
projects:
  shop:
    networks: { planned: { name: planned } }
    vms:
      # The front.
      web: { ${size}, power: "running", name: web-0 } # as it began
      db: { ${size}, name: web-1, power: "\${var.power}" }
`;
  await writeFile(main, written);
  await world.run(['state', 'mv', `${web}[0]`, web]);
  await world.run(['state', 'mv', `${web}[1]`, db]);
  await world.run(['apply', '--auto-approve']);
  for (const [index, vm] of world.vmIds.entries()) {
    const { projectId: project, client } = world;
    await client.send({ kind: 'stopVm', project, vm });
    await world.pass(100);
    if (index === 0) await client.send({ kind: 'renameVm', project, vm, name: 'a: b' });
  }
  await world.pass(100);
});
afterAll(() => world.close());

test('each drift has its three ways, in each form', async () => {
  const { code, stdout } = await world.run(['drift']);
  expect(code).toBe(0);
  expect(stdout).toContain(`${web}: name was changed outside: "web-0" -> "a: b"`);
  expect(stdout).toContain(`            hostwright drift accept ${web}.power\n`);
  expect(stdout).toMatch(
    /ignore +lifecycle: \{ ignoreChanges: \[power\] \} in the block at main.yaml:9:7/,
  );
  expect(stdout).toContain('which reads\n            `var.power` (main.yaml:3:46).');
  expect(stdout).toContain('Drift: 3, of which 2 can be accepted.\n');
  const asked = await world.run(['drift', '.', '--format', 'json', '--detailed-exitcode']);
  expect(asked).toMatchObject({ code: 2, json: { drift: [{ field: 'power' }, {}, {}] } });

  const comment = await world.run(['plan', '--format', 'markdown']);
  expect(comment.stdout).toContain('3 values changed outside: put back, accept or ignore');
  const sarif = (await world.run(['plan', '--format', 'sarif'])).json as {
    runs: { results: { ruleId: string; fixes?: unknown }[] }[];
  };
  const drifted = sarif.runs[0]!.results.filter(({ ruleId }) => ruleId === 'drifted');
  expect(drifted.map(({ fixes }) => fixes !== undefined)).toEqual([false, true, true]);
  expect(comment.writes).toEqual([]);
});

test('from another directory, the command to accept drift names that of the configuration', async () => {
  const on = join(world.directory, 'on');
  await mkdir(on);
  await symlink(world.directory, join(on, 'it'));
  const place = 'on/it';
  for (const argv of [
    ['drift', place],
    ['--chdir', place, 'drift'],
    ['--chdir', 'on', 'drift', 'it'],
  ])
    expect((await world.run(argv)).stdout).toContain(
      `            hostwright --chdir ${place} drift accept ${web}.power\n`,
    );
  const { stdout } = await world.run(['--chdir', 'on', 'drift', '..']);
  expect(stdout).toContain(`            hostwright drift accept ${web}.power\n`);
});

test('all that is named is accepted, or nothing: with every fault at once', async () => {
  const { code, stderr } = await world.run(['drift', 'accept', `${web}.nmae`, db, `${web}.power`]);
  expect(code).toBe(1);
  expect(stderr).toContain(`Did you mean ${web}.name?`);
  expect(stderr).toContain(`${db}.power cannot be accepted by itself`);
  expect(await readFile(main, 'utf8')).toBe(written);
});

test('a file that leads outside is left alone; a link within is followed', async () => {
  const inner = join(world.directory, 'parts');
  await mkdir(inner);
  await rename(main, join(inner, 'shop.yaml'));
  await symlink('parts/shop.yaml', main);
  await chmod(join(inner, 'shop.yaml'), 0o640);
  const outside = `${world.directory}-outside.yaml`;
  await rename(join(inner, 'shop.yaml'), outside);
  await symlink(outside, join(inner, 'shop.yaml'));
  const refused = await world.run(['drift', 'accept', `${web}.name`, '--allow-outside-files']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('Its file is outside of the configuration');
  expect(await readFile(outside, 'utf8')).toBe(written);
  await rename(outside, join(inner, 'shop.yaml'));
  const { code, json } = await world.run(['drift', 'accept', `${web}.name`, '--json']);
  expect(code).toBe(0);
  expect(json).toMatchObject({ accepted: [{ field: 'name' }] });
  expect(await readFile(join(inner, 'shop.yaml'), 'utf8')).toBe(
    written.replace('name: web-0', 'name: "a: b"'),
  );
});

test('what was accepted is no difference any more, and no note', async () => {
  await writeFile(main, written.replace('default: running', 'default: stopped'));
  const { code, stdout } = await world.run(['drift', 'accept', web]);
  expect(stdout).toContain('Accepted 2 values into the configuration:\n');
  expect(code).toBe(0);
  expect(await readFile(main, 'utf8')).toContain(`power: stopped, name: "a: b" } # as it began\n`);
  const plan = await world.run(['plan', '--detailed-exitcode']);
  expect(plan.stdout).not.toContain('[changed-outside]');
  expect(plan.code).toBe(0);
  expect((await world.run(['drift'])).stdout).toMatch(/^No drift\./);
});
