// What stops a command is told to programs in one shape, whatever the command: one document on standard output, or findings, a
// comment or a page where that was asked for; and to people on standard error.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInProcess } from './run-in-process.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-shapes-'));
  await writeFile(
    join(directory, 'main.yaml'),
    'version: 1\nservice: { sandbox: {} }\nprojects: 7\n',
  );
  await writeFile(join(directory, 'torn'), 'half of a plan');
});
afterAll(() => rm(directory, { recursive: true }));

const hostwright = (...args: string[]) => runInProcess(args, { cwd: directory });

test.each([
  [['plan', '--format', 'json']],
  [['plan', '--format=json']],
  [['plan', 'nowhere', '--format', 'json']],
  [['plan', '--format', 'json', '--no-such-flag']],
  [['show', 'nowhere', '--format', 'json']],
  [['show', 'nowhere', '--json']],
  [['show', 'torn', '--json']],
  [['show', '--json', '--compare', 'torn']],
  [['show', 'torn', '--json', '--compare', 'torn']],
  [['output', '--json', '/nope']],
  [['output', '--json', '--raw']],
  [['test', '--json', 'nofile']],
  [['test', '--format', 'json', 'nofile']],
  [['test', '--json']],
  [['state', 'show', '--json', 'projects.shop']],
  [['state', 'history', '--json', '--chdir', 'nowhere']],
  [['vm', 'backups', 'projects.shop.vms.web', '--json']],
  [['limits', '--json']],
  [['contract', 'show', '--json']],
  [['operations', '--json']],
])('%j', async (args) => {
  const { code, stdout, stderr } = await hostwright(...args);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    format_version: '1.0',
    outcome: 'failed',
    diagnostics: expect.arrayContaining([
      expect.objectContaining({ severity: 'error', code: expect.any(String) as string }),
    ]) as unknown[],
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
  for (const one of diagnostics) expect(stderr).toContain(`[${one.code}]`);
});

test.each([['plan'], ['show', 'nowhere'], ['show', 'torn']])(
  '%j %s is a page, a comment and findings too',
  async (...args) => {
    const page = await hostwright(...args, '--format', 'html');
    expect(page.code).toBe(1);
    expect(page.stdout).toMatch(/^<!doctype html>/);
    expect(page.stdout).toMatch(/<title>Plan for .*could not be made<\/title>/);
    const codes = [...page.stderr.matchAll(/\[([a-z-]+)\]/g)].map(([, code]) => code!);
    expect(codes).not.toEqual([]);
    for (const code of codes) expect(page.stdout).toContain(`[${code}]`);
    const comment = await hostwright(...args, '--format', 'markdown');
    for (const code of codes) expect(comment.stdout).toContain(code);
    const findings = await hostwright(...args, '--format', 'junit');
    for (const code of codes) expect(findings.stdout).toContain(code);
  },
);

test('a plain failure writes nothing to standard output', async () => {
  for (const args of [['plan'], ['show', 'nowhere'], ['output', 'nope'], ['test', 'nofile']]) {
    expect(await hostwright(...args)).toMatchObject({ code: 1, stdout: '' });
  }
});
