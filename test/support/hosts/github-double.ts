// GitHub, as far as the server speaks to it: by its published API (version 2022-11-28) and webhooks.
import { Hono, type Context } from 'hono';
import { createHmac, generateKeyPairSync, randomUUID, verify, type KeyObject } from 'node:crypto';
import {
  addReview,
  compareCommits,
  listPullCommits,
  listPullFiles,
  mergePull,
  notFound,
  openGround,
  idOf,
  paginate,
  pushPull,
  repositoryPath,
  type DoubleComment,
  type DoubleGround,
  type DoublePull,
  type DoubleReview,
} from './host-double.ts';
import { post, type HostDouble } from './hosted-rig.ts';

const slug = 'hostwright';
const ownName = `${slug}[bot]`;
const appId = '12345';
const installation = '678';
const refs = 'refs/pull';
const contents = new Set(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes']);

/** Opens it, with its repository below a folder. */
export async function openGithubDouble(folder: string): Promise<HostDouble> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ground = await openGround(folder, (given) => makeApi(given, publicKey));
  let last: (() => ReturnType<typeof post>) | undefined;
  const double: HostDouble = {
    ...{ kind: 'github', ground, ownName, webhook: { url: '', secret: '' } },
    connection: {
      ...{ kind: 'github', address: `${ground.site}/api/v3`, appId, installationId: installation },
      privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }),
    },
    send(event, payload, { secret = double.webhook.secret, id = randomUUID() } = {}) {
      const body = JSON.stringify(payload);
      const headers = {
        'x-github-event': event,
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      };
      last = () => post(double.webhook.url, body, headers);
      return last();
    },
    repeat: () => (last ? last() : Promise.reject(new Error('Nothing was sent yet.'))),
    describePush: (commit, repository = repositoryPath) => [
      'push',
      {
        ...{ ref: 'refs/heads/main', before: '0'.repeat(40), after: commit, deleted: false },
        repository: { id: 1, full_name: repository },
      },
    ],
    async push(tree) {
      const commit = await ground.repository.commit(tree);
      await double.send(...double.describePush(commit));
      return commit;
    },
    async openPull(tree, settings = {}) {
      const pull = await pushPull(ground, tree, settings, refs);
      await double.send('pull_request', describePullEvent('opened', pull));
      return pull;
    },
    async pushTo(pull, tree) {
      await pushPull(ground, tree, pull, refs);
      await double.send('pull_request', describePullEvent('synchronize', pull));
    },
    async merge(pull) {
      const commit = await mergePull(ground, pull);
      await double.send(...double.describePush(commit));
      await double.send('pull_request', describePullEvent('closed', pull));
      return commit;
    },
    async close(pull) {
      pull.state = 'closed';
      await double.send('pull_request', describePullEvent('closed', pull));
    },
    async approve(pull, person) {
      if (person === pull.author) throw new Error('Can not approve your own pull request');
      await double.send(
        ...describeReviewEvent('submitted', pull, addReview(pull, person, 'approved')),
      );
    },
    async unapprove(pull, person) {
      const review = pull.reviews.findLast((one) => one.person === person);
      if (!review) throw new Error('There is no such review.');
      review.state = 'dismissed';
      await double.send(...describeReviewEvent('dismissed', pull, review));
    },
    async comment(pull, person, body) {
      const comment = addComment(ground, pull.number, person, body);
      await double.send('issue_comment', {
        action: 'created',
        issue: { number: pull.number, pull_request: { url: '' } },
        comment: showComment(comment),
        repository: { id: 1, full_name: repositoryPath },
        sender: { login: person },
      });
    },
  };
  return double;
}

function describePullEvent(action: string, pull: DoublePull): object {
  return {
    ...{ action, number: pull.number, pull_request: showPull(pull) },
    repository: { id: 1, full_name: repositoryPath },
  };
}

/** The state of a review is in small letters here, and in capital ones in the API. */
function describeReviewEvent(
  action: 'submitted' | 'dismissed',
  pull: DoublePull,
  review: DoubleReview,
): readonly [event: string, payload: object] {
  const payload = {
    ...{ action, pull_request: showPull(pull), review: showReview(review, review.state) },
    repository: { id: 1, full_name: repositoryPath },
  };
  return ['pull_request_review', payload];
}

const showReview = ({ id, person, commit, at }: DoubleReview, state: string): object => ({
  ...{ id, state, body: '', commit_id: commit, submitted_at: at },
  user: { login: person, id: idOf(person) },
});

function showPull(pull: DoublePull): object {
  const { number, head, merge, state, mergeCommit, isFork, reads, author } = pull;
  const isOpen = state === 'open';
  // The first read starts the merge.
  const isMerged = isOpen && reads > 1;
  return {
    ...{ number, state: isOpen ? 'open' : 'closed', merged: state === 'merged' },
    mergeable: isMerged ? merge !== undefined : null,
    merge_commit_sha: isOpen ? (isMerged ? (merge ?? null) : null) : (mergeCommit ?? null),
    head: { sha: head, repo: { id: isFork ? 2 : 1 } },
    base: { ref: 'main', repo: { id: 1 } },
    user: { login: author, id: idOf(author) },
  };
}

function addComment({ comments }: DoubleGround, pull: number, author: string, body: string) {
  const comment: DoubleComment = {
    id: 1_000 + comments.length,
    ...{ pull, author, body, reactions: new Set() },
  };
  comments.push(comment);
  return comment;
}

function showComment({ id, author, body }: DoubleComment): object {
  return { id, body, user: { login: author, id: idOf(author) } };
}

function makeApi(ground: DoubleGround, publicKey: KeyObject): Hono {
  const app = new Hono();
  const refuse = () => Response.json({ message: 'Bad credentials' }, { status: 401 });
  const isApp = (header = '') => {
    const [head = '', claims = '', signature = ''] = header.replace('Bearer ', '').split('.');
    const bytes = Buffer.from(signature, 'base64url');
    if (!verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, bytes)) return false;
    const { iat, exp, iss } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
      readonly iat: number;
      readonly exp: number;
      readonly iss: string;
    };
    const nowS = Date.now() / 1_000;
    return iss === appId && iat <= nowS && exp > nowS && exp - iat <= 600;
  };
  app.get('/app', (context) =>
    isApp(context.req.header('authorization')) ? context.json({ slug }) : refuse(),
  );
  app.post(`/app/installations/${installation}/access_tokens`, (context) => {
    if (!isApp(context.req.header('authorization'))) return refuse();
    const token = `ghs_${randomUUID()}`;
    ground.credentials.add(`x-access-token:${token}`);
    return context.json({ token, expires_at: new Date(Date.now() + 3_600_000).toISOString() }, 201);
  });
  app.use('*', async (context, next) => {
    const given = context.req.header('authorization')?.replace('Bearer ', '') ?? '';
    if (!ground.credentials.has(`x-access-token:${given}`)) return refuse();
    if (context.req.header('user-agent') === undefined)
      return context.json({ message: 'Request forbidden by administrative rules.' }, 403);
    return next();
  });
  addRepository(app, ground);
  const whole = new Hono();
  whole.route('/api/v3', app);
  whole.notFound((context) => context.json(notFound, 404));
  return whole;
}

function addRepository(app: Hono, ground: DoubleGround): void {
  const { repository, pulls, comments, statuses, people } = ground;
  const at = `/repos/${repositoryPath}`;
  const findPull = (context: Context) =>
    pulls.find(({ number }) => String(number) === context.req.param('number'));
  app.get(`${at}/pulls/:number`, (context) => {
    const pull = findPull(context);
    if (!pull) return context.json(notFound, 404);
    pull.reads += 1;
    return context.json(showPull(pull));
  });
  app.get(`${at}/pulls/:number/files`, async (context) => {
    const names = await listPullFiles(ground, findPull(context));
    return paginate(
      context.req.url,
      names.map((filename) => ({ filename })),
    );
  });
  app.get(`${at}/pulls/:number/reviews`, (context) => {
    const pull = findPull(context);
    if (!pull) return context.json(notFound, 404);
    const shown = pull.reviews.map((one) => showReview(one, one.state.toUpperCase()));
    return paginate(context.req.url, shown);
  });
  app.get(`${at}/pulls/:number/commits`, async (context) => {
    const pull = findPull(context);
    if (!pull) return context.json(notFound, 404);
    const shown = (await listPullCommits(ground, pull)).map(({ author, committer, message }) => ({
      commit: { message, author: { email: author }, committer: { email: committer } },
      // GitHub knows no account by these addresses.
      ...{ author: null, committer: null },
    }));
    return paginate(context.req.url, shown);
  });
  app.get(`${at}/compare/:basehead`, async (context) => {
    const [base = '', head = ''] = context.req.param('basehead').split('...');
    const count = async (range: string) =>
      Number(await repository.git('rev-list', '--count', range).catch(() => 'NaN'));
    const [ahead, behind] = [await count(`${base}..${head}`), await count(`${head}..${base}`)];
    if (Number.isNaN(ahead + behind)) return context.json(notFound, 404);
    const common = await repository.git('merge-base', base, head);
    const diffs = (await compareCommits(repository, common, head)) ?? [];
    const files = diffs.map(({ path, before }) => ({
      filename: path,
      ...(path === before
        ? { status: 'modified' }
        : { status: 'renamed', previous_filename: before }),
    }));
    return context.json({
      status: behind > 0 ? (ahead > 0 ? 'diverged' : 'behind') : ahead > 0 ? 'ahead' : 'identical',
      ...{ ahead_by: ahead, behind_by: behind, total_commits: ahead, commits: [] },
      // All of them at once, and on the first page alone.
      ...((context.req.query('page') ?? '1') === '1' && { files: files.slice(0, 300) }),
    });
  });
  app.get(`${at}/git/commits/:sha`, async (context) => {
    const sha = context.req.param('sha');
    const [, ...parents] = (await repository.git('rev-list', '--parents', '-1', sha)).split(' ');
    return context.json({ sha, parents: parents.map((one) => ({ sha: one })) });
  });
  app.post(`${at}/statuses/:sha`, async (context) => {
    const commit = context.req.param('sha');
    const given = await context.req.json<Record<string, string>>();
    const { state = '', context: name = 'default', description = '', target_url: url = '' } = given;
    const isKnown = await repository.git('cat-file', '-e', `${commit}^{commit}`).then(
      () => true,
      () => false,
    );
    const isValid = ['error', 'failure', 'pending', 'success'].includes(state);
    if (!isKnown || !isValid || description.length > 140)
      return context.json({ message: 'Validation Failed' }, 422);
    statuses.push({ commit, state, context: name, description, url });
    return context.json({ state, context: name }, 201);
  });
  app.get(`${at}/issues/:number/comments`, (context) => {
    const shown = comments.filter(({ pull }) => String(pull) === context.req.param('number'));
    return paginate(context.req.url, shown.map(showComment));
  });
  app.post(`${at}/issues/:number/comments`, async (context) => {
    const { body } = await context.req.json<{ body: string }>();
    if (body.length > 65_536) return context.json({ message: 'Validation Failed' }, 422);
    const pull = findPull(context);
    if (!pull) return context.json(notFound, 404);
    return context.json(showComment(addComment(ground, pull.number, ownName, body)), 201);
  });
  app.patch(`${at}/issues/comments/:id`, async (context) => {
    const comment = comments.find(({ id }) => String(id) === context.req.param('id'));
    if (!comment) return context.json(notFound, 404);
    if (comment.author !== ownName) return context.json({ message: 'Must have admin rights' }, 403);
    comment.body = (await context.req.json<{ body: string }>()).body;
    return context.json(showComment(comment));
  });
  app.post(`${at}/issues/comments/:id/reactions`, async (context) => {
    const comment = comments.find(({ id }) => String(id) === context.req.param('id'));
    if (!comment) return context.json(notFound, 404);
    const { content } = await context.req.json<{ content: string }>();
    if (!contents.has(content)) return context.json({ message: 'Validation Failed' }, 422);
    const isNew = !comment.reactions.has(content);
    comment.reactions.add(content);
    return context.json({ id: 1, content }, isNew ? 201 : 200);
  });
  app.get(`${at}/collaborators/:person/permission`, (context) => {
    const permission = people.get(context.req.param('person'));
    return permission === undefined
      ? context.json(notFound, 404)
      : context.json({ permission, role_name: permission });
  });
}
