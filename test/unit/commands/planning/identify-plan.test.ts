// Whose plan it is: the directory and the commit, from a pipeline or from `.git`.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { identifyPlan } from '../../../../src/commands/planning/identify-plan.ts';
import { openFolder } from '../../../support/open-folder.ts';

const commit = 'a'.repeat(40);
const other = 'b'.repeat(40);
let root: string;
beforeEach(async () => {
  root = await openFolder('identity');
  await mkdir(join(root, 'infra', 'shop'), { recursive: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}
const identify = (directory = 'infra/shop', env: Record<string, string> = {}, cwd = root) =>
  identifyPlan({ cwd, env }, join(root, directory));

test('the directory counts from the root of the repository, from wherever somebody plans', async () => {
  await write({ '.git/HEAD': `${commit}\n` });
  const expected = { name: 'infra/shop', directory: 'infra/shop', commit };
  expect(await identify()).toEqual(expected);
  expect(await identify('infra/shop', {}, join(root, 'infra/shop'))).toEqual(expected);
  expect(await identify('.')).toMatchObject({ name: root.split('/').at(-1), directory: '.' });
});

test('without a repository it counts from the working directory', async () => {
  expect(await identify()).toEqual({ name: 'infra/shop', directory: 'infra/shop' });
  expect(await identify('infra/shop', {}, join(root, 'infra/shop'))).toEqual({
    ...{ name: 'shop', directory: '.' },
  });
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${commit}\n` }],
  [
    'a packed branch',
    {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/packed-refs': `# pack-refs\n${other} refs/heads/domain\n${commit} refs/heads/main\n`,
    },
  ],
  [
    'a worktree',
    {
      '.git': 'gitdir: elsewhere/worktrees/one\n',
      'elsewhere/worktrees/one/HEAD': 'ref: refs/heads/main\n',
      'elsewhere/worktrees/one/commondir': '../..\n',
      'elsewhere/refs/heads/main': `${commit}\n`,
    },
  ],
])('the commit of %s', async (_, files) => {
  await write(files);
  expect(await identify()).toMatchObject({ directory: 'infra/shop', commit });
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['before the first one', { '.git/HEAD': 'ref: refs/heads/main\n' }],
  ['of no repository of git', { '.git/config': '' }],
  ['of a name that leads elsewhere', { '.git/HEAD': 'ref: refs/../../secret', secret: commit }],
  [
    'that is no commit',
    { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': 'token\n' },
  ],
])('there is no commit %s', async (_, files) => {
  await write(files);
  expect(await identify()).not.toHaveProperty('commit');
});

test('a pipeline knows its commit better, and says nothing else', async () => {
  await write({ '.git/HEAD': `${commit}\n` });
  expect(await identify('infra/shop', { CI_COMMIT_SHA: other.toUpperCase() })).toMatchObject({
    commit: other,
  });
  expect(await identify('infra/shop', { GITHUB_SHA: '@everyone' })).toMatchObject({ commit });
});
