// What the answers of hosts say of the files between two commits: all of them, or that nobody knows.
import { expect, it } from 'vitest';
import { GithubHost } from '../../../../src/server/hosts/github/github-host.ts';
import { GitlabHost } from '../../../../src/server/hosts/gitlab/gitlab-host.ts';

/** Asks a host that answers so. @returns the files, and what was asked */
async function compare(kind: 'github' | 'gitlab', body: object, status = 200) {
  const urls: string[] = [];
  const api = {
    ...{ now: () => 0, root: 'https://host.test', label: 'Host' },
    headers: () => Promise.resolve({}),
    exchange: ({ url }: { readonly url: string }) => {
      urls.push(url);
      const text = JSON.stringify(body);
      return Promise.resolve({ status, headers: { get: () => null }, text });
    },
  };
  const text = () => Promise.resolve('');
  const host =
    kind === 'github'
      ? new GithubHost(api, { readToken: text, readOwnName: text })
      : new GitlabHost(api, '');
  const files = await host.listFilesBetween('acme/infra', 'b', 'a');
  return { files, urls };
}

const files = (count: number) =>
  Array.from({ length: count }, (_one, at) => ({ filename: `${at}` }));
const renamed = [{ filename: 'new', previous_filename: 'old' }, { filename: 'same' }];
const diffs = [
  { old_path: 'old', new_path: 'new' },
  { old_path: 'same', new_path: 'same' },
];

it.each([
  ['a push', { status: 'ahead', files: renamed }, ['new', 'old', 'same']],
  ['nothing', { status: 'identical', files: [] }, []],
  ['as many as there can be', { status: 'ahead', files: files(300) }, undefined],
  ['an older commit', { status: 'behind', files: renamed }, undefined],
  ['another history', { status: 'diverged', files: renamed }, undefined],
  ['no files', { status: 'ahead' }, undefined],
])('GitHub compares: %s', async (_what, body, expected) => {
  expect((await compare('github', body)).files).toEqual(expected);
});

it.each([
  ['a push', { diffs, compare_timeout: false }, ['old', 'new', 'same', 'same']],
  ['more than it says', { diffs, compare_timeout: true }, undefined],
])('GitLab compares: %s', async (_what, body, expected) => {
  expect((await compare('gitlab', body)).files).toEqual(expected);
});

it('asks GitHub for few commits, and GitLab for these two commits themselves', async () => {
  const { urls } = await compare('github', { status: 'identical', files: [] });
  expect(urls).toEqual(['https://host.test/repos/acme/infra/compare/b...a?per_page=1']);
  const { urls: straight } = await compare('gitlab', { diffs, compare_timeout: false });
  expect(straight).toEqual([
    'https://host.test/projects/acme%2Finfra/repository/compare?from=b&to=a&straight=true',
  ]);
});

it.each(['github', 'gitlab'] as const)('nobody knows what %s has no commit for', async (kind) => {
  expect((await compare(kind, { message: 'Not Found' }, 404)).files).toBeUndefined();
  await expect(compare(kind, {}, 502)).rejects.toThrow('answered 502');
});
