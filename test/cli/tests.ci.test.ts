// `hostwright test`: what it prints, how it ends, and that nothing leaves the process.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { beforeEach, expect, test } from 'vitest';
import type { TestsJson } from '../../src/render/tests/tests-json.ts';
import { copyExample, run as runProgram } from './program.ts';
import { runInProcess } from './run-in-process.ts';
import { expectWords } from '../support/expect-words.ts';
import { openFolder } from '../support/open-folder.ts';

let directory: string;
beforeEach(async () => {
  directory = await openFolder('test-command');
});

const write = (name: string, text: string) => writeFile(join(directory, name), text);

/** The clock of these runs is hurried, and that of the bound with it. */
const run = (...args: readonly string[]) =>
  runInProcess(['test', '--timeout', '2h', ...args], { cwd: directory });

async function writeShop(service = 'sandbox: true'): Promise<void> {
  await write(
    'main.yaml',
    `version: 1\nservice: { ${service} }\nprojects: { shop: { networks: { backend: {} } } }\n`,
  );
  await write(
    'shop.test.yaml',
    `version: 1
tests:
  plans two:
    steps: [{ plan: {}, assert: plan.counts.add == 2 }]
  plans three:
    steps:
      - plan: {}
        assert: plan.counts.add == 3
`,
  );
}

test('a test that fails makes the exit code 1, and shows what was seen and where', async () => {
  await writeShop();
  const { code, stdout, stderr } = await run();
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout.replaceAll(/ {2}[\d.]+m?s$/gm, '').replace(/\(.*\)/, '(TIME)')).toBe(
    `shop.test.yaml
  pass  plans two
  FAIL  plans three
        step 1 of 1, plan
╷
│ Error: The assertion is false: plan.counts.add == 3 [assertion-failed]
│
│   on shop.test.yaml line 8, column 17:
│       5 |   plans three:
│       6 |     steps:
│       7 |       - plan: {}
│     > 8 |         assert: plan.counts.add == 3
│         |                 ^^^^^^^^^^^^^^^^^^^^
│
│   plan.counts.add = 2
╵

Tests: 1 passed, 1 failed (TIME)
`,
  );
});

test('tests that pass make the exit code 0', async () => {
  await writeShop();
  const { code, stdout } = await run('--filter', 'two', '--parallelism', '1');
  expect(code).toBe(0);
  expect(stdout).toMatch(/Tests: 1 passed, 1 left out by --filter \(.*\)\n$/);
});

test.each(['json', 'junit', 'tap'])('%s on standard output', async (format) => {
  await writeShop();
  const { code, stdout, stderr } = await run('--format', format);
  expect(code).toBe(1);
  if (format === 'tap') {
    expect(stdout).toMatch(/^TAP version 14\nok 1 - .*\n(.*\n)+not ok 2 - .*\n(.*\n)+1\.\.2\n$/);
    expect(stderr).toBe('');
    return;
  }
  // A program reads the one; a person who looks at the log of a pipeline reads the other.
  expect(stderr).toContain('plan.counts.add = 2');
  expect(stderr).not.toContain('plans two');
  if (format === 'json') {
    const { summary, tests } = JSON.parse(stdout) as TestsJson;
    expect(summary).toMatchObject({ passed: 1, failed: 1 });
    expect(tests.map(({ status }) => status)).toEqual(['pass', 'fail']);
  } else {
    const document = new DOMParser().parseFromString(stdout, 'text/xml');
    expect(document.getElementsByTagName('failure')).toHaveLength(1);
  }
});

test('faults of a file are told before anything runs', async () => {
  await writeShop();
  await write('broken.test.yaml', 'version: 1\ntests: { a: { stepps: [] } }\n');
  const { code, stdout, stderr } = await run();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expectWords(stderr, 'Did you mean `steps`?', 'broken.test.yaml line 2');
  for (const [format, words] of [
    ['junit', 'name="can be read" file="broken.test.yaml" line="2"'],
    ['tap', 'not ok 1 - broken.test.yaml: can be read'],
    ['json', '"name": "can be read"'],
  ] as const) {
    const told = await run('--format', format);
    expect(told.code).toBe(1);
    expect(told.stdout).toContain(words);
    expect(told.stdout).toContain('unknown-key');
    expect(told.stderr).toContain('Did you mean `steps`?');
  }
});

test.each([
  ['a pattern that is none', ['--filter', '('], 'regular expression'],
  ['a format that is none', ['--format', 'xml'], 'text, tap, junit, json'],
  ['a directory without tests', [], 'There are no tests in .'],
])('%s is refused', async (_, args, words) => {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(words);
});

test('files with tests are no part of the configuration', async () => {
  await writeShop();
  const { code, stdout } = await runInProcess(['validate'], { cwd: directory });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'Success! The configuration is valid: 2 resources.\n',
  });
});

test('a real account and its state are out of reach', async () => {
  let connections = 0;
  const server = createServer((_, response) => response.end('{}'));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await writeShop(`baseUrl: 'http://127.0.0.1:${port}/v1'`);
  const address = `http://127.0.0.1:${port}`;
  const ended = await runProgram(['test', '--filter', 'two', '--timeout', '2h'], {
    cwd: directory,
    env: {
      ...{ HOSTWRIGHT_BASE_URL: `${address}/v1`, HOSTWRIGHT_TOKEN_FILE: '/nonexistent/token' },
      HOSTWRIGHT_STATE: `{ http: { address: '${address}/state' } }`,
      HOSTWRIGHT_STATE_PASSPHRASE: 'short',
    },
  });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(connections).toBe(0);
  expect((await readdir(directory)).sort()).toEqual(['main.yaml', 'shop.test.yaml']);
  await new Promise((closed) => server.close(closed));
});

test('the ten tests of examples/company pass, and leave nothing behind', async () => {
  const copy = await copyExample('company');
  const before = await readdir(copy.path, { recursive: true });
  const { code, stdout, stderr } = await runProgram(['test', '--timeout', '2h'], {
    cwd: copy.path,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.match(/^ {2}pass {2}/gm)).toHaveLength(10);
  expect(stdout).toContain('Tests: 10 passed');
  expect(await readdir(copy.path, { recursive: true })).toEqual(before);
  await copy.remove();
});

test('the samples of docs/testing.md do what it says', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/testing.md'), 'utf8');
  // Those that name their file are for the console of the page, which `pages.test.ts` runs.
  const samples = [...page.matchAll(/^```yaml\n(?!# networks\/)([^]*?)^```$/gm)].map(
    ([, text = '']) => text,
  );
  const [configuration = '', ...tests] = samples;
  await write('main.yaml', configuration);
  for (const [index, text] of tests.entries()) await write(`${index}.test.yaml`, text);
  const { code, stdout, stderr } = await run();
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  expect(stdout.match(/^ {2}pass {2}/gm)).toHaveLength(7);
});
