// One state that two people share, each in a folder of their own: in PostgreSQL, with nothing on either disk.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '../support/backends/postgres-server.ts';
import { openDemo, type Demo } from './demo.ts';
import { run, start } from './program.ts';

const vms = 4;
let server: PostgresServer;
let demo: Demo;
/** The folder of the second person. */
let other: string;
let count = 0;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());
beforeEach(async () => {
  demo = await openDemo(vms);
  other = await mkdtemp(join(tmpdir(), 'hostwright-other-'));
  await cp(demo.directory, other, { recursive: true });
  count += 1;
  env = {
    ...demo.env,
    HOSTWRIGHT_STATE: `{ postgres: { name: shop${count} }, lease: 20s, encryption: { key: passphrase } }`,
    HOSTWRIGHT_STATE_POSTGRES_URL: server.url,
    HOSTWRIGHT_STATE_PASSPHRASE: 'correct horse battery',
  };
});
afterEach(async () => {
  await demo.close();
  await rm(other, { recursive: true });
});

const apply = (cwd: string, ...flags: string[]) =>
  start(['apply', '--auto-approve', ...flags], { cwd, env });
const plan = (cwd: string) => run(['plan', '--detailed-exitcode'], { cwd, env });

async function expectOnce(): Promise<void> {
  expect(await demo.listVms()).toHaveLength(vms);
  expect((await plan(demo.directory)).code).toBe(0);
  expect((await plan(other)).code).toBe(0);
}

describe('two folders with one state', () => {
  test('at once: one waits and shows the other, and then finds nothing to do', async () => {
    const first = apply(demo.directory);
    await demo.hasTaken(1);
    // A plan takes no lock, and says who holds it.
    const meanwhile = await plan(other);
    expect(meanwhile.stderr).toContain('[state-in-use]');
    const refused = await apply(other).ended;
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('[state-locked]');
    const second = apply(other, '--lock-timeout', '30m');
    await second.waitFor('[waiting-for-lock]');
    await second.waitFor('Still waiting for the lock');
    demo.release();
    expect((await first.ended).code).toBe(0);
    const ended = await second.ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('No changes');
    expect(ended.stderr.replace(/\s+│?\s*/g, ' ')).toMatch(/\d+ finished, \d+ under way/);
    await expectOnce();
  });

  test('killed in one, continued in the other, whose disk never saw it', async () => {
    const first = apply(demo.directory);
    await demo.hasTaken(2);
    first.child.kill('SIGKILL');
    await first.ended;
    demo.release();
    const second = await apply(other, '--lock-timeout', '30m').ended;
    expect(second.stderr).not.toContain('Error:');
    expect(second.code).toBe(0);
    await expectOnce();
    // Nothing of the state was on either disk.
    const left = await readdir(join(demo.directory, '.hostwright')).catch(() => []);
    expect(left.filter((name) => name !== 'last-run.json')).toEqual([]);
  });

  test('a holder that sleeps for longer than its lease wakes to a refusal', async () => {
    const first = apply(demo.directory);
    await demo.hasTaken(2);
    first.child.kill('SIGSTOP');
    demo.release();
    const second = await apply(other, '--lock-timeout', '30m').ended;
    expect(second.code).toBe(0);
    expect(second.stderr).toContain('[lock-taken-over]');
    first.child.kill('SIGCONT');
    const woken = await first.ended;
    expect(woken.code).toBe(1);
    expect(woken.stderr).toContain('[lock-lost]');
    await expectOnce();
  });
});

test('a database that goes away for good: what ended is rescued, and the next run uploads it', async () => {
  const first = apply(demo.directory);
  await demo.hasTaken(vms);
  await server.stop();
  demo.release();
  const ended = await first.ended;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('[state-write-failed]');
  expect(ended.stderr).toContain('rescue');
  expect(ended.stderr).not.toContain('secret');
  await server.start();
  const between = await plan(demo.directory);
  expect(between.stderr).toContain('[rescue-not-uploaded]');
  const next = await apply(demo.directory, '--lock-timeout', '30m').ended;
  expect(next.stderr).toContain('[rescue-uploaded]');
  expect(next.code).toBe(0);
  expect((await plan(demo.directory)).stderr).not.toContain('rescue');
  await expectOnce();
});

test('a database whose disk is full: nothing new is started, and the next run uploads what ended', async () => {
  const client = new Client(server.url);
  await client.connect();
  const first = apply(demo.directory);
  await demo.hasTaken(vms);
  // As PostgreSQL says it, at each write.
  await client.query(`
    create function fill() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end $$;
    create trigger full_disk before insert or update on hostwright.texts
      for each row execute function fill();`);
  demo.release();
  const ended = await first.ended;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('[state-write-failed]');
  expect(ended.stderr).toContain('No space left on device');
  expect(ended.stderr).toContain('rescue');
  const refused = await apply(other).ended;
  expect(refused.code).toBe(1);
  await client.query('drop trigger full_disk on hostwright.texts');
  await client.query('drop function fill');
  await client.end();
  const next = await apply(demo.directory, '--lock-timeout', '30m').ended;
  expect(next.code).toBe(0);
  await expectOnce();
});

test('the states that were are listed, shown and taken up again', async () => {
  demo.release();
  expect((await apply(demo.directory).ended).code).toBe(0);
  const moved = await run(['state', 'rm', 'projects.demo.vms.web[0]'], { cwd: other, env });
  expect(moved.code).toBe(0);
  const listed = await run(['state', 'history', '--json'], { cwd: demo.directory, env });
  const { versions } = JSON.parse(listed.stdout) as { versions: Record<string, unknown>[] };
  expect(versions.map(({ serial, operation }) => [serial, operation])).toEqual([
    [2, 'state rm'],
    [1, 'apply'],
  ]);
  expect(versions[1]?.counts).toMatchObject({ add: vms + 2, destroy: 0 });
  const shown = await run(['state', 'show', '--serial', '1'], { cwd: other, env });
  expect(shown.stdout).toContain('projects.demo.vms.web[0]');
  const back = await run(['state', 'rollback', '1', '--auto-approve'], { cwd: other, env });
  expect(back.stdout).toContain('its serial is 3');
  await expectOnce();
});

test('a lock that a person keeps stops every run, and says why', async () => {
  demo.release();
  const kept = await run(['state', 'lock', '--reason', 'audit until noon'], { cwd: other, env });
  expect(kept.code).toBe(0);
  const refused = await apply(demo.directory).ended;
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('audit until noon');
  expect((await run(['state', 'unlock'], { cwd: demo.directory, env })).code).toBe(0);
  expect((await apply(demo.directory).ended).code).toBe(0);
});
