import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInProcess } from './run-in-process.ts';

let directory: string;
const run = (...args: string[]) => runInProcess(args, { cwd: directory });

/** Two VMs of an image, in an account that keeps its data unless it is told otherwise. */
const configure = (image: string, guards = '{ dataLoss: deny }') =>
  writeFile(
    join(directory, 'main.yaml'),
    `version: 1
service: { sandbox: { speed: 1000 } }
guards: ${guards}
projects:
  demo: { vms: { web: { count: 2, image: ${image}, configuration: c1-r1-d20, tariff: monthly } } }
`,
  );

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-data-loss-'));
  await configure('debian-12');
  expect(await run('apply', '--auto-approve')).toMatchObject({ code: 0 });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('dataLoss: deny refuses without --allow-data-loss, also with --force', async () => {
  await configure('ubuntu-24.04');
  const refused = [['plan'], ['plan', '--force'], ['apply', '--auto-approve', '--force']];
  for (const args of [...refused, ['destroy', '--auto-approve']]) {
    const { code, stdout } = await run(...args);
    expect(code).toBe(1);
    expect(stdout).toContain('Error: This plan loses the disks of 2 VMs (40 GB)');
    expect(stdout).toContain('main.yaml line 3');
    expect(stdout).toContain('--allow-data-loss');
  }
  expect(await run('plan', '--out', 'plan.hwp')).toMatchObject({ code: 1 });
  // No variable of the environment stands for it.
  const environment = { HOSTWRIGHT_ALLOW_DATA_LOSS: '1' };
  const env = await runInProcess(['plan'], { cwd: directory, env: environment });
  expect(env).toMatchObject({ code: 1 });
});

test('a saved plan loses what its apply, too, is allowed to lose', async () => {
  await configure('ubuntu-24.04');
  expect(await run('plan', '--allow-data-loss', '--out', 'plan.hwp')).toMatchObject({ code: 0 });
  const refused = await run('apply', 'plan.hwp');
  expect(refused.stderr).toContain('Hint: Add --allow-data-loss to apply the plan as it was made.');
  const applied = await run('apply', 'plan.hwp', '--allow-data-loss');
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout).toContain(
    'Apply complete! Resources: 0 added, 0 changed, 2 rebuilt (2 disks lost), 0 destroyed.',
  );
  expect(await run('destroy', '--auto-approve', '--allow-data-loss')).toMatchObject({ code: 0 });
});
