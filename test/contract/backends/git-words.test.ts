// The texts that the git backend takes and gives: names, addresses, messages of git, variables.
import { describe, expect, test } from 'vitest';
import {
  cleanGitText,
  classifyGitFailure,
  quoteGitMessages,
} from '../../../src/state/backends/git/git-faults.ts';
import {
  checkBranchName,
  checkStatePath,
  describeRemoteUrl,
} from '../../../src/state/backends/git/open-git-backend.ts';
import { buildGitEnv } from '../../../src/state/backends/git/git-program.ts';

describe('names', () => {
  test.each(['hostwright-state', 'states/shop', 'v1.2', 'größe', 'a@b', '#1'])(
    '%s is a branch',
    (name) => expect(() => checkBranchName(name)).not.toThrow(),
  );

  test.each([
    ...[
      '',
      '-a',
      '/a',
      'a/',
      'a//b',
      'a..b',
      '.a',
      'a/.b',
      'a.lock',
      'a.lock/b',
      'a.',
      '@',
      'HEAD',
    ],
    ...[
      'a b',
      'a~b',
      'a^b',
      'a:b',
      'a?b',
      'a*b',
      'a[b',
      'a\\b',
      'a@{b',
      'a\nb',
      'a\u0000b',
      'a\u007fb',
      'a\u202eb',
    ],
    'a'.repeat(201),
  ])('%j is no branch', (name) => expect(() => checkBranchName(name)).toThrow(/not a valid name/));

  test.each(['shop', 'teams/shop', 'a.b/c_d-e'])('%s is a path', (path) => {
    expect(() => checkStatePath(path)).not.toThrow();
  });

  test.each([
    '',
    '/a',
    'a/',
    '.',
    '..',
    'a/../b',
    '.git',
    '-a',
    'a//b',
    'a b',
    'a\\b',
    'a\nb',
    'ü',
  ])('%j is no path', (path) => expect(() => checkStatePath(path)).toThrow(/not a valid path/));
});

test.each([
  ['https://example.com/acme/infra.git', 'example.com/acme/infra'],
  ['https://token@Example.com/acme/infra', 'example.com/acme/infra'],
  ['https://user:p@ss@example.com:8443/acme/infra/', 'example.com:8443/acme/infra'],
  ['https://example.com:443/acme/infra.git?token=x', 'example.com/acme/infra'],
  ['git@example.com:acme/infra.git', 'example.com/acme/infra'],
  ['example.com:/acme/infra.git', 'example.com/acme/infra'],
  ['ssh://git@example.com:2222/acme/infra.git', 'example.com/acme/infra'],
  ['git://example.com/acme/infra.git', 'example.com/acme/infra'],
  ['file:///srv/infra.git', '/srv/infra'],
  ['/srv/infra.git/', '/srv/infra'],
  ['../infra.git', '/srv/infra'],
])('the address of %s', (url, text) => expect(describeRemoteUrl(url, '/srv/clone')).toBe(text));

test.each([
  ["fatal: unable to access 'https://x/': Could not resolve host: x", 'unreachable'],
  ["fatal: unable to access 'https://x/': The requested URL returned error: 503", 'unreachable'],
  ["fatal: unable to access 'https://x/': The requested URL returned error: 403", 'denied'],
  ["fatal: Authentication failed for 'https://x/'", 'denied'],
  ["fatal: could not read Username for 'https://x': terminal prompts disabled", 'denied'],
  [
    'git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.',
    'denied',
  ],
  ['Host key verification failed.\nfatal: Could not read from remote repository.', 'denied'],
  ["remote: Repository not found.\nfatal: repository 'https://x/' not found", 'denied'],
  ['ssh: connect to host x port 22: Connection timed out', 'unreachable'],
  ['fatal: the remote end hung up unexpectedly', 'unreachable'],
  ["error: cannot lock ref 'refs/heads/b': is at 1 but expected 2", 'unreachable'],
  ["fatal: Unable to create '/x/.git/shallow.lock': File exists.", 'unreachable'],
  ["fatal: Unable to create '/x/.git/shallow.lock': Permission denied", 'denied'],
  ['remote: error: File a is 120.00 MB; this exceeds the file size limit of 100.00 MB', 'full'],
  ['error: file write error: No space left on device', 'full'],
  ["error: unknown option `no-filter'", 'broken'],
])('%j is %s', (words, fault) => expect(classifyGitFailure(words)).toBe(fault));

test('what git says is quoted without controls, credentials and advice', () => {
  expect(cleanGitText('a\u001b[1;31mb\u0007\u202ec')).toBe('ab c');
  expect(cleanGitText("to 'https://user:p@ss@x/y?private_token=1&b=2' ")).toBe(
    "to 'https://x/y?private_token=…&b=2'",
  );
  expect(
    quoteGitMessages(
      'hint: try\nfatal: no x.\n\nPlease make sure you have the correct access rights\n',
    ),
  ).toBe('fatal: no x');
  expect(quoteGitMessages('')).toBe('git gave no reason');
  expect(quoteGitMessages(`error: ${'x'.repeat(1000)}`).length).toBeLessThan(420);
});

test('git gets the variables by which remotes are reached, and no others of its own', () => {
  const env = {
    ...{ PATH: '/bin', HOME: '/root', SSH_AUTH_SOCK: '/s', HTTPS_PROXY: 'p', GIT_ASKPASS: 'a' },
    ...{ GIT_SSH_COMMAND: 'ssh', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'k', LC_ALL: 'de_DE' },
    ...{ GIT_DIR: '/x', GIT_WORK_TREE: '/x', GIT_INDEX_FILE: '/x', GIT_OBJECT_DIRECTORY: '/x' },
    ...{ GIT_TRACE: '1', GIT_NAMESPACE: 'n', HOSTWRIGHT_TOKEN: 't', EMPTY: undefined },
  };
  const given = { ...env, GIT_CONFIG_VALUE_0: 'v' };
  const settings = [['remote.origin.url', '/r']] as const;
  expect(buildGitEnv({ directory: '/own', env: given, settings })).toEqual({
    ...{ PATH: '/bin', HOME: '/root', SSH_AUTH_SOCK: '/s', HTTPS_PROXY: 'p', GIT_ASKPASS: 'a' },
    ...{ GIT_SSH_COMMAND: 'ssh', GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'k', LC_ALL: 'C' },
    ...{ GIT_CONFIG_VALUE_0: 'v', GIT_CONFIG_KEY_1: 'remote.origin.url', GIT_CONFIG_VALUE_1: '/r' },
    GIT_DIR: '/own',
    ...{ GIT_TERMINAL_PROMPT: '0', GIT_NO_REPLACE_OBJECTS: '1', GIT_LITERAL_PATHSPECS: '1' },
  });
});
