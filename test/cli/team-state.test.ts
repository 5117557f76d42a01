// One state that two people share, each in a folder of their own.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDatabase } from '../support/backends/make-database.ts';
import { useTwoFolders } from './two-folders.ts';

const folders = useTwoFolders(makeDatabase);

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
  const refused = await folders.apply(folders.demo.directory).ended;
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('audit until noon');
  const planned = await folders.run(folders.demo.directory, 'plan', '--oneline');
  expect(planned.code).toBe(0);
  expect(planned.stderr).toMatch(/has locked the state \[state-in-use\][^]*audit until noon/);
  expect(planned.stderr).toContain('hostwright state unlock');
  expect(planned.stderr).not.toContain('Another run');
  expect((await folders.run(folders.demo.directory, 'state', 'unlock')).code).toBe(0);
  expect((await folders.apply(folders.demo.directory).ended).code).toBe(0);
});
