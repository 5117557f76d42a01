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

describe('a configuration that cannot be right is refused before anything is asked', () => {
  const cases: readonly (Told & { name: string; yaml: string })[] = [
    {
      name: 'an unknown key',
      yaml: `${sandboxed}projects:\n  a:\n    netwroks: {}\n`,
      code: 'unknown-key',
      place: 'main.yaml line 5, column 5',
      says: /networks/,
    },
    {
      name: 'a wrong type',
      yaml: `${sandboxed}projects:\n  a:\n    vms:\n      w: { ${vm}, count: many }\n`,
      code: 'wrong-type',
      place: 'main.yaml line 6',
    },
    {
      name: 'a duplicate key',
      yaml: `${sandboxed}projects:\n  a: {}\n  a: {}\n`,
      code: 'duplicate-key',
      place: 'main.yaml line 5, column 3',
    },
    { name: 'broken YAML', yaml: `${sandboxed}projects: [a\n`, code: 'broken-yaml' },
    {
      name: 'a missing key file',
      yaml: `${sandboxed}projects:\n  a:\n    sshKeys:\n      k: { publicKeyFile: gone.pub }\n`,
      code: 'key-file-unreadable',
      place: 'main.yaml line 6',
    },
    {
      name: 'a dangling reference',
      yaml: `${sandboxed}projects:\n  a:\n    networks: { back: }\n    vms:\n      w: { ${vm}, networks: [bakc] }\n`,
      code: 'dangling-reference',
      place: 'main.yaml line 7',
      says: /back/,
    },
    {
      name: 'two resources of one name',
      yaml: `${sandboxed}projects:\n  a:\n    networks: { x: { name: same }, y: { name: same } }\n`,
      code: 'duplicate-name',
    },
    {
      name: 'a base address without /v1',
      yaml: 'version: 1\nservice: { baseUrl: https://api.example.com }\nprojects: {}\n',
      code: 'base-url-without-version',
      says: /v1/,
    },
  ];

  test.each(cases)('$name', async ({ yaml, ...told }) => {
    await write(yaml);
    for (const command of [['validate'], ['plan'], ['apply', '--auto-approve']]) {
      const { before, after } = await expectRefusal(command, told);
      expect(after).toEqual(before);
    }
  });

  test('every fault at once, in the order of the file', async () => {
    await write(`${sandboxed}projects:\n  a:\n    netwroks: {}\n    vms:\n      w: { image: 1 }\n`);
    const { stderr } = await run(['validate'], { cwd: directory });
    const places = [...stderr.matchAll(/on main\.yaml line (\d+)/g)].map(([, line]) =>
      Number(line),
    );
    expect(places.length).toBeGreaterThanOrEqual(3);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

test.each([
  [
    'a name over its cap',
    `projects:\n  a:\n    name: ${'n'.repeat(300)}\n`,
    { code: 'name-too-long', place: 'main.yaml line 5', says: /300 characters/ },
  ],
  [
    'more than the quota',
    `projects:\n  a:\n    vms:\n      w: { image: ubuntu-24.04, configuration: c8-r32-d320, tariff: monthly, count: 60 }\n`,
    {
      code: 'quota-exceeded',
      says: /exceeds the quota[\s│]+"VM cores": 480 cores[\s│]+at its peak,[\s│]+limit[\s│]+400,[\s│]+used[\s│]+0/,
    },
  ],
  [
    'an image that is not offered',
    `projects:\n  a:\n    vms:\n      w: { image: ubuntu-42.04, configuration: c1-r1-d20, tariff: monthly }\n`,
    { code: 'unknown-image', place: 'main.yaml line 6', says: /ubuntu-24\.04/ },
  ],
])('a plan that cannot work is refused, and apply sends nothing: %s', async (_, yaml, told) => {
  await write(sandboxed + yaml);
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
    onTestFinished(() => sandbox.stop());
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

  test('a JSON answer of another server', async () => {
    await write(remote);
    await withServer(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"type":"about:blank"}');
      },
      async (url) => {
        const env = { HOSTWRIGHT_BASE_URL: url, HOSTWRIGHT_TOKEN: 't-0123456789' };
        for (const command of ['plan', 'limits']) {
          await expectRefusal([command], { code: 'not-the-service', says: /an object/ }, env);
        }
      },
    );
  });
});

describe('a state that cannot be used is left as it is', () => {
  const statePath = () => join(directory, '.hostwright', 'state.json');

  async function withState(text: string, told: Told) {
    await write(`${sandboxed}projects: { a: }\n`);
    await mkdir(join(directory, '.hostwright'));
    await writeFile(statePath(), text);
    for (const command of [['plan'], ['apply', '--auto-approve'], ['state', 'list']]) {
      await expectRefusal(command, told);
    }
    expect(await readFile(statePath(), 'utf8')).toBe(text);
  }

  test('of a newer version', () =>
    withState('{"formatVersion": 99, "lineage": "x", "serial": 1, "resources": []}\n', {
      code: 'state-newer',
      says: /newer/,
    }));

  test('torn in half', () =>
    withState('{"formatVersion": 1, "lineage": "x", "ser', {
      code: 'state-invalid',
      says: /backup|journal/,
    }));
});

describe('the command line itself', () => {
  test.each([
    [['paln'], /Did you mean "hostwright plan"/],
    [['plan', '--fromat', 'json'], /--format/],
    [['plan', '--format', 'yaml'], /Use one of text, json/],
    [['apply', '--parallelism', '0'], /whole number/],
    [['plan', 'no/such/directory'], /directory-not-found/],
    [['apply', 'package.json'], /not-a-plan-file|not a saved plan/],
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

test('file() reads nothing outside of the configuration unless that is allowed', async () => {
  await mkdir(join(directory, 'hosting'));
  await write('from outside', 'note.txt');
  await write(
    `${sandboxed}outputs: { note: { value: "\${file('../note.txt')}" } }\n`,
    'hosting/main.yaml',
  );
  await expectRefusal(['validate', 'hosting'], {
    code: 'file-outside',
    place: 'hosting/main.yaml line 3',
    says: /--allow-outside-files/,
  });
  const allowed = await run(['plan', 'hosting', '--allow-outside-files'], { cwd: directory });
  expect(allowed.stdout + allowed.stderr).toContain('from outside');
  expect(allowed.code).toBe(0);
});
