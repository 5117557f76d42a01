// Answers of hosts about who has approved a pull request, and at which commit.
import { expect, it } from 'vitest';
import { GithubHost } from '../../../../src/server/hosts/github/github-host.ts';
import { GitlabHost } from '../../../../src/server/hosts/gitlab/gitlab-host.ts';

/** A host that answers each path so; the first page of a list names the second. */
function openHost(kind: 'github' | 'gitlab', answers: Readonly<Record<string, object>>) {
  const api = {
    ...{ now: () => 0, root: 'https://host.test', label: 'Host' },
    headers: () => Promise.resolve({}),
    exchange: ({ url }: { readonly url: string }) => {
      const { pathname, search } = new URL(url);
      const place = `${pathname.split('/').at(-1) ?? ''}${search.includes('page=2') ? '?2' : ''}`;
      const next =
        `${place}?2` in answers ? `<https://host.test${pathname}?page=2>; rel="next"` : null;
      const text = JSON.stringify(answers[place]);
      const get = (name: string) => (name === 'link' ? next : null);
      return Promise.resolve({ status: 200, headers: { get }, text });
    },
  };
  const text = () => Promise.resolve('');
  return kind === 'github'
    ? new GithubHost(api, { readToken: text, readOwnName: text })
    : new GitlabHost(api, '');
}
const ask = (...given: Parameters<typeof openHost>) =>
  openHost(...given).listApprovals('acme/infra', 7);

const [ann, bob] = [
  { id: 1, login: 'ann' },
  { id: 2, login: 'bob' },
];
const noon = '2026-03-01T12:00:00Z';
const of = (user: object | null, state: string, commit: string | null = 'a') => ({
  ...{ user, state, commit_id: commit, submitted_at: noon },
});
const annApproved = (commit: string, at = noon) => ({
  ...{ person: { id: '1', name: 'ann' }, commit, at },
});
const bobApproved = { person: { id: '2', name: 'bob' }, commit: 'a', at: noon };

it.each<[string, readonly object[], readonly object[]]>([
  ['of each person', [of(ann, 'APPROVED'), of(bob, 'APPROVED')], [annApproved('a'), bobApproved]],
  [
    'of the commit that was approved last',
    [of(ann, 'APPROVED'), of(ann, 'APPROVED', 'b')],
    [annApproved('b')],
  ],
  ['that a comment leaves', [of(ann, 'APPROVED'), of(ann, 'COMMENTED')], [annApproved('a')]],
  ['none after changes were requested', [of(ann, 'APPROVED'), of(ann, 'CHANGES_REQUESTED')], []],
  ['none that was dismissed', [of(ann, 'DISMISSED')], []],
  ['none that is not sent', [of(ann, 'PENDING')], []],
  [
    'none of a person or a commit that is gone',
    [of(null, 'APPROVED'), of(ann, 'APPROVED', null)],
    [],
  ],
])('GitHub has approvals: %s', async (_what, reviews, expected) => {
  expect(await ask('github', { reviews })).toEqual(expected);
});

it('GitHub says on a later page what takes an approval back', async () => {
  const pages = { reviews: [of(ann, 'APPROVED')], 'reviews?2': [of(ann, 'DISMISSED')] };
  expect(await ask('github', pages)).toEqual([]);
});

it.each<['github' | 'gitlab', Readonly<Record<string, object>>]>([
  ['github', { reviews: [], 'reviews?2': [], 'reviews?2?2': [] }],
  [
    'gitlab',
    { approvals: { approved_by: [] }, versions: [], 'versions?2': [], 'versions?2?2': [] },
  ],
])('%s says nothing where the pages have no end', async (kind, answers) => {
  expect(await ask(kind, answers)).toBeUndefined();
});

const version = (commit: string, hour: number) => ({
  ...{ head_commit_sha: commit, created_at: `2026-03-01T0${hour}:00:00.000Z` },
});
const approvedAt = (time: string | null | undefined) => ({
  approved_by: [
    { user: { id: 1, username: 'ann' }, ...(time !== undefined && { approved_at: time }) },
  ],
});

it.each<[string, object, readonly object[]]>([
  [
    'the newest commit',
    approvedAt('2026-03-01T03:00:00.001Z'),
    [annApproved('b', '2026-03-01T03:00:00.001Z')],
  ],
  [
    'the one before a push',
    approvedAt('2026-03-01T03:59:59.999+01:00'),
    [annApproved('a', '2026-03-01T03:59:59.999+01:00')],
  ],
  ['none that was pushed by then', approvedAt('2026-03-01T00:00:00.000Z'), []],
  ['none, where it does not say when', approvedAt(undefined), []],
  ['none, where that is not known', approvedAt(null), []],
  ['none, where nobody has approved', { approved_by: [] }, []],
])('GitLab has approvals of %s', async (_what, approvals, expected) => {
  const versions = [version('b', 3), version('a', 1)];
  expect(await ask('gitlab', { approvals, versions })).toEqual(expected);
});

const message = 'Grow\n\nCo-authored-by: Eve <eve@example.com>\n';
const githubCommit = {
  commit: {
    author: { email: 'Ann@example.com' },
    committer: { email: 'bob@example.com' },
    message,
  },
  ...{ author: { id: 1, login: 'ann' }, committer: null },
};
const gitlabCommit = {
  author_email: 'Ann@example.com',
  committer_email: 'bob@example.com',
  message,
};
const written = ['ann@example.com', 'bob@example.com', 'eve@example.com'];

it.each<['github' | 'gitlab', object, readonly string[]]>([
  ['github', githubCommit, [...written, '1+ann@users.noreply.github.com']],
  ['gitlab', gitlabCommit, written],
])('%s says who wrote the commits of a pull request', async (kind, commit, expected) => {
  const found = await openHost(kind, { commits: [commit] }).listPullAuthors('acme/infra', 7);
  expect([...(found ?? [])].sort()).toEqual(expected.toSorted());
  for (const commits of [[], Array.from({ length: 100 }, () => commit)])
    expect(await openHost(kind, { commits }).listPullAuthors('acme/infra', 7)).toBeUndefined();
});
