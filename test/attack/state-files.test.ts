// What stands in the place of the state's files, and is none of them.
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { identifyProcess } from '../../src/state/lock/lock-holder.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { openFolder } from '../support/open-folder.ts';

const secret = 'hw_Zx9Qe7Lm5Tk3Vb1';

let room = '';
beforeEach(async () => {
  room = await openFolder('attack');
  await mkdir(join(room, '.hostwright'));
  await writeFile(
    join(room, 'main.yaml'),
    'version: 1\nservice: { sandbox: true }\nprojects: { a: }\n',
  );
  await writeFile(join(room, 'secret.txt'), `${secret}\n`);
});

async function hostwright(...args: string[]) {
  const { code, stdout, stderr } = await runInProcess(args, { cwd: room });
  const said = stdout + stderr;
  expect(said).not.toContain(secret.slice(3));
  expect(said).not.toContain('bug in Hostwright');
  return { code, said };
}

const place = (name: string) => join(room, '.hostwright', name);
const names = ['state.json', 'journal.7.jsonl', 'state.json.backup', 'lock.json'];

describe('attack m: a file of the state that is none', () => {
  it.each(names)('is refused where %s is a pipe', async (name) => {
    execFileSync('mkfifo', [place(name)]);
    const { code, said } = await hostwright('plan');
    expect(code).toBe(1);
    expect(said).toMatch(/\[(state-unreadable|lock-failed)\]/);
    expect(said).toContain('is a pipe');
  });

  it.each([['apply', '--auto-approve'], ['doctor'], ['force-unlock', 'x'], ['state', 'list']])(
    'is refused by every command: %s',
    async (...args) => {
      for (const name of ['state.json', 'lock.json']) execFileSync('mkfifo', [place(name)]);
      const { code, said } = await hostwright(...args);
      expect(code).toBe(1);
      expect(said).toContain('is a pipe');
    },
  );

  it.each(names)('is refused where %s is a link, and not a byte of it is shown', async (name) => {
    await symlink('../secret.txt', place(name));
    const { code, said } = await hostwright('plan');
    expect(code).toBe(1);
    expect(said).toContain('is a link');
  });

  it.each(['.git', '.git/state', 'a/.GIT/b', '.ssh'])('is not in %s', async (path) => {
    await appendFile(join(room, 'main.yaml'), `state: { local: { path: ${path} } }\n`);
    const { code, said } = await hostwright('plan', '--allow-outside-files');
    expect(code).toBe(1);
    expect(said).toContain('[file-outside]');
  });

  it.each([
    { what: 'its directory', path: 'kept', link: 'kept', to: 'outside' },
    { what: 'one above it', path: 'kept/state', link: 'kept', to: 'outside' },
    { what: 'the usual one', path: '.hostwright', link: '.hostwright', to: 'outside' },
    { what: 'one to nowhere', path: 'kept/state', link: 'kept', to: 'outside/nowhere' },
  ])('writes nothing outside by a link: $what', async ({ path, link, to }) => {
    const outside = await openFolder('outside');
    await rm(place(''), { recursive: true });
    await symlink(to.replace('outside', outside), join(room, link));
    const more = `state: { local: { path: ${path} } }\n`;
    await appendFile(join(room, 'main.yaml'), more);
    for (const args of [['plan'], ['apply', '--auto-approve'], ['state', 'list']]) {
      const { code, said } = await hostwright(...args);
      expect(code).toBe(1);
      expect(said).toContain('[file-outside]');
    }
    expect(await readdir(outside)).toEqual([]);
    // Whoever runs it may allow it, where the link leads somewhere.
    const allowed = await hostwright('apply', '--auto-approve', '--allow-outside-files');
    expect(allowed.code).toBe(to === 'outside' ? 0 : 1);
  });

  it('nor is one quoted that is something else', async () => {
    await writeFile(place('state.json'), `${secret}\n`);
    const { code, said } = await hostwright('plan');
    expect(code).toBe(1);
    expect(said).toContain('[state-invalid]');
  });

  it('nor is there a wait for the times of the last run', async () => {
    await hostwright('apply', '--auto-approve');
    await rm(place('last-run.json'));
    execFileSync('mkfifo', [place('last-run.json')]);
    expect((await hostwright('show', '--format', 'html')).code).toBe(0);
    expect((await hostwright('apply', '--auto-approve')).code).toBe(0);
  });
});

describe('attack m: a file of the state that a stranger has made', () => {
  const apply = ['apply', '--auto-approve'] as const;
  /** Of a process that has ended: whoever comes takes its lock over. */
  const gone = { ...identifyProcess(4_194_305, 'here'), Operation: 'apply' };
  const writeLock = (name: string, info: object) =>
    writeFile(place(name), JSON.stringify({ ID: 'x', ...gone, ...info }));

  it.each([['plan'], [...apply], ['doctor'], ['force-unlock', 'x']])(
    'is no lock where locks lead in a circle: %s',
    async (...args) => {
      for (const name of ['lock.json', 'lock.x.json']) await writeLock(name, {});
      const { code, said } = await hostwright(...args);
      expect([code, said]).toEqual([1, expect.stringContaining('lock.x.json')]);
    },
  );

  it.each([1e308, 1e15, -5, 1.5, '7', {}])('gives the state no epoch %j', async (Epoch) => {
    await writeLock('lock.json', { Epoch, Who: {}, Created: 5, Lease: 'a' });
    const { code, said } = await hostwright(...apply);
    expect([code, said]).toEqual([0, expect.stringContaining('[lock-taken-over]')]);
    expect(said).not.toMatch(/undefined|\[object|NaN/);
    expect((await hostwright('state', 'list')).said).toContain('projects.a');
  });

  it('brings no run to its last epoch', async () => {
    await writeFile(place('journal.999999999999999.jsonl'), '');
    expect((await hostwright(...apply)).said).toContain('come to the last epoch');
  });

  const index = (versions: unknown) => JSON.stringify({ formatVersion: 1, versions });
  it.each([{}, [null], 'abc', [{ serial: 1, at: 'zz' }], [{ serial: 1, counts: { add: 'x' } }]])(
    'is no index of the history: %j',
    async (versions) => {
      await writeFile(place('history.json'), index(versions));
      expect((await hostwright(...apply)).code).toBe(0);
      await writeFile(place('history.json'), index(versions));
      expect((await hostwright('state', 'history')).code).toBe(0);
    },
  );

  it.each([
    [null],
    [{ startedAt: {} }],
    [{ result: '"><img src=x>' }],
    [{ address: '"><img src=x>' }],
    [{ endedAt: 1e300 }],
  ])('is no time of the last run: %j', async (entry) => {
    await hostwright(...apply);
    const run = JSON.parse(await readFile(place('last-run.json'), 'utf8')) as { entries: object[] };
    const entries = [entry && { ...run.entries[0], ...entry }];
    await writeFile(place('last-run.json'), JSON.stringify({ ...run, entries }));
    const { code, said } = await hostwright('show', '--format', 'html');
    expect([code, said.includes('<img')]).toEqual([0, false]);
  });
});
