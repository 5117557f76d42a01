import { readFile, stat } from 'node:fs/promises';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';

const tokenVariable = 'HOSTWRIGHT_TOKEN';
const fileVariable = 'HOSTWRIGHT_TOKEN_FILE';

/**
 * The access token, without `Bearer `: from `--token-command`, or else from `HOSTWRIGHT_TOKEN`, or from the file that `HOSTWRIGHT_TOKEN_FILE` names.
 * @throws DiagnosticError `token-missing`, `token-command-failed`, `token-file-unreadable` or `token-malformed`; none of them shows the token.
 */
export async function resolveToken({
  env,
  tokenCommand,
  execute,
}: Pick<Runtime, 'env' | 'tokenCommand' | 'execute'>): Promise<string> {
  if (tokenCommand !== undefined) {
    return cleanToken(
      await runTokenCommand(tokenCommand, execute),
      'the answer of --token-command',
    );
  }
  const value = env[tokenVariable];
  if (value !== undefined && value.trim() !== '') return cleanToken(value, tokenVariable);
  const path = env[fileVariable];
  if (path !== undefined && path !== '') {
    return cleanToken(await readTokenFile(path), `the file ${path}`);
  }
  throw problem({
    code: 'token-missing',
    summary: 'No access token is set',
    detail: value === undefined ? undefined : `${tokenVariable} is set but empty.`,
    hint:
      `Set ${tokenVariable} to an access token of your account, or ${fileVariable} to the path of a file that holds ` +
      'one. The first token is issued in your account of the hosting service.',
  });
}

/** Largest token file that is read, in bytes: a larger one is certainly not a token. */
const maxFileSize = 65_536;

/**
 * Lists the access tokens, and the passphrases and credentials of the state, in the environment, so that no message shows them.
 * It never fails and runs no command, since it is called before anything else. A pipe named as the token file is not read: it can
 * be read only once.
 */
export async function listEnvironmentSecrets({
  env,
}: Pick<Runtime, 'env'>): Promise<readonly string[]> {
  const path = env[fileVariable] ?? '';
  const found = path === '' ? undefined : await stat(path).catch(() => undefined);
  const isReadable = found?.isFile() === true && found.size <= maxFileSize;
  const fromFile = isReadable ? await readFile(path, 'utf8').catch(() => '') : '';
  const tokens = [env[tokenVariable] ?? '', fromFile].map(trimToken);
  return [...tokens, ...listStateSecrets(env)].filter((secret) => secret !== '');
}

/** Shortest token, in characters, that is masked in output: shorter ones occur in ordinary text. */
const leastSecret = 8;

/** Passphrases and credentials of the state, as far as they stand in variables of the environment. */
function listStateSecrets(env: Runtime['env']): readonly string[] {
  const names = [
    ...['HOSTWRIGHT_STATE_PASSPHRASE', 'HOSTWRIGHT_STATE_PASSPHRASE_PREVIOUS'],
    ...['HOSTWRIGHT_STATE_HTTP_PASSWORD', 'HOSTWRIGHT_STATE_POSTGRES_URL', 'PGPASSWORD'],
    ...['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
  ];
  return names.map((name) => env[name] ?? '').filter(({ length }) => length >= leastSecret);
}

function trimToken(text: string): string {
  return text.trim().replace(/^Bearer(\s+|$)/i, '');
}

async function runTokenCommand(command: string, execute: Runtime['execute']): Promise<string> {
  try {
    return await execute(command);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'It failed';
    throw problem(
      {
        code: 'token-command-failed',
        summary: 'The command that prints the access token failed',
        detail: `${why}.`,
        hint: 'Run it manually to see why. It must print the token alone, and end with exit code 0.',
      },
      cause,
    );
  }
}

async function readTokenFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'It cannot be read';
    throw problem(
      {
        code: 'token-file-unreadable',
        summary: `The access token cannot be read from ${path}`,
        detail: `${why}.`,
        hint: `Point ${fileVariable} at a file that you may read, or set ${tokenVariable}.`,
      },
      cause,
    );
  }
}

function cleanToken(text: string, from: string): string {
  const token = trimToken(text);
  // Characters that a header can carry in one word. Anything else is a paste gone wrong, and would only end as a 401.
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw problem({
    code: token === '' ? 'token-missing' : 'token-malformed',
    summary:
      token === ''
        ? `There is no access token in ${from}`
        : `The access token in ${from} is malformed`,
    detail:
      token === '' ? undefined : 'It holds white space, line breaks or characters beyond ASCII.',
    hint: 'Give the token alone, on one line, as the service showed it when it was issued.',
  });
}

function problem(
  { detail, ...words }: { code: string; summary: string; detail: string | undefined; hint: string },
  cause?: unknown,
): DiagnosticError {
  return new DiagnosticError(
    [{ severity: 'error', ...words, ...(detail !== undefined && { detail }) }],
    { cause },
  );
}
