import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run as runProgram } from './program.ts';
import { runInProcess, serve, type ServedSandbox } from './run-in-process.ts';
import { openFolder } from '../support/open-folder.ts';

const secret = 'correct-horse-battery';
const configuration = `version: 1
variables:
  team: { default: shop }
  password: { default: ${secret}, sensitive: true }
locals: { prefix: "\${var.team}-eu" }
data:
  debian: { kind: image, name: debian-12 }
projects:
  shop:
    networks: { backend: { name: "\${local.prefix}-net" } }
    publicIps: { edge: {} }
    vms:
      web: { count: 2, image: "\${data.debian.id}", configuration: c1-r1-d20, tariff: monthly }
`;

describe('console', () => {
  let sandbox: ServedSandbox;
  let directory: string;
  const type = (...lines: string[]) =>
    runInProcess(['console'], {
      ...{ cwd: directory, env: sandbox.env },
      input: lines.map((line) => `${line}\n`).join(''),
    });

  beforeAll(async () => {
    sandbox = await serve('--speed', '100');
    directory = await mkdtemp(join(tmpdir(), 'hostwright-console-'));
    await writeFile(join(directory, 'main.yaml'), configuration);
  });
  afterAll(async () => {
    await sandbox.stop();
    await rm(directory, { recursive: true });
  });

  test('needs no account for what the configuration says', async () => {
    const ended = await runInProcess(['console'], {
      cwd: directory,
      input: ['1 + 1', 'local.prefix', 'upper(var.team)', '"${var.team}-${local.prefix}"', ''].join(
        '\n',
      ),
    });
    expect(ended).toEqual({
      code: 0,
      stderr: '',
      stdout: '2\n"shop-eu"\n"SHOP"\n"shop-shop-eu"\n',
    });
  });

  test('knows what will be assigned, and what stands', async () => {
    const address = 'projects.shop.publicIps.edge.address';
    const before = await type(
      address,
      'projects.shop.vms.web.map(one, one.name)',
      'data.debian.name',
    );
    expect(before).toMatchObject({ code: 0, stderr: '' });
    expect(before.stdout).toBe('(known after apply)\n[\n  "web-0",\n  "web-1",\n]\n"debian-12"\n');
    const env = sandbox.env;
    expect((await runInProcess(['apply', '--auto-approve'], { cwd: directory, env })).code).toBe(0);
    const after = await type(address, `"http://\${${address}}/"`);
    expect(after.stdout).toMatch(/^"[\d.]+"\n"http:\/\/[\d.]+\/"\n$/);
  });

  test('shows no sensitive value, nor in what goes wrong with one', async () => {
    const ended = await type('var.password', 'upper(var.password)', 'int(var.password)');
    expect(ended.code).toBe(1);
    expect(ended.stdout).toBe('(sensitive value)\n(sensitive value)\n');
    expect(ended.stderr).toContain('The expression fails on a sensitive value');
    expect(`${ended.stdout}${ended.stderr}`.toLowerCase()).not.toContain(secret);
  });

  test('tells every fault with its place, and goes on', async () => {
    const ended = await type('var.teem', 'projects.shop.vms.web.name', '1 +', '', 'size([1, 2])');
    expect(ended.code).toBe(1);
    expect(ended.stdout).toBe('2\n');
    expect(ended.stderr).toContain('Did you mean `team`?');
    expect(ended.stderr).toContain('`projects.shop.vms.web` has a count: it is a list');
    expect(ended.stderr).toContain('The expression ends too early');
    expect(ended.stderr).toMatch(/on console line 1, column 5/);
  });

  test('goes on with the next line where an expression is not at its end', async () => {
    const ended = await type('[1,', '  2]', '', '{"a":', '1}', 'exit', 'never.read');
    expect(ended).toEqual({ code: 0, stderr: '', stdout: '[\n  1,\n  2,\n]\n{\n  "a" = 1\n}\n' });
  });

  test('takes variables, and reports a configuration with faults', async () => {
    const cwd = directory;
    const given = await runInProcess(['console', '--var', 'team=ops'], {
      cwd,
      input: 'local.prefix\n',
    });
    expect(given.stdout).toBe('"ops-eu"\n');
    const broken = await runInProcess(['console', '--var', 'tem=ops'], { cwd, input: '1\n' });
    expect(broken).toMatchObject({ code: 1, stdout: '' });
  });

  test('an account that cannot be read leaves the state', async () => {
    const bare = await openFolder('console');
    await writeFile(join(bare, 'main.yaml'), 'version: 1\nprojects: { shop: {} }\n');
    const env = { HOSTWRIGHT_BASE_URL: 'http://127.0.0.1:9/v1', HOSTWRIGHT_TOKEN: 'none' };
    const ended = await runInProcess(['console'], { cwd: bare, env, input: 'projects.shop.id\n' });
    expect(ended).toMatchObject({ code: 0, stdout: '(known after apply)\n' });
    expect(ended.stderr).toContain('values are those of the state');
  });

  test('works in a pipe', async () => {
    const ended = await runProgram(['console'], { cwd: directory, input: 'local.prefix' });
    expect(ended).toEqual({ code: 0, stderr: '', stdout: '"shop-eu"\n' });
  });
});
