// The catalog of an account in a file: written by `catalog`, read by the embedded sandbox, tests and rehearsals.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Catalog } from '../../src/model/account/live.ts';
import { openFolder } from '../support/open-folder.ts';
import { runInProcess } from './run-in-process.ts';

let cwd = '';
const run = (...args: string[]) => runInProcess(args, { cwd });
const write = (name: string, text: string) => writeFile(join(cwd, name), text);

const configure = (sandbox: string, size: string) =>
  write(
    'main.yaml',
    `version: 1
service: { sandbox: ${sandbox} }
projects:
  demo:
    vms: { web: { count: 2, image: debian-13, configuration: ${size}, tariff: monthly } }
`,
  );

const asserting = (file: string) =>
  write(
    'main.test.yaml',
    `version: 1
tests:
  there is room for two:
    account: { catalog: ${file} }
    steps:
      - { apply: {}, assert: 'account.projects.demo.vms.web.all(vm, vm.status == "active")' }
      - edit: { configuration: { projects: { demo: { vms: { web: { count: 3 } } } } } }
      - { apply: {}, expectFailures: [insufficient-capacity] }
`,
  );

const running = (size: string) =>
  write(
    'full.faults',
    `rules: [{ when: { until: 1m }, then: { capacity: { configuration: ${size} } } }]`,
  );

/** The sandbox's catalog with its one size called otherwise, of which there are two. */
beforeEach(async () => {
  cwd = await openFolder('catalog');
  await configure('true', 'c1-r1-d20');
  const written = await run('catalog', '--json');
  expect(written.stderr).toBe('');
  const catalog = JSON.parse(written.stdout) as Catalog;
  const [size] = catalog.configurations;
  const configurations = [{ ...size, id: 's-1', name: 'маленький', maxCount: 2 }];
  await write('catalog.json', JSON.stringify({ ...catalog, configurations }, null, 2));
  await configure('{ catalog: catalog.json }', 'маленький');
});

test('the embedded sandbox offers what the file lists', async () => {
  expect((await run('catalog', 'configurations')).stdout).toMatch(/маленький .* limited +2/);
  await configure('{ catalog: catalog.json }', 'c1-r1-d20');
  const refused = await run('plan');
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('маленький')]);
});

test('a test orders from it, in an account with its room', async () => {
  await configure('true', 'маленький');
  await asserting('catalog.json');
  const passed = await run('test');
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining('Tests: 1 passed')]);
  await asserting('none.json');
  const { code, stderr } = await run('test');
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('on main.test.yaml line 4, column 25'),
  ]);
});

test('a fault names a size that the account has, and is an error where it could never strike', async () => {
  await running('маленький');
  const rehearsed = await run('plan', '--rehearse', '--faults', 'full.faults');
  expect(rehearsed.stdout).toMatch(/no room for this[^]*rule 1 \d+ times/);
  await running('c2-r4-d40');
  const { code, stderr } = await run('plan', '--rehearse', '--faults', 'full.faults');
  expect(code).toBe(1);
  expect(stderr).toContain('[invalid-faults]');
  expect(stderr).toContain('on full.faults line 1, column 67');
  expect(stderr.replaceAll(/\s*\n│?\s*/g, ' ')).toContain(
    'is no size of the account, which has маленький',
  );
});

test('what is wrong with it is said where it stands', async () => {
  await write('catalog.json', '{ "images": [],\n  "configurations": [{ "id": 5 }] }');
  const { code, stderr } = await run('validate');
  expect(code).toBe(1);
  expect(stderr).toContain('on catalog.json line 2, column 30');
  expect(stderr).toContain('The file has no `tariffs`');
  await configure('{ catalog: ../catalog.json }', 'маленький');
  expect((await run('validate')).stderr).toContain('on main.yaml line 2, column 32');
});
