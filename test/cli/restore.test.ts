import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runInProcess } from './run-in-process.ts';
import { expectOutput, expectWords } from '../support/expect-words.ts';

const room = await mkdtemp(join(tmpdir(), 'hostwright-restore-'));
afterAll(() => rm(room, { recursive: true }));

const run = (...args: string[]) => runInProcess(args, { cwd: room });
const web = 'projects.shop.vms.web';

async function write(size: string, key = 'retire: 24h'): Promise<void> {
  const text = `version: 1
service: { sandbox: { speed: 100000 } }
projects:
  shop:
    vms:
      web: { image: debian-12, configuration: ${size}, tariff: monthly, lifecycle: { ${key} } }
`;
  await writeFile(join(room, 'main.yaml'), text);
}

it('a VM that was replaced comes back by its address', async () => {
  await write('c1-r1-d20');
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  const before = JSON.parse((await run('state', 'show', web, '--json')).stdout) as { id: string };
  await write('c1-r2-d20');
  expectOutput(await run('apply', '--auto-approve'), 'renamed to "web-retired" and kept for 24h');
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  expectOutput(await run('state', 'list'), `${web} (deposed object ${before.id})`);
  await write('c1-r1-d20');
  expectOutput(await run('restore', web, '--auto-approve'), 'name', '"web-retired" -> "web"');
  const after = JSON.parse((await run('state', 'show', web, '--json')).stdout) as object;
  expect(after).toMatchObject({ id: before.id });
  expect(after).not.toHaveProperty('retired');
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  expect((await run('destroy', '--auto-approve')).code).toBe(0);
  const { code, stdout, stderr } = await run('restore', web, '--auto-approve');
  expect(code).toBe(1);
  expectWords(stdout + stderr, '[not-retired]');
});

it.each([
  ['retire: 3000h', 'web', '[out-of-range]'],
  ['retire: soon', 'web', 'retire'],
])('%s is refused', async (key, _, words) => {
  await write('c1-r1-d20', key);
  const { code, stderr, stdout } = await run('validate');
  expect(code).toBe(1);
  expectWords(stdout + stderr, words);
});

it('is of VMs alone', async () => {
  await writeFile(
    join(room, 'main.yaml'),
    'version: 1\nservice: { sandbox: true }\nprojects: { shop: { lifecycle: { retire: 24h } } }\n',
  );
  const { stdout, stderr } = await run('validate');
  expectWords(stdout + stderr, '[unknown-key]', 'retire');
});
