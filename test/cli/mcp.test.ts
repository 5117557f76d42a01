// An agent, by the client of the protocol's own SDK: what it may look at, and that it can touch nothing.
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replaceLoneSurrogates } from '../../src/render/format/escape.ts';
import { runInProcess } from './run-in-process.ts';

const secret = 'the-token-of-nobody';
const input = new PassThrough();
let directory: string;
let client: Client;
let ended: Promise<unknown>;

const git = (...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
    ...{ cwd: directory, encoding: 'utf8' },
  }).trim();

const configuration = (networks: string) =>
  `version: 1\nservice: { sandbox: true }\nprojects: { demo: { networks: { ${networks} } } }\n`;

/** A server that an agent with a shell could start beside us. */
interface Listener {
  readonly url: string;
  /** The paths that it was asked for. */
  readonly asked: readonly string[];
  close(): Promise<unknown>;
}

async function listen(): Promise<Listener> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((done) => server.close(done));
  return { url: `http://127.0.0.1:${port}`, asked, close };
}

/** Calls a tool. @returns its text, and whether it is an error */
async function call(name: string, input: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: input });
  const texts = (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text);
  expect(texts.join()).not.toContain(secret);
  return { text: texts.join('\n'), isError };
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-mcp-'));
  await writeFile(join(directory, 'main.yaml'), configuration('back: {}'));
  await writeFile(join(directory, '.gitignore'), '.hostwright/\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  const output = new PassThrough();
  const env = { PATH: process.env.PATH!, HOSTWRIGHT_TOKEN: secret, HOSTWRIGHT_ALLOW_ENV: 'PATH' };
  ended = runInProcess(['mcp', directory], { env, streams: { input, output } });
  client = new Client({ name: 'test', version: '1' });
  // Both sides write a message a line.
  await client.connect(new StdioServerTransport(output, input));
});
afterAll(async () => {
  await client.close();
  input.end();
  expect(await ended).toMatchObject({ code: 0 });
  await rm(directory, { recursive: true });
});

test('its tools read, but for one that proposes', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ...['validate', 'plan', 'explain', 'rehearse', 'limits', 'catalog', 'errors', 'docs'].map(
      (name) => [name, true],
    ),
    ['propose', false],
  ]);
});

test.each([
  ['validate', {}, /"valid": true/],
  ['plan', {}, /projects\.demo\.networks\.back/],
  ['plan', { format: 'json' }, /"format_version":"1\.2"/],
  ['plan', { format: 'oneline', targets: ['projects.demo'] }, /\+ projects\.demo/],
  ['explain', { address: 'projects.demo.networks.back' }, /main\.yaml:3/],
  ['rehearse', {}, /second plan/],
  ['limits', {}, /"quotas"/],
  ['catalog', { part: 'images' }, /debian-13/],
  ['errors', { code: 'name-taken' }, /### name-taken[^]*docs\/errors\.md/],
  ['docs', { query: 'rollout atOnce' }, /docs\/rollout\.md/],
])('%s %j', async (name, input, words) => {
  const { text, isError } = await call(name, input);
  expect(text).toMatch(words);
  expect(isError).toBe(false);
});

test.each([
  ['an address that looks like a flag', 'plan', { targets: ['x --out=stolen'] }, /invalid/i],
  ['a variable that is a flag', 'plan', { variables: ['--auto-approve'] }, /variable/],
  ['an address that is none', 'explain', { address: '--help' }, /--help/],
  ['a member that no tool has', 'plan', { out: 'plan.hwp' }, /additional|unrecognized|invalid/i],
  ['a code that is none', 'errors', { code: '../x' }, /no such code/],
])('%s is an error for the agent', async (_what, name, input, words) => {
  const { text, isError } = await call(name, input);
  expect({ text, isError }).toEqual({
    text: expect.stringMatching(words) as string,
    isError: true,
  });
  expect((await readdir(directory)).sort()).toEqual(
    expect.not.arrayContaining(['stolen', 'plan.hwp']),
  );
});

test('an answer that is too long is cut, and says so', async () => {
  const long = join(directory, 'long.yaml');
  const keys = Array.from({ length: 150 }, (_, index) => `  k${index}${'k'.repeat(2_000)}: {}\n`);
  await writeFile(long, `projects:\n${keys.join('')}`);
  for (const name of ['validate', 'plan']) {
    const { text, isError } = await call(name);
    expect(isError).toBe(true);
    expect(text).toMatch(
      /\n\n\(Cut here: \d+ characters more\. Ask for less, by targets or by another format\.\)$/,
    );
    expect(text.length).toBeLessThanOrEqual(200_000);
    expect(text.length).toBeGreaterThan(15_000);
    expect(replaceLoneSurrogates(text)).toBe(text);
  }
  await rm(long);
});

test('pages of the documentation are resources', async () => {
  const { resources } = await client.listResources();
  const page = resources.find(({ name }) => name === 'plan');
  const { contents } = await client.readResource({ uri: page!.uri });
  expect(contents[0]).toMatchObject({ mimeType: 'text/markdown' });
});

test('a proposal is a branch with its plan: the work tree, the state and other branches stay', async () => {
  const files = [
    { path: 'main.yaml', content: null },
    { path: 'nets/all.yaml', content: 'projects: { demo: {} }\n' },
  ];
  const twice = [...files, ...files];
  const whole = [{ path: 'main.yaml', content: configuration('back: {}, front: {}') }];
  const before = [git('rev-parse', 'main'), git('status', '--porcelain')];
  const { text, isError } = await call('propose', {
    branch: 'front',
    message: 'Add it',
    files: whole,
  });
  expect(text).toMatch(/^Branch hostwright\/front, commit [\da-f]{40}\./);
  expect(text).toContain('projects.demo.networks.front');
  expect(isError).toBe(false);
  expect(git('show', 'hostwright/front:main.yaml')).toContain('front');
  expect(git('log', '-1', '--format=%s', 'hostwright/front')).toBe('Add it');
  expect([git('rev-parse', 'main'), git('status', '--porcelain')]).toEqual(before);
  expect(await readFile(join(directory, 'main.yaml'), 'utf8')).not.toContain('front');
  const again = await call('propose', { branch: 'front', message: 'Add it', files: whole });
  expect(again).toMatchObject({
    isError: true,
    text: expect.stringContaining('exists already') as string,
  });
  expect((await call('propose', { branch: 'x', message: 'y', files: twice })).text).toContain(
    'twice',
  );
});

test('leave of the environment does not count: the YAML of an agent reads no variable', async () => {
  const named = 'back: { name: "${env(\'PATH\')}" }';
  const content = `variables: { PATH: {} }\n${configuration(named)}`;
  const files = [{ path: 'main.yaml', content }];
  const { text, isError } = await call('propose', { branch: 'leak', message: 'm', files });
  expect(text).toContain('env-not-allowed');
  expect(isError).toBe(true);
});

test.each([
  ['the service', ({ url }: Listener) => `service: { baseUrl: ${url}/v1 }`],
  [
    'the state',
    ({ url }: Listener) => `state: { http: { address: ${url}/state } }\nservice: { sandbox: true }`,
  ],
])('no secret goes to this machine because the YAML of an agent has %s there', async (_, write) => {
  const listener = await listen();
  const content = `version: 1\n${write(listener)}\nprojects: { demo: {} }\n`;
  const files = [{ path: 'main.yaml', content }];
  const branch = `listener-${new URL(listener.url).port}`;
  const { text, isError } = await call('propose', { branch, message: 'm', files });
  await listener.close();
  expect(listener.asked).toEqual([]);
  expect(text).toMatch(/\[other-(?:service|state-host)\]/);
  expect(isError).toBe(true);
});

test.each([
  ...['../main.yaml', '/etc/a.yaml', '.github/a.yaml', 'a/../b.yaml', '.hostwright/x.yaml', 'a.sh'],
  ...['a\nb.yaml', 'a//b.yaml', 'a b.yaml', '"a.yaml'],
])('a proposal of %j is refused', async (path) => {
  const { text, isError } = await call('propose', {
    ...{ branch: 'bad', message: 'm', files: [{ path, content: '' }] },
  });
  expect(isError).toBe(true);
  expect(text).toContain('no YAML file below the configuration');
  expect(git('branch', '--list', 'hostwright/bad')).toBe('');
});

test.each(['..', 'a/b', '-x', 'A', ''])('a branch named %j is refused', async (branch) => {
  const files = [{ path: 'a.yaml', content: '' }];
  expect(await call('propose', { branch, message: 'm', files })).toMatchObject({ isError: true });
});
