// What the author of a pull request gets to see of the machine that plans it, by the files that the configuration names.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { publicKeyOf } from '../support/desired.ts';
import { expectWords } from '../support/expect-words.ts';
import { openFolder } from '../support/open-folder.ts';

const token = 'hw_Zx9-Qe7+Lm5/Tk3~Vb1';
const begin = 'version: 1\nservice: { baseUrl: https://api.example.com/v1 }\n';
const vm = (rest: string) => `${begin}projects: { p: { ${rest} } }\n`;

let room = '';
beforeEach(async () => {
  room = await openFolder('attack');
  await write({ 'hosting/main.yaml': begin, 'out/secret.txt': `${token}: [ broken\n` });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(room, name)), { recursive: true });
    await writeFile(join(room, name), text);
  }
}

async function validate(...args: string[]) {
  const env = { HOSTWRIGHT_TOKEN: token };
  const { code, stdout, stderr } = await runInProcess(['validate', 'hosting', ...args], {
    cwd: room,
    env,
  });
  const said = stdout + stderr;
  expect(said).not.toContain(token);
  expect(said).not.toContain('Zx9');
  return { code, said };
}

const pipe = (name: string) => execFileSync('mkfifo', [join(room, name)]);

describe('what belongs to git, to Hostwright or to SSH is no file of a configuration', () => {
  const names = ['.git', '.GIT', '.g\u200cit', '.hostwright', '.Hostwright', '.ssh', 'a/.git'];
  const secret = (name: string) => `hosting/${name}/config`;
  const refused = ['[file-outside]', 'is a file of a configuration'];

  it.each(names)('in %s: not by a function, a key, a module, a link', async (name) => {
    await write({ [secret(name)]: token, 'hosting/.hostwright/x/main.yaml': token });
    await mkdir(join(room, 'hosting/a'), { recursive: true });
    await symlink(join(room, 'hosting', name), join(room, 'hosting/a/link'));
    for (const rest of [
      ...[`${name}/config`, `./a/../${name}/config`, 'a/link/config'].flatMap((path) => [
        `outputs: { x: { value: "\${file(${JSON.stringify(path).replaceAll('"', "'")})}" } }`,
        `projects: { p: { sshKeys: { k: { publicKeyFile: ${JSON.stringify(path)} } } } }`,
      ]),
      `modules: { m: { source: ${JSON.stringify(`./${name}`)} } }`,
    ]) {
      await write({ 'hosting/main.yaml': `${begin}${rest}\n` });
      const { code, said } = await validate();
      expect(code, rest).toBe(1);
      for (const word of refused) expect(said.replaceAll(/\s*│?\s+/g, ' '), rest).toContain(word);
    }
  });

  it('nor in a list of files, however the pattern is', async () => {
    for (const name of names) await write({ [secret(name)]: 'x', 'hosting/keys/a.pub': 'x' });
    await write({
      'hosting/main.yaml': `version: 1\nservice: { sandbox: true }\noutputs: { x: { value: "\${join(' ', fileSet('.', '**'))}" } }\n`,
    });
    const { stdout } = await runInProcess(['plan', 'hosting'], { cwd: room });
    expect(stdout).toContain('"keys/a.pub main.yaml"');
  });

  it('but public keys are, outside, where outside files are allowed', async () => {
    await write({ 'home/.ssh/id.pub': publicKeyOf('a'), 'home/.ssh/id': token });
    const key = (name: string) => vm(`sshKeys: { k: { publicKeyFile: ../home/.ssh/${name} } }`);
    await write({ 'hosting/main.yaml': key('id.pub') });
    expect((await validate('--allow-outside-files')).code).toBe(0);
    await write({ 'hosting/main.yaml': key('id') });
    expect((await validate('--allow-outside-files')).said).toContain('[file-outside]');
  });
});

describe('attack a: a link in the directory shows what it leads to', () => {
  it.each([
    ['the environment', '/proc/self/environ'],
    ["the token's file", '../out/secret.txt'],
    ['a file that is not there', '../out/nothing.txt'],
    ['a folder', '../out'],
  ])('to %s', async (_name, target) => {
    await symlink(target, join(room, 'hosting/zz.yaml'));
    const { code, said } = await validate();
    expect(code).toBe(1);
    expectWords(said, '[file-outside]', '--allow-outside-files');
    expect(said).not.toContain('broken');
  });

  it('and not a line of it even where outside files are allowed', async () => {
    await symlink('../out/secret.txt', join(room, 'hosting/zz.yaml'));
    const { code, said } = await validate('--allow-outside-files');
    expect(code).toBe(1);
    expectWords(said, 'zz.yaml', '[broken-yaml]');
    expect(said).not.toContain('broken\n');
  });

  it('nor by a file of variables', async () => {
    await symlink('../out/secret.txt', join(room, 'hosting/near.vars'));
    await symlink('/proc/self/environ', join(room, 'hosting/far.vars'));
    await symlink('/proc/self/environ', join(room, 'far.vars'));
    const near = await validate('--var-file', 'hosting/near.vars');
    expect(near.said).toContain('[broken-yaml]');
    expect(near.said).not.toContain('broken\n');
    for (const path of ['hosting/far.vars', 'far.vars']) {
      const { code, said } = await validate('--var-file', path);
      expect(code).toBe(1);
      expect(said).toContain('[file-outside]');
    }
  });

  it.each([
    ['as it is', token],
    ['in base64', Buffer.from(token).toString('base64')],
    ['in base64 behind a user', Buffer.from(`me:${token}`).toString('base64')],
    ['in base64url', Buffer.from(token).toString('base64url')],
    ['percent-encoded', encodeURIComponent(token)],
  ])('and a frame hides the token that stands in the file itself, %s', async (_how, written) => {
    await write({ 'hosting/zz.yaml': `note: { value: "${written}"\n` });
    const { code, said } = await validate();
    expect(code).toBe(1);
    expect(said).toMatch(/ 1 \| note: \{ value: "\S{0,3}\*{10}/);
    expect(said).not.toContain(written.slice(2, -2));
  });
});

describe('attack f: a module or a key opens folders outside', () => {
  const inner = `projects: { m: { name: "\${file('secret.txt')}" } }\n`;

  it('by a source outside, unless that is allowed', async () => {
    await write({ 'hosting/main.yaml': `${begin}modules: { x: { source: ../out } }\n` });
    await write({ 'out/m.yaml': 'projects: { m: }\n' });
    const { code, said } = await validate();
    expect(code).toBe(1);
    expect(said).toMatch(/main\.yaml line 3[\s\S]*\[file-outside\]|\[file-outside\][\s\S]*line 3/);
    expect((await validate('--allow-outside-files')).code).toBe(0);
    await write({ 'hosting/main.yaml': `${begin}modules: { x: { source: ../none } }\n` });
    expect((await validate()).said).toContain('[file-outside]');
  });

  it('by a link to a module, or within a module', async () => {
    await symlink('../out', join(room, 'hosting/inner'));
    await write({
      'hosting/main.yaml': `${begin}modules: { x: { source: ./inner } }\n`,
      'out/m.yaml': inner,
    });
    expect((await validate()).said).toContain('[file-outside]');
    await rm(join(room, 'hosting/inner'));
    await write({ 'hosting/inner/m.yaml': inner });
    await symlink('../../out/secret.txt', join(room, 'hosting/inner/zz.yaml'));
    const { code, said } = await validate();
    expect(code).toBe(1);
    expectWords(said, 'inner/zz.yaml', '[file-outside]');
  });

  it('by file() beside a module that is allowed nowhere', async () => {
    await write({
      'hosting/main.yaml': `${begin}modules: { x: { source: ./inner } }\n`,
      'hosting/inner/m.yaml': `projects: { m: { name: "\${file('../out/secret.txt')}" } }\n`,
    });
    expect((await validate()).said).toContain('[file-outside]');
  });

  it.each(['../out/secret.txt', '/etc/hostname', 'key.pub'])(
    'by publicKeyFile: %s',
    async (path) => {
      await symlink('../out/secret.txt', join(room, 'hosting/key.pub'));
      await write({ 'hosting/main.yaml': vm(`sshKeys: { a: { publicKeyFile: ${path} } }`) });
      const { code, said } = await validate();
      expect(code).toBe(1);
      expectWords(said, '[file-outside]', '--allow-outside-files');
      expect((await validate('--allow-outside-files')).said).not.toContain('[file-outside]');
    },
  );

  it('and the environment of Hostwright is not for env()', async () => {
    const declared = 'variables: { HOSTWRIGHT_TOKEN: { default: x } }\n';
    await write({
      'hosting/main.yaml': `${declared}${vm('name: "${env(\'HOSTWRIGHT_TOKEN\')}"')}`,
    });
    const { code, said } = await validate();
    expect(code).toBe(1);
    expect(said).toContain('belongs to Hostwright');
  });
});

describe('attack f: further directories open themselves alone', () => {
  const source = (path: string) => ({
    'hosting/main.yaml': `${begin}modules: { m: { source: ${path} } }\n`,
  });

  it('by --reads, and nothing of git in them, nothing beside them, and no link out of them', async () => {
    const module = `version: 1\noutputs: { x: { value: "\${file(path.module + '/x.txt')}" } }\n`;
    await write({ 'modules/a/main.yaml': 'version: 1\n', 'modules/.git/main.yaml': module });
    await write({ 'beside/main.yaml': module, 'modules/b/main.yaml': module });
    await symlink(join(room, 'out/secret.txt'), join(room, 'modules/b/x.txt'));
    await write(source('../modules/a'));
    expect((await validate()).said).toContain('[file-outside]');
    expect(await validate('--reads', 'modules')).toMatchObject({ code: 0 });
    for (const path of ['../modules/.git', '../modules/b', '../beside', '../modules/../beside']) {
      await write(source(path));
      expect((await validate('--reads', 'modules')).said, path).toContain('[file-outside]');
    }
    expect((await validate('--reads', 'nowhere')).said).toContain('"nowhere" is no directory');
    expect((await validate('--reads', 'hosting/main.yaml')).said).toContain('is no directory');
  });
});

it('a pointer of Git LFS is not taken for the file that it stands for', async () => {
  const text = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
  await write({ 'hosting/more.yaml': text });
  expectWords((await validate()).said, '[file-unreadable]', 'pointer of Git LFS', 'git lfs pull');
});

describe('attack m: what is no regular file is refused, and waits for nobody', () => {
  it('as YAML, as a key, by file(), and as a file of variables', async () => {
    for (const name of ['zz.yaml', 'key.pub', 'note.txt', 'a.vars']) pipe(`hosting/${name}`);
    await write({
      'hosting/main.yaml': vm(
        `name: "\${file('note.txt')}", sshKeys: { a: { publicKeyFile: key.pub } }`,
      ),
    });
    const { code, said } = await validate('--var-file', 'hosting/a.vars');
    expect(code).toBe(1);
    expect(said.match(/(I|i)t is a pipe, not a file/g)).toHaveLength(3);
    expect(said).toContain('zz.yaml cannot be read: it is a pipe, not a file');
  });

  it('nor a device where outside files are allowed', async () => {
    await symlink('/dev/zero', join(room, 'hosting/zz.yaml'));
    const { code, said } = await validate('--allow-outside-files');
    expect(code).toBe(1);
    expect(said).toContain('it is a device, not a file');
  });
});

describe('attack f: what secures the connection lies outside', () => {
  const tls = (fields: string) =>
    `version: 1\nservice:\n  baseUrl: https://api.example.com/v1\n  tls: { ${fields} }\n`;

  it.each([
    ['caFile: ../out/secret.txt', 'by a path'],
    ['caFile: ../out/nothing.txt', 'by a path to nothing'],
    ['caFile: link.pem', 'by a link'],
    ['certFile: inner.txt, keyFile: /proc/self/environ', 'by the path of a device'],
    ['certFile: inner.txt, keyFile: link.pem', 'by a link to a key'],
  ])('%s', async (fields) => {
    await symlink('../out/secret.txt', join(room, 'hosting/link.pem'));
    await write({ 'hosting/main.yaml': tls(fields), 'hosting/inner.txt': 'x' });
    const { code, said } = await validate();
    expect(code).toBe(1);
    expect(said).toContain('[file-outside]');
  });

  it('and no message quotes what is no certificate or no key, inside or outside', async () => {
    await write({
      'hosting/near.txt': `-----BEGIN PRIVATE KEY-----\n${token}\n-----END PRIVATE KEY-----\n`,
    });
    for (const name of ['../out/secret.txt', 'near.txt']) {
      const fields = `caFile: ${name}, certFile: ${name}, keyFile: ${name}`;
      await write({ 'hosting/main.yaml': tls(fields) });
      const { code, said } = await validate('--allow-outside-files');
      expect(code).toBe(1);
      expect(said).toContain('[tls-file-invalid]');
    }
  });

  it('a pipe waits for nobody', async () => {
    pipe('hosting/ca.pem');
    await write({ 'hosting/main.yaml': tls('caFile: ca.pem') });
    expect((await validate()).said).toContain('It is a pipe, not a file.');
  });
});

describe('the data of the embedded sandbox', () => {
  const plan = async (...args: string[]) => {
    const { code, stdout, stderr } = await runInProcess(['plan', 'hosting', ...args], {
      cwd: room,
    });
    return { code, said: stdout + stderr };
  };
  const dataIn = (data: string) =>
    write({
      'hosting/main.yaml': `version: 1\nservice: { sandbox: { data: ${JSON.stringify(data)} } }\n`,
    });
  const isThere = (name: string) => existsSync(join(room, name));

  it.each(['../made', '../out', 'link', 'link/made', '.', '.git/made', 'link/../../made'])(
    'is not made in %s',
    async (data) => {
      await symlink('../out', join(room, 'hosting/link'));
      await mkdir(join(room, 'hosting/.git'));
      await chmod(join(room, 'out'), 0o755);
      await dataIn(data);
      const { code, said } = await plan();
      expect(code).toBe(1);
      expect(said).toContain('[file-outside]');
      const made = ['made', 'out/made', 'out/sandbox.sqlite', 'hosting/.git/made'];
      expect(made.filter(isThere)).toEqual([]);
      expect(statSync(join(room, 'out')).mode & 0o777).toBe(0o755);
    },
  );

  it('is made below the directory, and elsewhere with --allow-outside-files', async () => {
    await dataIn('box');
    expect((await plan()).code).toBe(0);
    await dataIn(join(room, 'made'));
    expect((await plan('--allow-outside-files')).code).toBe(0);
    expect(['hosting/box/sandbox.sqlite', 'made/sandbox.sqlite'].map(isThere)).toEqual([
      true,
      true,
    ]);
  });

  it('leaves the mode of a directory that is there', async () => {
    await mkdir(join(room, 'hosting/there'), { mode: 0o755 });
    await chmod(join(room, 'hosting/there'), 0o755);
    await dataIn('there');
    const { code, said } = await plan();
    expect(code).toBe(1);
    expect(said).toContain('was not made by a sandbox');
    expect(statSync(join(room, 'hosting/there')).mode & 0o777).toBe(0o755);
  });
});
