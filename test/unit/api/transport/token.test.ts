import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveToken } from '../../../../src/api/transport/token.ts';
import { DiagnosticError } from '../../../../src/model/errors.ts';
import { failureOf } from '../fake-service.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostwright-token-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(text: string): Promise<string> {
  const path = join(folder, 'token');
  await writeFile(path, text);
  return path;
}

const tokenOf = (env: Record<string, string>) =>
  resolveToken({ env, execute: () => Promise.reject(new Error('no command was given')) });

test.each(['tok_1', ' tok_1\n', 'Bearer tok_1', 'bearer  tok_1 '])(
  '%j is the token, from the variable and from a file',
  async (text) => {
    expect(await tokenOf({ HOSTWRIGHT_TOKEN: text })).toBe('tok_1');
    expect(await tokenOf({ HOSTWRIGHT_TOKEN_FILE: await fileOf(text) })).toBe('tok_1');
  },
);

test('the variable comes before the file, an empty one does not count', async () => {
  const file = await fileOf('from-file');
  const variables = { HOSTWRIGHT_TOKEN: 'direct', HOSTWRIGHT_TOKEN_FILE: file };
  expect(await tokenOf(variables)).toBe('direct');
  expect(await tokenOf({ ...variables, HOSTWRIGHT_TOKEN: ' ' })).toBe('from-file');
});

test.each<[string, Record<string, string>, string, RegExp]>([
  ['nothing', {}, 'token-missing', /Set HOSTWRIGHT_TOKEN .* or HOSTWRIGHT_TOKEN_FILE/],
  ['an empty variable', { HOSTWRIGHT_TOKEN: '' }, 'token-missing', /is set but empty/],
  ['a bare prefix', { HOSTWRIGHT_TOKEN: 'Bearer ' }, 'token-missing', /no access token in/],
  ['two lines', { HOSTWRIGHT_TOKEN: 'sesame\nopen' }, 'token-malformed', /line breaks/],
  ['two words', { HOSTWRIGHT_TOKEN: 'sesame open' }, 'token-malformed', /white space/],
  ['a dash of Word', { HOSTWRIGHT_TOKEN: 'sesame–open' }, 'token-malformed', /beyond ASCII/],
  ['no such file', { HOSTWRIGHT_TOKEN_FILE: '/nowhere/t' }, 'token-file-unreadable', /ENOENT/],
])('%s is refused', async (_, env, code, text) => {
  const error = await failureOf(tokenOf(env));
  const [diagnostic] = error instanceof DiagnosticError ? error.diagnostics : [];
  expect(diagnostic?.code).toBe(code);
  expect(JSON.stringify(diagnostic)).toMatch(text);
  expect(JSON.stringify(diagnostic)).not.toContain('sesame');
});

test('a command comes before everything else, and what it prints is the token', async () => {
  const given = { env: { HOSTWRIGHT_TOKEN: 'direct' }, tokenCommand: 'pass show hosting' };
  const execute = (command: string) => Promise.resolve(`Bearer ${command.split(' ').join('-')}\n`);
  expect(await resolveToken({ ...given, execute })).toBe('pass-show-hosting');
});

test('a command that fails is told as that, without what the environment has', async () => {
  const error = await failureOf(
    resolveToken({
      env: { HOSTWRIGHT_TOKEN: 'direct' },
      tokenCommand: 'pass show hosting',
      execute: () => Promise.reject(new Error('It ended with exit code 1')),
    }),
  );
  const [diagnostic] = error instanceof DiagnosticError ? error.diagnostics : [];
  expect(diagnostic).toMatchObject({
    code: 'token-command-failed',
    detail: 'It ended with exit code 1.',
  });
});
