import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runInProcess as run, serve } from './run-in-process.ts';
import { expectFailure, expectOutput } from '../support/expect-words.ts';
import { openFolder } from '../support/open-folder.ts';

let directory: string;
beforeEach(async () => {
  directory = await openFolder('bad');
});

const write = (text: string, file = 'main.yaml') => writeFile(join(directory, file), text);
const sandboxed = 'version: 1\nservice: { sandbox: true }\n';
const vm = 'image: ubuntu-24.04, configuration: c1-r1-d20, tariff: monthly';

/** What a fault must say: its code, where it stands, and a word of the way out. */
interface Told {
  readonly code: string;
  readonly place?: string;
  readonly says?: RegExp;
}

async function expectRefusal(
  args: readonly string[],
  told: Told,
  env: Record<string, string> = {},
) {
  const before = await readdir(directory, { recursive: true });
  const ended = await run([...args], { cwd: directory, env });
  const shown = ended.stdout + ended.stderr;
  expect(ended.code, shown).toBe(1);
  expect(shown).toContain(`[${told.code}]`);
  if (told.place !== undefined) expect(shown).toContain(`on ${told.place}`);
  if (told.says) expect(shown).toMatch(told.says);
  expect(shown).not.toMatch(/\n\s+at .*\.js:\d+/);
  return { before, after: await readdir(directory, { recursive: true }), ended };
}

test('a configuration that cannot be right is refused before anything is asked', async () => {
  await write(`${sandboxed}projects:\n  a:\n    netwroks: {}\n    vms:\n      w: { image: 1 }\n`);
  const told = { code: 'unknown-key', place: 'main.yaml line 5, column 5', says: /networks/ };
  for (const command of [['validate'], ['plan'], ['apply', '--auto-approve']]) {
    const { before, after } = await expectRefusal(command, told);
    expect(after).toEqual(before);
  }
  const { stderr } = await run(['validate'], { cwd: directory });
  const places = [...stderr.matchAll(/on main\.yaml line (\d+)/g)].map(([, line]) => Number(line));
  expect(places.length).toBeGreaterThanOrEqual(3);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('a plan that cannot work is refused, and apply sends nothing', async () => {
  const large = vm.replace('c1-r1-d20', 'c8-r32-d320');
  await write(`${sandboxed}projects: { a: { vms: { w: { ${large}, count: 60 } } } }\n`);
  const told = { code: 'quota-exceeded', says: /"VM cores": 480 cores/ };
  await expectRefusal(['plan'], told);
  await expectRefusal(['apply', '--auto-approve'], told);
  expect((await run(['state', 'list'], { cwd: directory })).stdout).toBe('');
});

describe('a service that cannot be used', () => {
  const remote = 'version: 1\nprojects: { a: }\n';

  async function withServer(listener: RequestListener, use: (url: string) => Promise<void>) {
    const server = createServer(listener);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    try {
      await use(`http://127.0.0.1:${port}/v1`);
    } finally {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
  }

  test('a wrong token', async () => {
    await write(remote);
    const sandbox = await serve();
    onTestFinished(async () => {
      await sandbox.stop();
    });
    const env = { ...sandbox.env, HOSTWRIGHT_TOKEN: 'hw_wrong-token-of-somebody' };
    const { ended } = await expectRefusal(['plan'], { code: 'unauthorized', says: /expired/ }, env);
    expect(ended.stdout + ended.stderr).not.toContain('hw_wrong-token-of-somebody');
  });

  test('no token, no address', async () => {
    await write(remote);
    await expectRefusal(['plan'], { code: 'service-missing', says: /HOSTWRIGHT_BASE_URL/ });
    const env = { HOSTWRIGHT_BASE_URL: 'http://127.0.0.1:9/v1' };
    await expectRefusal(['plan'], { code: 'token-missing', says: /HOSTWRIGHT_TOKEN/ }, env);
  });

  test('an unreachable address', async () => {
    await write(remote);
    const env = { HOSTWRIGHT_BASE_URL: 'http://127.0.0.1:1/v1', HOSTWRIGHT_TOKEN: 't-0123456789' };
    await expectRefusal(['plan'], { code: 'unreachable', says: /127\.0\.0\.1:1/ }, env);
  });

  test('a base address without /v1 in the environment', async () => {
    await write(remote);
    const env = { HOSTWRIGHT_BASE_URL: 'http://127.0.0.1:1', HOSTWRIGHT_TOKEN: 't-0123456789' };
    await expectRefusal(['plan'], { code: 'base-address-invalid', says: /\/v1/ }, env);
  });

  test('an HTML answer from a proxy', async () => {
    await write(remote);
    await withServer(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<html><body><h1>Please log in</h1></body></html>');
      },
      async (url) => {
        const env = { HOSTWRIGHT_BASE_URL: url, HOSTWRIGHT_TOKEN: 't-0123456789' };
        await expectRefusal(['plan'], { code: 'not-the-service', says: /Please log in/ }, env);
      },
    );
  });
});

test('a state that cannot be used is left as it is', async () => {
  const text = '{"formatVersion": 99, "lineage": "x", "serial": 1, "resources": []}\n';
  await write(`${sandboxed}projects: { a: }\n`);
  await mkdir(join(directory, '.hostwright'));
  const statePath = join(directory, '.hostwright', 'state.json');
  await writeFile(statePath, text);
  for (const command of [['plan'], ['apply', '--auto-approve'], ['state', 'list']]) {
    await expectRefusal(command, { code: 'state-newer', says: /newer/ });
  }
  expect(await readFile(statePath, 'utf8')).toBe(text);
});

describe('the command line itself', () => {
  test.each([
    [['paln'], /Did you mean "hostwright plan"/],
    [['plan', '--format', 'yaml'], /Use one of text, json/],
    [['apply', '--parallelism', '0'], /whole number/],
    [['plan', 'no/such/directory'], /directory-not-found/],
    [['state', 'show', 'projects.nowhere'], /no-state/],
  ])('%j', async (args, says) => {
    const ended = await run(args);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(says);
  });

  test('an apply that nobody can answer changes nothing', async () => {
    await write(`${sandboxed}projects: { a: }\n`);
    expectFailure(await run(['apply'], { cwd: directory }), '--auto-approve');
    expectFailure(await run(['apply'], { cwd: directory, input: 'y\n' }), 'Apply cancelled.');
    const approved = await run(['apply'], { cwd: directory, input: 'yes\n' });
    expectOutput(approved, 'Apply complete! Resources: 1 added');
  });

  test.each([
    { flags: [], asks: 'destroy all resources?', says: 'all your managed resources' },
    { flags: ['--target', 'projects.a'], asks: 'destroy these resources?', says: 'no others' },
    { flags: ['--exclude', 'projects.b'], asks: 'destroy these resources?', says: 'no others' },
  ])('what is destroyed is what is asked for: $flags', async ({ flags, asks, says }) => {
    await write(`${sandboxed}projects: { a: , b: }\n`);
    await run(['apply', '--auto-approve'], { cwd: directory });
    const declined = await run(['destroy', ...flags], { cwd: directory, input: 'no\n' });
    expect(declined).toMatchObject({ code: 1 });
    expect(declined.stdout).toContain(asks);
    expect(declined.stdout).toContain(says);
    expect(declined.stderr).toContain('Destroy cancelled.');
  });
});
