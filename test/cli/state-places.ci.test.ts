// A state in a bucket, on a server of Terraform's protocol and on a branch: two folders share it, and nothing of it is on
// either disk.
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { drawSome } from '../support/budget/budget.ts';
import { openDemo, type Demo } from './demo.ts';
import { run, start, type Ended } from './program.ts';
import {
  describeRun,
  openBranch,
  openBucket,
  openGitlab,
  passphrase,
  password,
  type OpenPlace,
  type Place,
} from './state-arena.ts';

const vms = 3;

let demo: Demo;
/** The folder of the second person. */
let other: string;
let closers: (() => Promise<void>)[];

beforeEach(async () => {
  demo = await openDemo(vms);
  other = await mkdtemp(join(tmpdir(), 'hostwright-other-'));
  await cp(demo.directory, other, { recursive: true });
  closers = [];
});
afterEach(async () => {
  await demo.close();
  for (const close of closers) await close();
  await rm(other, { recursive: true });
});

/** The environment of a run with its state there. */
async function useState(open: OpenPlace) {
  const place = await open({ folders: [demo.directory, other] });
  closers.push(() => place.close());
  return { ...place, env: { ...demo.env, ...describeRun(place) } };
}

type Used = Awaited<ReturnType<typeof useState>>;

function expectGood({ code, stderr }: Ended): void {
  expect(stderr).not.toContain('Error:');
  expect(code).toBe(0);
}

const applyAs = ({ env }: Pick<Used, 'env'>, cwd: string, ...flags: readonly string[]) =>
  start(['apply', '--auto-approve', ...flags], { cwd, env });

async function expectOnce({ env }: Pick<Used, 'env'>): Promise<void> {
  expect(await demo.listVms()).toHaveLength(vms);
  for (const cwd of [demo.directory, other]) {
    expectGood(await run(['plan', '--detailed-exitcode'], { cwd, env }));
  }
}

const places = [
  ['a bucket', openBucket],
  ['a server of the http protocol', openGitlab],
  ['a branch', openBranch],
] as const;
describe.each(drawSome(places, { short: 1, ci: 1 }, 'places'))('a state in %s', (_name, open) => {
  test('is one for two folders: killed in one, continued in the other, and left on no disk', async () => {
    const used = await useState(open);
    const first = applyAs(used, demo.directory);
    await demo.hasTaken(2);
    first.child.kill('SIGKILL');
    await first.ended;
    demo.release();
    expectGood(await applyAs(used, other, '--lock-timeout', '30m').ended);
    await expectOnce(used);
    const { code, stdout } = await run(['doctor'], { cwd: demo.directory, env: used.env });
    expect(stdout).toMatch(/ok +backend/);
    expect(stdout).not.toContain('failure');
    expect(code).toBe(0);
    for (const secret of [passphrase, password]) expect(stdout).not.toContain(secret);
    const left = await readdir(join(other, '.hostwright'));
    const notOfTheState = ['last-run.json', 'state-hosts.json'];
    expect(left.filter((name) => !notOfTheState.includes(name))).toEqual([]);
  });
});

test('a state moves from place to place, with its history where that is kept', async () => {
  demo.release();
  const local = { ...demo.env, HOSTWRIGHT_STATE_PASSPHRASE: passphrase };
  expectGood(await applyAs({ env: local }, demo.directory).ended);
  let env: Record<string, string> = local;
  for (const open of [openBranch, openBucket, openGitlab]) {
    const next = await useState(open);
    const file = join(other, 'place.txt');
    await writeFile(file, next.env.HOSTWRIGHT_STATE ?? '');
    const cwd = demo.directory;
    const former = { ...next.env, HOSTWRIGHT_STATE: '', ...env };
    expectGood(await run(['state', 'migrate', '--to', file], { cwd, env: former }));
    expect((await run(['state', 'list'], { cwd, env: former })).stderr).toContain('[state-moved]');
    env = { ...env, ...next.env };
    expectGood(await run(['plan', '--detailed-exitcode'], { cwd, env }));
    const history = await run(['state', 'history', '--json'], { cwd, env });
    if (next.keepsNoHistory) expect(history.stderr).toContain('[no-history]');
    else expect(history.stdout).toContain('"operation": "apply"');
  }
  const cwd = demo.directory;
  const refused = await run(['state', 'rollback', '1'], { cwd, env, input: 'yes\n' });
  expect(refused.stderr).toContain('[no-history]');
  expect(refused.stdout + refused.stderr).not.toContain('Do you want');
});

test('the configuration alone sends no credentials to a host that they did not go to before', async () => {
  demo.release();
  const [one, two] = [await useState(openBucket), await useState(openBucket)];
  const writeState = ({ settings }: Place) =>
    writeFile(join(demo.directory, 'state.yaml'), `version: 1\nstate: { ${settings} }\n`);
  const { HOSTWRIGHT_STATE: given = '', ...env } = two.env;
  await writeState(one);
  const cwd = demo.directory;
  expectGood(await run(['plan'], { cwd, env }));
  await writeState(two);
  expect((await run(['plan'], { cwd, env })).stderr).toContain('[other-state-host]');
  // What whoever runs it says is no stranger's.
  expectGood(await run(['plan'], { cwd, env: { ...env, HOSTWRIGHT_STATE: given } }));
  await writeState(await useState(openBucket));
  expectGood(await run(['plan', '--allow-other-state'], { cwd, env }));
  expectGood(await run(['plan'], { cwd, env }));
});

test('a bucket whose server ignores conditions is refused before anything is written', async () => {
  demo.release();
  const used = await useState(() => openBucket({ folders: [] }, { ignoresConditions: true }));
  const refused = await applyAs(used, demo.directory).ended;
  expect(refused.code).toBe(1);
  expect(refused.stderr.replaceAll(/\s+│?\s*/g, ' ')).toContain(
    'the server does not keep to conditions',
  );
});
