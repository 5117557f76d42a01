import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { copyExample } from './program.ts';
import { runInProcess as run } from './run-in-process.ts';
import { expectOutput } from '../support/expect-words.ts';

let quickstart: Awaited<ReturnType<typeof copyExample>>;
const plan = (args: readonly string[], env: Record<string, string> = {}) =>
  run(['plan', ...args], { cwd: quickstart.path, env });

beforeAll(async () => {
  quickstart = await copyExample('quickstart');
});
afterAll(() => quickstart.remove());

test('--compact-warnings shows warnings in a line each, and errors in full', async () => {
  const part = ['--compact-warnings', '--target', 'projects.demo.networks.backend'];
  const compact = await plan(part);
  expectOutput(
    compact,
    '\nWarnings:\n\n- This plan covers only part of the configuration [partial-plan]\n',
  );
  expect(compact.stdout).not.toContain('It was limited with');
  const refused = await plan([...part, '--target', 'projects.demo.networks.backand']);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('Did you mean projects.demo.networks.backend?');
  expect(refused.stdout).toContain('It was limited with');
});

test('equal changes are one, and --verbose shows each', async () => {
  const larger = await copyExample('quickstart');
  const many = larger.path;
  const file = join(many, 'main.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace('count: 2', 'count: 12'));
  onTestFinished(() => larger.remove());
  const shown = async (...args: readonly string[]) =>
    (await run(['plan', ...args], { cwd: many })).stdout.match(/^ {2}# .*web\[.*/gm);
  expect(await shown()).toEqual(['  # projects.demo.vms.web[0..11] will be created (12 VMs)']);
  expect(await shown('--verbose')).toHaveLength(12);
  await run(['plan', '--out', 'saved'], { cwd: many });
  const saved = async (...args: readonly string[]) =>
    (await run(['show', 'saved', ...args], { cwd: many })).stdout.match(/ will be created/g);
  expect((await saved('--verbose'))?.length).toBe(((await saved())?.length ?? 0) + 11);
});

test('HOSTWRIGHT_LOG tells of every request on standard error', async () => {
  const logged = await plan([], { HOSTWRIGHT_LOG: 'debug' });
  expect(logged.stderr).toMatch(/^\S+Z \[DEBUG\] GET \/v1\/projects\S*: 200, \d+ ms$/m);
  expect((await plan([])).stderr).toBe('');
});

test('--target and --exclude take a module: what is in it is meant', async () => {
  const example = await copyExample('quickstart');
  const cwd = example.path;
  const modules =
    'modules:\n  part: { source: ./part, forEach: [eu, us], variables: { region: "${each.key}" } }\n';
  const file = join(cwd, 'main.yaml');
  await writeFile(file, (await readFile(file, 'utf8')) + modules);
  await mkdir(join(cwd, 'part'));
  const part =
    'variables: { region: { type: string } }\nprojects: { p: { name: "p-${var.region}", networks: { n: } } }\n';
  await writeFile(join(cwd, 'part', 'main.yaml'), part);
  onTestFinished(() => example.remove());
  const shown = async (...args: readonly string[]) =>
    (await run(['plan', ...args], { cwd })).stdout.match(/(?<=^ {2}# )\S+(?= will be)/gm);
  expect(await shown('--target', 'modules.part["us"]')).toEqual([
    'modules.part["us"].projects.p',
    'modules.part["us"].projects.p.networks.n',
  ]);
  const others = await shown('--exclude', 'modules.part');
  expect(others).toContain('projects.demo');
  expect(others?.join()).not.toContain('modules.');
});

test('--oneline shows a line a resource, of a plan, a saved one and the state', async () => {
  const own = await copyExample('quickstart');
  const inIt = (...args: readonly string[]) => run(args, { cwd: own.path });
  onTestFinished(() => own.remove());
  const planned = await inIt('plan', '--oneline', '--out', 'saved');
  expect(planned.stdout).toMatch(/^\+ projects\.demo {2}name: "demo"\n/);
  expect(planned.stdout).toContain('\n\nPlan: 7 to add, 0 to change, 0 to destroy.\n');
  expect(planned.stdout).toContain('hostwright apply "saved"');
  const saved = await inIt('show', '--oneline', 'saved');
  expect(planned.stdout.startsWith(saved.stdout)).toBe(true);
  expect((await inIt('plan', '-oneline')).stdout).toBe(saved.stdout);
  await inIt('apply', 'saved');
  const lines = (await inIt('show', '--oneline')).stdout.split('\n');
  expect(lines).toHaveLength(8);
  expect(lines[0]).toMatch(/^projects\.demo {2}prj-\w+$/);
  const refused = await inIt('plan', '--oneline', '--format', 'json');
  expect(refused.stderr).toContain('--oneline cannot be used with --format');
});
