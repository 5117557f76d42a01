// An encrypted state is that of its directory: one of another directory, with the same passphrase, does not take its place.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';

const code = 'state-of-another-lineage';

let here = '';
let other = '';
beforeEach(async () => {
  here = await makeDirectory('here');
  other = await makeDirectory('other');
});
afterEach(() => Promise.all([here, other].map((one) => rm(one, { recursive: true }))));

async function makeDirectory(project: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-sealed-'));
  await writeFile(
    join(directory, 'main.yaml'),
    `version: 1\nservice: { sandbox: true }\nstate: { encryption: { key: passphrase } }\nprojects: { ${project}: }\n`,
  );
  return directory;
}

async function run(cwd: string, ...argv: string[]) {
  const env = { HOSTWRIGHT_STATE_PASSPHRASE: 'correct horse battery' };
  const ended = await runInProcess(argv, { cwd, env });
  return { ...ended, said: ended.stdout + ended.stderr };
}
const apply = async (cwd: string) =>
  expect(await run(cwd, 'apply', '--auto-approve')).toMatchObject({ code: 0 });
const bring = (name: string) =>
  cp(join(other, '.hostwright', name), join(here, '.hostwright', name), { recursive: true });

test('a state of another directory is refused, until a person says so', async () => {
  for (const directory of [here, other]) await apply(directory);
  await bring('state.json');
  for (const argv of [['plan'], ['apply', '--auto-approve'], ['state', 'list']]) {
    const ended = await run(here, ...argv);
    expect(ended).toMatchObject({ code: 1, said: expect.stringContaining(code) as unknown });
  }
  expect((await run(here, 'doctor')).said).toContain('Another state has taken the place of yours');
  expect((await run(here, 'state', 'list', '--allow-other-state')).stdout).toContain('other');
  expect((await run(here, 'state', 'list')).code).toBe(0);
});

test('so is a former one, and its own are shown', async () => {
  for (const directory of [here, other]) await apply(directory);
  const main = join(other, 'main.yaml');
  await writeFile(main, (await readFile(main, 'utf8')).replace('{ other: }', '{ other:, b: }'));
  const own = join(here, 'main.yaml');
  await writeFile(own, (await readFile(own, 'utf8')).replace('{ here: }', '{ here:, b: }'));
  for (const directory of [here, other]) await apply(directory);
  expect((await run(here, 'state', 'show', '--serial', '1')).code).toBe(0);
  await bring('history');
  for (const argv of [
    ['rollback', '1', '--auto-approve'],
    ['show', '--serial', '1'],
  ]) {
    const ended = await run(here, 'state', ...argv);
    expect(ended).toMatchObject({ code: 1, said: expect.stringContaining(code) as unknown });
  }
});

test('a state may be pushed on purpose, and begun anew', async () => {
  await apply(here);
  const pulled = (await run(here, 'state', 'pull')).stdout;
  const { lineage } = JSON.parse(pulled) as { lineage: string };
  const pushed = pulled.replace(lineage, 'another').replace('"serial": 1', '"serial": 90');
  await writeFile(join(here, 'pushed'), pushed);
  expect((await run(here, 'state', 'push', 'pushed', '--force')).code).toBe(0);
  expect((await run(here, 'plan')).code).toBe(0);
  await rm(join(here, '.hostwright'), { recursive: true });
  await apply(here);
  expect((await run(here, 'plan')).code).toBe(0);
});
