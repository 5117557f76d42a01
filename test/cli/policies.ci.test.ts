// Policies of a directory that whoever runs the command gives: the ten of the examples, and what such a directory may not be.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runInProcess, serve, type ServedSandbox } from './run-in-process.ts';
import { expectFailure, expectWords } from '../support/expect-words.ts';
import { hurriedClock } from './hurried-clock.ts';

const examples = resolve(import.meta.dirname, '../../examples/policies');

let sandbox: ServedSandbox;
let cwd: string;
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runInProcess(args, { cwd, env: { ...sandbox.env, ...env } });
const given = ['--policies', examples];

/** The policies that a plan does not meet, sorted. */
async function listBroken(args = given, env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr } = await run(['plan', '--format', 'markdown', ...args], env);
  const found = [...`${stdout}${stderr}`.matchAll(/Policy (\w+):/g)].map(([, name]) => name);
  return [...new Set(found)].toSorted();
}

const write = (vms: string, more = '', name = 'shop', image = 'ubuntu-24.04') =>
  writeFile(
    join(cwd, 'main.yaml'),
    `version: 1\nprojects:\n  ${name}:\n${more}    vms:\n      web: { image: ${image}, ${vms} }\n`,
  );
const small = 'configuration: c1-r1-d20, tariff: monthly';
const edge = (port: number) =>
  `    publicIps: { edge: { forwards: { a: { protocol: tcp, publicPort: ${port}, vm: web, vmPort: 8443 } } } }\n`;

beforeAll(async () => {
  sandbox = await serve('--speed', '1000');
  cwd = await mkdtemp(join(tmpdir(), 'hostwright-policies-'));
});
afterAll(async () => {
  await sandbox.stop();
  await rm(cwd, { recursive: true });
});

test('the page of the examples lists what its files have', async () => {
  const page = await readFile(join(examples, 'README.md'), 'utf8');
  const files = ['losses', 'money', 'names', 'network'].map((name) =>
    readFile(join(examples, `${name}.yaml`), 'utf8'),
  );
  const names = (await Promise.all(files)).flatMap((text) =>
    Object.keys((parse(text) as { policies: object }).policies),
  );
  expect(names).toHaveLength(10);
  expect([...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name).toSorted()).toEqual(
    names.toSorted(),
  );
});

test('what is created is judged: names, sizes, costs, tariffs, open SSH and keys without an end', async () => {
  await write(small, edge(443));
  expect(await listBroken()).toEqual([]);
  await write('name: Web_1, configuration: c8-r32-d320, tariff: hourly', edge(22));
  await writeFile(
    join(cwd, 'tokens.yaml'),
    'tokens:\n  ci: { scopes: [read], writeTo: { file: ci.token } }\n',
  );
  expect(await listBroken()).toEqual([
    ...['noPublicSsh', 'paidMonthly', 'plainNames', 'smallVms', 'tokensEnd'],
  ]);
  await writeFile(
    join(cwd, 'tokens.yaml'),
    'tokens:\n  ci: { scopes: [read], expiresIn: 90d, writeTo: { file: ci.token } }\n',
  );
  await write(`count: 30, ${small}`);
  expect(await listBroken()).toEqual(['costStep']);
  await rm(join(cwd, 'tokens.yaml'));
});

test('so is what is lost: disks, addresses, projects, and time out of service', async () => {
  await write(small, edge(443));
  expect((await run(['apply', '--auto-approve', ...given])).code).toBe(0);
  await write(small, edge(443), 'shop', 'debian-12');
  expect(await listBroken()).toEqual(['lossesNeedTwo']);
  await write(small);
  expect(await listBroken()).toEqual(['keepAddresses']);
  await writeFile(join(cwd, 'main.yaml'), 'version: 1\nprojects: {}\n');
  expect(await listBroken()).toEqual([
    ...['keepAddresses', 'keepProjects', 'lossesNeedTwo', 'shortOutages'],
  ]);
  const destroyed = await run(['destroy', '--auto-approve', ...given]);
  expect([destroyed.code, destroyed.stdout + destroyed.stderr]).toEqual([
    1,
    expect.stringContaining('Policy keepProjects'),
  ]);
});

test('the variable counts beside the flag, and nothing takes a policy back', async () => {
  await mkdir(join(cwd, 'own'), { recursive: true });
  await writeFile(
    join(cwd, 'own', 'a.yaml'),
    'policies:\n  never: { for: vms, assert: "false", message: no }\n',
  );
  await write(`${small.replace('monthly', 'hourly')}, name: other`, '', 'other');
  const env = { HOSTWRIGHT_POLICIES: examples };
  expect(await listBroken([], env)).toContain('paidMonthly');
  expect(await listBroken(['--policies', 'own'], env)).toEqual(
    expect.arrayContaining(['never', 'paidMonthly']),
  );
  // One of the configuration by the same name is an error, and does not take its place.
  await writeFile(
    join(cwd, 'same.yaml'),
    'policies:\n  paidMonthly: { for: vms, assert: "true", message: yes }\n',
  );
  const twice = await run(['plan', ...given]);
  expectFailure(twice, 'is given twice', '[given-twice]');
  await rm(join(cwd, 'same.yaml'));
});

test('tests of a configuration are run with them', async () => {
  await writeFile(
    join(cwd, 'a.test.yaml'),
    'version: 1\ntests:\n  plans: { steps: [{ plan: {}, expectFailures: [policy-violated] }] }\n',
  );
  await write('configuration: c8-r32-d320, tariff: monthly');
  const [held, free] = [await run(['test', ...given]), await run(['test'])];
  expect([held.code, free.code]).toEqual([0, 1]);
  await rm(join(cwd, 'a.test.yaml'));
});

test('one that asks for approvals warns on the command line, and stops what nobody could approve on a server', async () => {
  await rm(join(cwd, 'own'), { recursive: true });
  await mkdir(join(cwd, 'own'));
  const ask = (more = '') =>
    writeFile(
      join(cwd, 'own', 'a.yaml'),
      `policies:\n  two:\n    for: vms\n    assert: action != "delete"\n    message: gone\n    approve: 2\n${more}`,
    );
  await ask();
  const own = ['--policies', 'own'];
  await write(small);
  expect((await run(['apply', '--auto-approve', ...own])).code).toBe(0);
  const planned = await run(['plan', '--destroy', '--format', 'json', ...own]);
  const { hostwright } = JSON.parse(planned.stdout) as { hostwright: { findings: object[] } };
  expect(hostwright.findings).toContainEqual(
    expect.objectContaining({
      ...{ severity: 'warning', code: 'policy-violated' },
      approvals: { needed: 2, policy: 'two' },
      detail: expect.stringContaining('The policy asks for 2 approvals: a server waits') as string,
    }),
  );
  const destroy = ['destroy', '--auto-approve', ...own];
  const serverRun = { id: 'r', attempt: 1 };
  const refused = await runInProcess(destroy, { cwd, env: sandbox.env, serverRun });
  expectFailure(refused, 'The policy two asks for 2 approvals', '[approvals-missing]');
  const done = await run(destroy);
  expect([done.code, done.stdout + done.stderr]).toEqual([
    0,
    expect.stringContaining('Policy two: gone'),
  ]);
  await ask('    severity: warn\n');
  const twice = await run(['plan', ...own]);
  expectFailure(twice, 'on own/a.yaml line 6, column 14', '`approve`, and `severity` besides');
});

const exemption = (more = '', day = '2999-12-31') =>
  `version: 1\nexemptions:\n  old:\n    policy: paidMonthly\n    addresses: [projects.shop.vms.web]\n    reason: Until the contract ends\n    until: ${day}\n${more}`;

test('an exemption beside the policies lets one resource pass for a while, and says so', async () => {
  await mkdir(join(cwd, 'exempt'), { recursive: true });
  const put = (text: string) => writeFile(join(cwd, 'exempt', 'a.yaml'), text);
  await put(exemption());
  await write('configuration: c1-r1-d20, tariff: hourly');
  const args = ['plan', ...given, '--policies', 'exempt'];
  const passed = await run(args);
  expect(passed.code).toBe(0);
  expect(passed.stdout).toContain('(exempted until 2999-12-31)');
  expect(passed.stdout).toContain('The exemption old holds for it: Until the contract ends');
  await put(exemption('', '2001-01-01'));
  expect((await run(args)).stdout).toContain('The exemption old ended with 2001-01-01.');
  // A saved plan is bound to the policies and the exemptions that it was made with, also where it is sealed.
  for (const env of [{}, { HOSTWRIGHT_PLAN_KEY: 'k'.repeat(40) }]) {
    await put(exemption());
    expect((await run([...args, '--out', 'exempt.plan'], env)).code).toBe(0);
    await put(exemption('', '2001-01-01'));
    const stale = await run(['apply', 'exempt.plan', ...given, '--policies', 'exempt'], env);
    expectFailure(stale, '[stale-plan]', 'policies');
    await rm(join(cwd, 'exempt.plan'));
  }
});

test.each([
  [
    'of no address',
    exemption().replace('projects.shop.vms.web', 'shop/web'),
    ['`shop/web` is not the address of a resource or a module'],
    'invalid-address',
  ],
  [
    'until a day that no calendar has',
    exemption('', '2027-02-30'),
    ['`2027-02-30` is no day of the calendar', 'on exempt/a.yaml line 7'],
    'out-of-range',
  ],
  [
    'beside another that is wrong, too,',
    `${exemption('', '2027-02-30')}  more:\n    policy: nope\n    addresses: [projects]\n    reason: r\n    until: 2027-01-01\n`,
    ['no day of the calendar', '`projects` is not the address'],
    'invalid-address',
  ],
  ['without a reason', exemption().replace(/ +reason.*\n/, ''), ['`reason`'], 'missing-key'],
])('an exemption %s is refused with its place', async (_what, text, words, code) => {
  await mkdir(join(cwd, 'exempt'), { recursive: true });
  await writeFile(join(cwd, 'exempt', 'a.yaml'), text);
  await write(small);
  const ended = await run(['plan', ...given, '--policies', 'exempt']);
  expectFailure(ended, ...words, `[${code}]`);
});

test('an exemption of a policy that there is not exempts nothing, and is no reason to fail', async () => {
  await mkdir(join(cwd, 'exempt'), { recursive: true });
  await writeFile(join(cwd, 'exempt', 'a.yaml'), exemption().replace('paidMonthly', 'paidMonthy'));
  await write('configuration: c1-r1-d20, tariff: hourly');
  const { code, stdout, stderr } = await run(['plan', ...given, '--policies', 'exempt']);
  expect([code, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('Policy paidMonthly:')]);
  expectWords(
    `${stdout}${stderr}`,
    '`paidMonthy`',
    'Did you mean `paidMonthly`?',
    '[unknown-policy]',
  );
});

test('a sealed plan is met with no other variables, and until the end of its exemptions alone', async () => {
  await mkdir(join(cwd, 'exempt'), { recursive: true });
  // The day of the programs, whose time runs ahead of that of this process.
  const today = new Date(hurriedClock.now()).toISOString().slice(0, 10);
  await writeFile(
    join(cwd, 'exempt', 'a.yaml'),
    exemption(
      '  long: { policy: paidMonthly, addresses: [projects.other], reason: r, until: "2000-01-01" }\npolicies:\n  most: { for: vms, assert: after.ram <= var.most }\n',
      today,
    ),
  );
  await write('configuration: c1-r1-d20, tariff: hourly');
  await writeFile(join(cwd, 'vars.yaml'), 'variables: { most: { type: number } }\n');
  const env = { HOSTWRIGHT_PLAN_KEY: 'k'.repeat(40) };
  const planned = [
    'plan',
    ...given,
    '--policies',
    'exempt',
    '--var',
    'most=4',
    '--out',
    'late.plan',
  ];
  expect((await run(planned, env)).code).toBe(0);
  const apply = ['apply', 'late.plan', ...given, '--policies', 'exempt'];
  const clock = { ...hurriedClock, now: () => hurriedClock.now() + 2 * 86_400_000 };
  const late = await runInProcess(apply, { cwd, env: { ...sandbox.env, ...env }, clock });
  expectFailure(late, `The exemption old ended with ${today}`, '[stale-plan]');
  expect((await run(apply, env)).code).toBe(0);
  expect((await run(['destroy', '--auto-approve', '--var', 'most=4'])).code).toBe(0);
  await rm(join(cwd, 'vars.yaml'));
  await rm(join(cwd, 'late.plan'));
});

test.each([
  ['', 'self.yaml'],
  ['modules:\n  m: { source: ./mod }\n', 'mod/self.yaml'],
])('a configuration exempts itself from nothing: %j', async (more, file) => {
  await write(small);
  await mkdir(join(cwd, 'mod'), { recursive: true });
  if (more !== '') await writeFile(join(cwd, 'use.yaml'), more);
  await writeFile(join(cwd, file), exemption());
  expectFailure(
    await run(['plan', ...given]),
    '`exemptions` is not allowed in a configuration',
    '[not-in-configuration]',
  );
  await rm(join(cwd, 'use.yaml'), { force: true });
  await rm(join(cwd, 'mod'), { recursive: true });
  await rm(join(cwd, 'self.yaml'), { force: true });
});

test.each([
  ['a directory that is none', 'none', 'is no directory', 'invalid-argument'],
  ['one without policies', 'empty', 'There are no policies in empty', 'no-policies'],
  ['one with more', 'more', '`projects` is not allowed', 'not-in-policies'],
])('%s is refused', async (_what, directory, words, code) => {
  await mkdir(join(cwd, 'empty'), { recursive: true });
  await writeFile(join(cwd, 'empty', 'a.yaml'), 'version: 1\n');
  await mkdir(join(cwd, 'more'), { recursive: true });
  await writeFile(
    join(cwd, 'more', 'a.yaml'),
    'policies:\n  a: { for: vms, assert: "true" }\nprojects: { x: {} }\n',
  );
  expectFailure(await run(['plan', '--policies', directory]), words, `[${code}]`);
});
