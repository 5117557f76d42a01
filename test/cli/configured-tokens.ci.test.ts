// Access tokens of a configuration: the value of each stands in the one place that it was to be given to.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { run } from './program.ts';
import { runInProcess, serve, type ServedSandbox } from './run-in-process.ts';
import { openFolder } from '../support/open-folder.ts';

let sandbox: ServedSandbox;
let directory = '';
beforeAll(async () => {
  sandbox = await serve('--speed', '40');
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  directory = await openFolder('tokens');
});

const configure = (tokens: string, file = 'main.yaml') =>
  writeFile(join(directory, file), `version: 1\nservice: { sandbox: true }\n${tokens}`);
const hostwright = (...args: string[]) => runInProcess(args, { cwd: directory, env: sandbox.env });
const read = (name: string) => readFile(join(directory, name), 'utf8');

/** The files below the directory that hold a text. */
async function listHolding(text: string): Promise<string[]> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const held = files
    .filter((one) => one.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return (await readFile(path)).includes(text) ? [path.slice(directory.length + 1)] : [];
    });
  return (await Promise.all(held)).flat();
}

test('a value stands in exactly one file, of its owner alone, and on no stream', async () => {
  await configure('tokens: { file: { scopes: [compute], writeTo: { file: secrets/ci.token } } }\n');
  const planned = await hostwright('plan', '--out', 'saved.plan');
  const applied = await hostwright('apply', '--json-into', 'events.json', '--auto-approve');
  expect(applied).toMatchObject({ code: 0 });
  const value = (await read('secrets/ci.token')).trim();
  expect(value).toMatch(/^hw_\w+$/);
  expect((await stat(join(directory, 'secrets/ci.token'))).mode & 0o777).toBe(0o600);
  expect(await listHolding(value)).toEqual(['secrets/ci.token']);
  const shown = [
    await hostwright('show', '--json'),
    await hostwright('state', 'show', 'tokens.file'),
    await hostwright('state', 'pull'),
  ];
  for (const { stdout, stderr } of [planned, applied, ...shown]) {
    expect(stdout + stderr).not.toContain(value);
  }
  const own = { ...sandbox.env, HOSTWRIGHT_TOKEN: value };
  expect(await runInProcess(['operations'], { cwd: directory, env: own })).toMatchObject({
    code: 0,
  });
  expect(await hostwright('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
});

test('a command gets it on its standard input, and its failure revokes the token', async () => {
  await configure('tokens: { cmd: { scopes: [compute], writeTo: { command: "cat > got" } } }\n');
  const applyAllowed = () =>
    run(['apply', '--auto-approve', '--allow-commands'], { cwd: directory, env: sandbox.env });
  expect(await applyAllowed()).toMatchObject({ code: 0 });
  const value = (await read('got')).trim();
  expect(value).toMatch(/^hw_\w+$/);
  expect(await listHolding(value)).toEqual(['got']);

  await configure('tokens: { bad: { scopes: [compute], writeTo: { command: "exit 3" } } }\n');
  const failed = await applyAllowed();
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stdout + failed.stderr).toContain('[token-not-saved]');
  expect((await hostwright('tokens', 'list')).stdout).not.toMatch(/\b(bad|cmd)\b/);
});

test('tokens of a module lie where the configuration does', async () => {
  await mkdir(join(directory, 'inner'));
  await writeFile(
    join(directory, 'inner/module.yaml'),
    'variables: { name: { type: string } }\ntokens: { ci: { name: "${var.name}", scopes: [compute], writeTo: { file: "${var.name}.token" } } }\n',
  );
  await configure(
    'modules: { each: { source: ./inner, forEach: [eu, us], variables: { name: "${each.key}" } } }\n',
  );
  const applied = await hostwright('apply', '--auto-approve');
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout).toContain('modules.each["eu"].tokens.ci');
  const values = await Promise.all(['eu.token', 'us.token'].map(read));
  expect(new Set(values).size).toBe(2);
  expect(await hostwright('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  expect(await hostwright('destroy', '--auto-approve')).toMatchObject({ code: 0 });
});
