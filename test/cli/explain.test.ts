import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runInProcess } from './run-in-process.ts';

const quickstart = resolve(import.meta.dirname, '../../examples/quickstart');
let cwd: string;
const explain = (...args: string[]) => runInProcess(['plan', '--explain', ...args], { cwd });

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'hostwright-explain-'));
  await cp(quickstart, cwd, { recursive: true, filter: (path) => !path.includes('.hostwright') });
});
afterAll(() => rm(cwd, { recursive: true }));

it('shows one resource in place of the plan, with the lines that its values come from', async () => {
  const { code, stdout } = await explain('projects.demo.vms.web[0]');
  expect(code).toBe(0);
  expect(stdout).toContain('# projects.demo.vms.web[0] will be created');
  expect(stdout).toMatch(/image = "[^"]+" {2}# main\.yaml:\d+:\d+/);
  expect(stdout).not.toContain('Plan:');
});

it('prints JSON for programs', async () => {
  const { stdout } = await explain('projects.demo.vms.web[0]', '--format', 'json');
  expect(JSON.parse(stdout)).toMatchObject({
    applyable: true,
    explanations: [{ address: 'projects.demo.vms.web[0]', action: 'create' }],
  });
});

it.each([
  ['an address of several resources', ['projects.demo.vms.web'], 'several-resources'],
  ['an address of nothing', ['projects.demo.vms.wob[0]'], 'unknown-address'],
  ['a format without explanations', ['projects.demo', '--format', 'html'], 'explain-format'],
])('refuses %s', async (_what, args, expected) => {
  const { code, stdout, stderr } = await explain(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(expected);
});
