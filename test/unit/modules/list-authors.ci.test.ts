// Who wrote the commits after one that people have seen, in real repositories.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCommitAuthors } from '../../../src/modules/list-authors.ts';
import { makeRepository, type GitRepository } from '../../support/git-repositories.ts';
import { silentRuntime } from '../../support/silent-runtime.ts';

const means = { ...silentRuntime, env: { PATH: process.env.PATH } };
const committer = 'a@example.com';

let folder: string;
let repository: GitRepository;
let first: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostwright-authors-'));
  repository = await makeRepository(join(folder, 'infra'));
  first = await repository.commit({ 'main.yaml': 'version: 1\n' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Commits nothing, as somebody else. @returns the commit */
async function commitAs(author: string, ...more: readonly string[]): Promise<string> {
  const given = [`--author=Somebody <${author}>`, '--message=more', ...more];
  await repository.git('commit', '--quiet', '--allow-empty', ...given);
  return (await repository.git('rev-parse', 'HEAD')).trim();
}

const list = async (since: string, commit: string) => {
  const url = pathToFileURL(repository.directory).href;
  const found = await listCommitAuthors(means, { url, since, commit });
  return found && [...found].sort();
};

test('are all authors since then, with whoever is named beside them, and nobody before', async () => {
  const seen = await commitAs('before@example.com');
  await commitAs('Ada@Example.com');
  const newest = await commitAs(
    'bob@example.com',
    '--message=Co-authored-by: Eve <eve@example.com>',
  );
  const after = ['ada@example.com', 'bob@example.com', 'eve@example.com'];
  expect(await list(seen, newest)).toEqual([committer, ...after].sort());
  expect(await list(newest, newest)).toEqual([]);
});

test('include those of a branch that was merged since', async () => {
  const seen = await commitAs('main@example.com');
  await repository.git('checkout', '--quiet', '-b', 'side', first);
  await commitAs('side@example.com');
  await repository.git('checkout', '--quiet', 'main');
  await repository.git('merge', '--quiet', '--no-ff', '--message=merge', 'side');
  const merged = (await repository.git('rev-parse', 'HEAD')).trim();
  expect(await list(seen, merged)).toEqual([committer, 'side@example.com']);
});

test('are not known where the older commit is no ancestor', async () => {
  const dropped = await commitAs('dropped@example.com');
  await repository.git('reset', '--quiet', '--hard', 'HEAD~1');
  expect(await list(dropped, await commitAs('other@example.com'))).toBeUndefined();
  expect(await list('d'.repeat(40), first)).toBeUndefined();
});

test('are not known where the older commit lies too far back, or a part of what came since', async () => {
  const seen = (await repository.git('rev-parse', 'HEAD')).trim();
  const grow = async (amount: number) => {
    const tree = (await repository.git('rev-parse', 'HEAD^{tree}')).trim();
    const step = `p=$(git commit-tree ${tree} -p $p -m more)`;
    const loop = `p=HEAD; for _ in $(seq ${amount}); do ${step}; done; echo $p`;
    return (await repository.git('-c', `alias.grow=!${loop}`, 'grow')).trim();
  };
  const long = await grow(120);
  expect(await list(seen, long)).toBeUndefined();
  const merge = ['commit-tree', `${long}^{tree}`, '-p', seen, '-p', long, '-m', 'merge'];
  const merged = (await repository.git(...merge)).trim();
  expect(await list(seen, merged)).toBeUndefined();
});
