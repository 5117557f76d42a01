// One state that two people share, and what can happen to its database.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '../support/backends/postgres-server.ts';
import { useTwoFolders, vms } from './two-folders.ts';
import { expectFailure, expectOutput } from '../support/expect-words.ts';

let server: PostgresServer;
const folders = useTwoFolders(async () => (server = await startPostgres()));

test('at once: one waits and shows the other, and then finds nothing to do', async () => {
  const first = folders.apply(folders.demo.directory);
  await folders.demo.hasTaken(1);
  // A plan takes no lock, and says who holds it.
  expect((await folders.plan(folders.other)).stderr).toContain('[state-in-use]');
  expectFailure(await folders.apply(folders.other).ended, '[state-locked]');
  const second = folders.apply(folders.other, '--lock-timeout', '30m');
  await second.waitFor('[waiting-for-lock]');
  await second.waitFor('Still waiting for the lock');
  folders.demo.release();
  expect((await first.ended).code).toBe(0);
  const ended = await second.ended;
  expectOutput(ended, 'No changes');
  expect(ended.stderr.replace(/\s+│?\s*/g, ' ')).toMatch(/\d+ finished, \d+ under way/);
  await folders.expectOnce();
});

test('a holder that sleeps for longer than its lease wakes to a refusal', async () => {
  const first = folders.apply(folders.demo.directory);
  await folders.demo.hasTaken(2);
  first.child.kill('SIGSTOP');
  folders.demo.release();
  const second = await folders.apply(folders.other, '--lock-timeout', '30m').ended;
  expect(second.code).toBe(0);
  expect(second.stderr).toContain('[lock-taken-over]');
  first.child.kill('SIGCONT');
  expectFailure(await first.ended, '[lock-lost]');
  await folders.expectOnce();
});

test('a database that goes away for good: what ended is rescued, and the next run uploads it', async () => {
  const first = folders.apply(folders.demo.directory);
  await folders.demo.hasTaken(vms);
  await server.stop();
  folders.demo.release();
  const ended = await first.ended;
  expectFailure(ended, '[state-write-failed]', 'rescue');
  expect(ended.stderr).not.toContain('secret');
  await server.start();
  expect((await folders.plan(folders.demo.directory)).stderr).toContain('[rescue-not-uploaded]');
  const next = await folders.apply(folders.demo.directory, '--lock-timeout', '30m').ended;
  expect(next.stderr).toContain('[rescue-uploaded]');
  expect(next.code).toBe(0);
  expect((await folders.plan(folders.demo.directory)).stderr).not.toContain('rescue');
  await folders.expectOnce();
});

test.each([
  [
    'lacks the last write',
    `delete from hostwright.texts using hostwright.states
       where texts.state = states.name and part = writes and lock_id is not null;
     update hostwright.states set writes = writes - 1 where lock_id is not null`,
  ],
  [
    'is from before the run',
    `delete from hostwright.texts using hostwright.states
       where texts.state = states.name and lock_id is not null;
     update hostwright.states set writes = 0, epoch = 0, lock_id = null, lock_info = null
       where lock_id is not null`,
  ],
])(
  'a database that fails over to a copy which %s: the next run makes nothing twice',
  async (...[, lose]) => {
    const first = folders.apply(folders.demo.directory);
    await folders.demo.hasTaken(vms);
    const client = new Client(folders.server.url);
    await client.connect();
    // A copy is of one moment: no write of the run lies between what goes and what is set back.
    await client.query(
      `begin; lock table hostwright.states in access exclusive mode; ${lose}; commit`,
    );
    await client.end();
    folders.demo.release();
    expectFailure(await first.ended, '[state-set-back]', 'earlier moment', 'rescue');
    const next = await folders.apply(folders.demo.directory, '--lock-timeout', '30m').ended;
    expect(next.stderr).toContain('[rescue-uploaded]');
    expect(next.code).toBe(0);
    await folders.expectOnce();
  },
);

test('a database whose disk is full: nothing new is started, and the next run uploads what ended', async () => {
  const client = new Client(folders.server.url);
  await client.connect();
  const first = folders.apply(folders.demo.directory);
  await folders.demo.hasTaken(vms);
  // As PostgreSQL says it, at each write.
  await client.query(`
    create function fill() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end $$;
    create trigger full_disk before insert or update on hostwright.texts
      for each row execute function fill();`);
  folders.demo.release();
  const ended = await first.ended;
  expectFailure(ended, '[state-write-failed]', 'No space left on device', 'rescue');
  expect((await folders.apply(folders.other).ended).code).toBe(1);
  await client.query('drop trigger full_disk on hostwright.texts');
  await client.query('drop function fill');
  await client.end();
  expect((await folders.apply(folders.demo.directory, '--lock-timeout', '30m').ended).code).toBe(0);
  await folders.expectOnce();
});

test('former states are listed, shown and restored', async () => {
  folders.demo.release();
  expect((await folders.apply(folders.demo.directory).ended).code).toBe(0);
  const moved = await folders.run(folders.other, 'state', 'rm', 'projects.demo.vms.web[0]');
  expect(moved.code).toBe(0);
  const listed = await folders.run(folders.demo.directory, 'state', 'history', '--json');
  const { versions } = JSON.parse(listed.stdout) as { versions: Record<string, unknown>[] };
  expect(versions.map(({ serial, operation }) => [serial, operation])).toEqual([
    [2, 'state rm'],
    [1, 'apply'],
  ]);
  expect(versions[1]?.counts).toMatchObject({ add: vms + 2, destroy: 0 });
  const shown = await folders.run(folders.other, 'state', 'show', '--serial', '1');
  expect(shown.stdout).toContain('projects.demo.vms.web[0]');
  const back = await folders.run(folders.other, 'state', 'rollback', '1', '--auto-approve');
  expect(back.stdout).toContain('the new serial is 3');
  await folders.expectOnce();
});

test('killed in one folder, continued in the other, whose disk never saw it', async () => {
  const first = folders.apply(folders.demo.directory);
  await folders.demo.hasTaken(2);
  first.child.kill('SIGKILL');
  await first.ended;
  folders.demo.release();
  const second = await folders.apply(folders.other, '--lock-timeout', '30m').ended;
  expect(second.stderr).not.toContain('Error:');
  expect(second.code).toBe(0);
  await folders.expectOnce();
  // Nothing of the state was on either disk.
  const left = await readdir(join(folders.demo.directory, '.hostwright')).catch(() => []);
  expect(left.filter((name) => name !== 'last-run.json')).toEqual([]);
});

test('a lock that a person keeps stops every run, and says why', async () => {
  folders.demo.release();
  const kept = await folders.run(folders.other, 'state', 'lock', '--reason', 'audit until noon');
  expect(kept.code).toBe(0);
  expectFailure(await folders.apply(folders.demo.directory).ended, 'audit until noon');
  const planned = await folders.run(folders.demo.directory, 'plan', '--oneline');
  expect(planned.code).toBe(0);
  expect(planned.stderr).toMatch(/has locked the state \[state-in-use\][^]*audit until noon/);
  expect(planned.stderr).toContain('hostwright state unlock');
  expect(planned.stderr).not.toContain('Another run');
  expect((await folders.run(folders.demo.directory, 'state', 'unlock')).code).toBe(0);
  expect((await folders.apply(folders.demo.directory).ended).code).toBe(0);
});
