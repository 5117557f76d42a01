// examples/company: three environments of one module, with a state in PostgreSQL that two people share, each in a folder of
// their own.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDatabase, type TestDatabase } from '../support/backends/make-database.ts';
import { openDemo, type Demo } from './demo.ts';
import { copyExample, run, start } from './program.ts';

const resources = 39;
const vms = 11;

let server: TestDatabase;
let demo: Demo;
let here: string;
let there: string;
let env: Record<string, string>;

let copies: Awaited<ReturnType<typeof copyExample>>[];

beforeEach(async () => {
  [server, demo] = await Promise.all([makeDatabase(), openDemo(0)]);
  copies = await Promise.all([copyExample('company'), copyExample('company')]);
  [here = '', there = ''] = copies.map(({ path }) => path);
  env = {
    ...demo.env,
    HOSTWRIGHT_STATE_POSTGRES_URL: server.url,
    HOSTWRIGHT_STATE_PASSPHRASE: 'correct horse battery',
  };
});
afterEach(async () => {
  await demo.close();
  await server.close();
  await Promise.all(copies.map((one) => one.remove()));
});

const apply = (cwd: string, ...flags: readonly string[]) =>
  start(['apply', '--auto-approve', ...flags], { cwd, env });
const plan = (cwd: string, ...flags: readonly string[]) =>
  run(['plan', '--detailed-exitcode', ...flags], { cwd, env });

async function expectOnce(): Promise<void> {
  expect(await demo.countVms()).toEqual({ 'acme-dev': 3, 'acme-prod': 5, 'acme-stage': 3 });
  for (const cwd of [here, there]) expect(await plan(cwd)).toMatchObject({ code: 0 });
}

test('applied at once from two folders: one waits and shows the other, then has nothing to do', async () => {
  const first = apply(here);
  await demo.hasTaken(1);
  const second = apply(there, '--lock-timeout', '30m');
  await second.waitFor('Still waiting for the lock');
  demo.release();
  const [one, two] = await Promise.all([first.ended, second.ended]);
  expect(one.stdout).toContain(`Resources: ${resources} added, 0 changed, 0 destroyed.`);
  expect(two).toMatchObject({ code: 0 });
  expect(two.stdout).toContain('No changes');
  await expectOnce();
  // The value of the token is where it was written, and nowhere else.
  const token = join(here, 'secrets/monitoring.token');
  expect((await stat(token)).mode & 0o777).toBe(0o600);
  const pulled = await run(['state', 'pull'], { cwd: there, env });
  expect(pulled.stdout).not.toContain((await readFile(token, 'utf8')).trim());
});

test('killed in one folder, continued from the other, and then changed as its rules allow', async () => {
  const first = apply(here);
  await demo.hasTaken(Math.ceil(vms / 2));
  first.child.kill('SIGKILL');
  await first.ended;
  demo.release();
  expect(await apply(there, '--lock-timeout', '30m').ended).toMatchObject({ code: 0 });
  await expectOnce();
  const grown = await plan(here, '--var-file', 'values/quarter-end.yaml');
  expect(grown.stdout).toContain('Plan: 4 to add, 0 to change, 0 to destroy.');
  const wiped = await plan(here, '--var', 'image=debian-13');
  expect(wiped.code).toBe(1);
  expect(wiped.stdout + wiped.stderr).toContain('[prevent-destroy]');
  expect(wiped.stdout + wiped.stderr).toContain('[data-loss]');
});
