// What stands in the place of the state's files, and is none of them.
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';

const secret = 'hw_Zx9Qe7Lm5Tk3Vb1';

let room = '';
beforeEach(async () => {
  room = await mkdtemp(join(tmpdir(), 'hostwright-attack-'));
  await mkdir(join(room, '.hostwright'));
  await writeFile(
    join(room, 'main.yaml'),
    'version: 1\nservice: { sandbox: true }\nprojects: { a: }\n',
  );
  await writeFile(join(room, 'secret.txt'), `${secret}\n`);
});
afterEach(() => rm(room, { recursive: true }));

async function hostwright(...args: string[]) {
  const { code, stdout, stderr } = await runInProcess(args, { cwd: room });
  const said = stdout + stderr;
  expect(said).not.toContain(secret.slice(3));
  expect(said).not.toContain('bug in Hostwright');
  return { code, said };
}

const place = (name: string) => join(room, '.hostwright', name);
const names = ['state.json', 'journal.jsonl', 'journal.7.jsonl', 'state.json.backup', 'lock.json'];

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
    const outside = await mkdtemp(join(tmpdir(), 'hostwright-outside-'));
    try {
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
    } finally {
      await rm(outside, { recursive: true });
    }
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
