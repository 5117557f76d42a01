// Row b: an address that a stranger chose must never get the token, be it in the YAML, in a variable or in the state.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandFamilies } from '../../src/cli/command-families.ts';
import { listCommandExamples } from '../../src/cli/help/examples.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { openStateStore } from '../../src/state/store.ts';
import { DayTwoWorld, type RunOptions } from '../support/day-two.ts';
import { silentContext } from '../support/silent-runtime.ts';
import { openLocalBackend } from '../../src/state/backends/local.ts';
import { expectWords } from '../support/expect-words.ts';

const evil = 'https://evil.test/v1';
const own = 'https://sandbox/v1';

let world: DayTwoWorld;
/** Every request that went out, with where to. */
let sent: { readonly origin: string; readonly authorization: string | null }[];
beforeEach(async () => {
  world = await DayTwoWorld.open();
  sent = [];
});
afterEach(() => world.close());

const meddle: RunOptions['meddle'] = (request, pass) => {
  const { origin } = new URL(request.url);
  sent.push({ origin, authorization: request.headers.get('authorization') });
  return pass();
};
const run = (argv: readonly string[], env: Record<string, string> = {}) =>
  world.run(argv, { meddle, env });

const configure = (baseUrl: string) =>
  writeFile(
    join(world.directory, 'main.yaml'),
    `version: 1\nservice: { baseUrl: ${baseUrl} }\nprojects: { shop: {} }\n`,
  );

/** The address of the environment is not set: the configuration alone says where to go. */
const fromYaml = { HOSTWRIGHT_BASE_URL: '' };
const confirmed = '--allow-other-service';

/** One command line of every command but the one that serves. */
async function listCommandLines(): Promise<readonly (readonly string[])[]> {
  const program = await buildProgram(commandFamilies, silentContext);
  const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
  return all(program)
    .flatMap((command) => listCommandExamples(command).slice(0, 1))
    .map((line) =>
      line
        .replace(/ [>&].*/, '')
        .replaceAll("'", '')
        .split(' ')
        .slice(1)
        .map((word) => (word === 'hosting' ? '.' : word)),
    )
    .filter(([name]) => name !== 'sandbox');
}

describe('attack b: the address of the service', () => {
  test('no command asks another service than that of the state', async () => {
    await configure(evil);
    const refused: string[] = [];
    for (const argv of await listCommandLines()) {
      const { code, stdout, stderr } = await run(argv, fromYaml);
      const isRefused = /\[other-service\]|The state belongs to another/.test(stdout + stderr);
      if (isRefused) refused.push(argv.join(' '));
      expect({ argv, sent, ...(isRefused && { code }) }).toEqual({
        ...{ argv, sent: [] },
        ...(isRefused && { code: 1 }),
      });
    }
    // Whatever asks the service has refused to.
    for (const name of ['plan', 'apply', 'destroy', 'import', 'export', 'limits', 'doctor']) {
      expect(refused.some((line) => line.startsWith(name))).toBe(true);
    }
    for (const name of ['vm start', 'operations', 'tokens list', 'account', 'sales list']) {
      expect(refused.some((line) => line.startsWith(name))).toBe(true);
    }
  });

  test.each(['elsewhere', '.hostwright/below'])(
    'nor does one that has the state looked for in another directory: %s',
    async (path) => {
      await configure(own);
      expect((await run(['apply', '--auto-approve', confirmed], fromYaml)).code).toBe(0);
      sent = [];
      const main = join(world.directory, 'main.yaml');
      const text = (await readFile(main, 'utf8')).replace(own, evil);
      await writeFile(main, `${text}state: { local: { path: ${path} } }\n`);
      const { code, stderr } = await run(['plan'], fromYaml);
      expect({ code, sent }).toEqual({ code: 1, sent: [] });
      expect(stderr).toContain('[state-elsewhere]');
      // Moved there, it still belongs to its service.
      expect((await run(['init', '--migrate-state'], fromYaml)).code).toBe(0);
      const moved = await run(['plan'], fromYaml);
      expect({ code: moved.code, sent }).toEqual({ code: 1, sent: [] });
      expect(moved.stderr).toContain('[other-service]');
    },
  );

  test('the refusal says which is which, where it stands, and the way on', async () => {
    await configure(evil);
    const { stderr } = await run(['plan'], fromYaml);
    expectWords(stderr, '[other-service]', 'main.yaml line 2, column 21');
    expect(stderr).toContain(own);
    expect(stderr).toContain(evil);
    expect(stderr).toContain('--allow-other-service');
  });

  test('the variable of the environment overrides the configuration, not the state', async () => {
    await configure(evil);
    expect(await run(['plan'], { HOSTWRIGHT_BASE_URL: own })).toMatchObject({ code: 0 });
    expect(new Set(sent.map(({ origin }) => origin))).toEqual(new Set(['https://sandbox']));
    sent = [];
    await configure(own);
    const { code, stderr } = await run(['plan'], { HOSTWRIGHT_BASE_URL: evil });
    expect({ code, sent }).toEqual({ code: 1, sent: [] });
    expect(stderr).toContain('[other-service]');
  });

  test('a state that a stranger has bound elsewhere is refused as well', async () => {
    const store = await openStateStore(openLocalBackend(world.directory));
    await store.record({ kind: 'begin', runId: 'r', version: '0', service: evil, at: 1 });
    await store.compact();
    await store.close();
    const { code, stderr } = await run(['plan']);
    expect({ code, sent }).toEqual({ code: 1, sent: [] });
    expect(stderr).toContain('[other-service]');
  });

  test('whoever runs it may let it pass, and the next write binds the state anew', async () => {
    const elsewhere = { HOSTWRIGHT_BASE_URL: 'https://moved.test/v1' };
    const planned = await run(['plan', '--allow-other-service'], elsewhere);
    expect(planned).toMatchObject({ code: 0 });
    expect(planned.stderr).toContain('[other-service]');
    const allowed = { ...elsewhere, HOSTWRIGHT_ALLOW_OTHER_SERVICE: '1' };
    expect(await run(['apply', '--auto-approve'], allowed)).toMatchObject({ code: 0 });
    expect(await run(['plan'], elsewhere)).toMatchObject({ code: 0 });
    expect((await run(['plan'])).stderr).toContain('[other-service]');
  });

  test.each(['import', 'apply'])('a state without an address gets it with %s', async (name) => {
    const path = join(world.directory, '.hostwright/state.json');
    const document = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    await writeFile(path, JSON.stringify({ ...document, service: null }));
    const argv =
      name === 'apply'
        ? ['apply', '--auto-approve', '--adopt']
        : ['import', 'projects.shop.vms.web[0]', world.vmIds[0] ?? ''];
    if (name === 'import') await run(['state', 'rm', 'projects.shop.vms.web[0]']);
    expect(await run(argv)).toMatchObject({ code: 0 });
    sent = [];
    expect(await run(['plan'], { HOSTWRIGHT_BASE_URL: evil })).toMatchObject({ code: 1 });
    expect(sent).toEqual([]);
  });

  test.each(['https://SANDBOX/v1', 'https://sandbox:443/v1/', 'https://sandbox/v1//'])(
    '%s is the same address',
    async (baseUrl) => {
      await configure(baseUrl);
      expect(await run(['plan', confirmed], fromYaml)).toMatchObject({ code: 0 });
      expect(await run(['plan'], fromYaml)).toMatchObject({ code: 0 });
    },
  );

  test('the token crosses no network unencrypted unless it is allowed', async () => {
    const plain = { HOSTWRIGHT_BASE_URL: 'http://sandbox/v1' };
    const allowOther = '--allow-other-service';
    const refused = await run(['plan', allowOther], plain);
    expect({ code: refused.code, sent }).toEqual({ code: 1, sent: [] });
    expectWords(refused.stderr, '[plain-http]', '--allow-plain-http');
    for (const baseUrl of ['http://127.0.0.1.evil.test/v1', 'http://localhost.evil.test/v1']) {
      const near = await run(['doctor', allowOther], { HOSTWRIGHT_BASE_URL: baseUrl });
      expect({ code: near.code, sent }).toEqual({ code: 1, sent: [] });
    }
    expect(await run(['plan', allowOther, '--allow-plain-http'], plain)).toMatchObject({ code: 0 });
    const allowed = { ...plain, HOSTWRIGHT_ALLOW_PLAIN_HTTP: '1' };
    expect(await run(['plan', allowOther], allowed)).toMatchObject({ code: 0 });
    for (const host of ['localhost:1234', '127.0.0.1', '[::1]:80']) {
      const near = { HOSTWRIGHT_BASE_URL: `http://${host}/v1` };
      expect(await run(['plan', allowOther], near)).toMatchObject({ code: 0 });
    }
  });

  test('no redirect is followed', async () => {
    const { code } = await world.run(['plan'], {
      meddle: (request) => {
        sent.push({ origin: new URL(request.url).origin, authorization: null });
        expect(request.redirect).toBe('manual');
        const headers = { location: `${evil}/projects` };
        return Promise.resolve(new Response(null, { status: 302, headers }));
      },
    });
    expect(code).toBe(1);
    expect(new Set(sent.map(({ origin }) => origin))).toEqual(new Set(['https://sandbox']));
  });
});
