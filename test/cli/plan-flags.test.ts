import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyExample, run } from './program.ts';

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
  expect(compact.code).toBe(0);
  expect(compact.stdout).toContain(
    '\nWarnings:\n\n- This plan is of a part of the configuration only [partial-plan]\n',
  );
  expect(compact.stdout).not.toContain('It was asked for with');
  const refused = await plan([...part, '--target', 'projects.demo.networks.backand']);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('Did you mean projects.demo.networks.backend?');
  expect(refused.stdout).toContain('It was asked for with');
});

test('HOSTWRIGHT_LOG tells of every request on standard error', async () => {
  const logged = await plan([], { HOSTWRIGHT_LOG: 'debug' });
  expect(logged.stderr).toMatch(/^\S+Z \[DEBUG\] GET \/v1\/projects\S*: 200, \d+ ms$/m);
  expect((await plan([])).stderr).toBe('');
});
