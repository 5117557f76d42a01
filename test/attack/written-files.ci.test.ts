// What a configuration has a run write, and where: new files below its directory, and those that it wrote itself.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { openFolder } from '../support/open-folder.ts';

const mine = 'mine: true\n';

let room = '';
beforeEach(async () => {
  room = await openFolder('attack');
  await mkdir(join(room, 'hosting/sub'), { recursive: true });
  await mkdir(join(room, 'out'));
});

const at = (name: string) => join(room, name);
const read = (name: string) => readFile(at(name), 'utf8');

async function put(name: string, text = mine): Promise<void> {
  await mkdir(dirname(at(name)), { recursive: true });
  await writeFile(at(name), text);
}

/** A token for each file, beside a project. */
const configure = (...files: string[]) =>
  put(
    'hosting/main.yaml',
    `version: 1\nservice: { sandbox: true }\nprojects: { p: }\ntokens:\n${files
      .map(
        (file, index) =>
          `  t${index}: { scopes: [read], writeTo: { file: ${JSON.stringify(file)} } }\n`,
      )
      .join('')}`,
  );

async function hostwright(...args: string[]) {
  const { code, stdout, stderr } = await runInProcess(
    [...args.slice(0, 1), 'hosting', ...args.slice(1)],
    { cwd: room },
  );
  const said = stdout + stderr;
  expect(said).not.toContain('bug in Hostwright');
  return { code, said };
}

describe('attack e: writeTo.file overwrites what it likes', () => {
  const places: [string, string, () => Promise<unknown> | undefined][] = [
    ['main.yaml', 'file-not-writable', () => undefined],
    ['new.yml', 'file-not-writable', () => undefined],
    ['.hostwright/state.json', 'file-not-writable', () => undefined],
    // Where `state.local.path` may have it.
    ['kept/state.json', 'file-not-writable', () => undefined],
    ['kept/Journal.7.jsonl', 'file-not-writable', () => undefined],
    ['kept/history/3.json', 'file-not-writable', () => undefined],
    ['kept/lock.json', 'file-not-writable', () => undefined],
    ['kept/lock.0b6f.json', 'file-not-writable', () => undefined],
    ['sub/../.Hostwright/x', 'file-not-writable', () => undefined],
    ['.git/hooks/pre-commit', 'file-not-writable', () => undefined],
    ['sub/.GIT/commondir', 'file-not-writable', () => undefined],
    ['.ssh/authorized_keys', 'file-not-writable', () => undefined],
    [
      'config/hook',
      'file-not-writable',
      async () => {
        await mkdir(at('hosting/.git/hooks'), { recursive: true });
        await symlink('.git/hooks', at('hosting/config'));
      },
    ],
    ['/dev/stdout', 'file-outside', () => undefined],
    ['/dev/null', 'file-outside', () => undefined],
    ['../out/x', 'file-outside', () => undefined],
    ['link/x', 'file-outside', () => symlink('../out', at('hosting/link'))],
    ['lost/x', 'file-not-writable', () => symlink('../nowhere', at('hosting/lost'))],
    ['near', 'file-not-writable', () => symlink('sub/y', at('hosting/near'))],
    [
      'state',
      'file-not-writable',
      async () => {
        await mkdir(at('hosting/.hostwright'));
        await symlink('.hostwright', at('hosting/state'));
        await configure('state/x');
      },
    ],
    [
      'pipe',
      'file-not-writable',
      () => Promise.resolve(execFileSync('mkfifo', [at('hosting/pipe')])),
    ],
    ['sub', 'file-not-writable', () => undefined],
    ['.', 'file-not-writable', () => undefined],
    ['a\0b', 'file-not-writable', () => undefined],
    ['deploy.sh', 'file-exists', () => put('hosting/deploy.sh')],
    ['deploy.sh/x', 'file-not-writable', () => put('hosting/deploy.sh')],
  ];

  it.each(places)('%j is refused by the plan: %s', async (file, code, prepare) => {
    await configure(file);
    await prepare();
    const planned = await hostwright('plan');
    expect(planned.code).toBe(1);
    expect(planned.said).toContain(`[${code}]`);
    expect(planned.said).toMatch(/main\.yaml line 5/);
    expect((await hostwright('apply', '--auto-approve')).code).toBe(1);
    expect(await read('hosting/main.yaml')).toMatch(/^version: 1/);
  });

  it('and all that is wrong is said at once', async () => {
    await put('hosting/deploy.sh');
    await configure('deploy.sh', '../out/x', 'sub', 'fine.token');
    expect((await hostwright('plan')).said.match(/cannot be written to/g)).toHaveLength(3);
    expect(await read('hosting/deploy.sh')).toBe(mine);
  });

  it('nor may an update in place or an import take another file on', async () => {
    await configure('a.token');
    expect((await hostwright('apply', '--auto-approve')).code).toBe(0);
    await put('hosting/deploy.sh');
    await configure('deploy.sh');
    expect((await hostwright('plan')).said).toContain('[file-exists]');
    await rm(at('hosting/.hostwright/state.json'));
    expect((await hostwright('plan', '--adopt')).said).toContain('[file-exists]');
  });

  it('but ours is replaced, and adopted again with a lost state', async () => {
    await configure('secrets/a.token');
    expect((await hostwright('apply', '--auto-approve')).code).toBe(0);
    const first = await read('hosting/secrets/a.token');
    const replaced = await hostwright('apply', '--auto-approve', '--replace', 'tokens.t0');
    expect(replaced.code, replaced.said).toBe(0);
    expect(await read('hosting/secrets/a.token')).not.toBe(first);
    await rm(at('hosting/.hostwright/state.json'));
    await rm(at('hosting/.hostwright/state.json.backup'));
    const adopted = await hostwright('plan', '--adopt');
    expect(adopted.code, adopted.said).toBe(0);
    await chmod(at('hosting/secrets/a.token'), 0o644);
    expect((await hostwright('plan', '--adopt')).said).toContain('[file-exists]');
  });
});

describe('attack e: --out and --json-into overwrite what they like', () => {
  const flags: [string, string][] = [
    ['--out', 'plan-file-unwritable'],
    ['--json-into', 'events-unwritable'],
  ];

  it.each(flags)('%s', async (flag, code) => {
    await configure('a.token');
    await put('notes.txt');
    await put('hosting/.hostwright/state.json.backup');
    execFileSync('mkfifo', [at('pipe')]);
    await symlink('notes.txt', at('link'));
    const places = [
      ...['notes.txt', 'pipe', 'link', 'out', 'hosting/main.yaml', 'hosting/new.yaml'],
      ...['hosting/.hostwright/state.json.backup', 'hosting/.hostwright/new'],
      ...['/dev/stdout', '/dev/null', '/dev/full', 'nowhere/x'],
    ];
    for (const place of places) {
      const { code: ended, said } = await hostwright('plan', flag, place);
      expect(said, place).toContain(`[${code}]`);
      expect(ended).toBe(1);
    }
    expect(await read('notes.txt')).toBe(mine);
    expect((await stat(at('pipe'))).isFIFO()).toBe(true);
    await put('empty', '');
    for (const place of ['new', 'new', 'empty', 'out/new']) {
      const { code: ended, said } = await hostwright('plan', flag, place);
      expect(ended, said).toBe(0);
      expect(await read(place)).toContain('hostwright');
    }
  });
});

it('attack h: a place that turns out to be none during an apply fails its change, and not the run', async () => {
  // Whichever is written first leaves no place for the other.
  await configure('x', 'x/y', 'fine.token');
  const { code, said } = await hostwright('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(said).toContain('[file-not-writable]');
  expect(said).toMatch(/Resources: 3 added, 0 changed, 0 destroyed/);
  expect(said).toMatch(/tokens\.t[01]/);
  expect(await read('hosting/fine.token')).toMatch(/^hw_/);
});
