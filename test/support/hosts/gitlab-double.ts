// GitLab, as far as the server speaks to it: by its published API (version 4) and webhooks.
import { Hono, type Context } from 'hono';
import { randomUUID } from 'node:crypto';
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
} from './host-double.ts';
import { post, type HostDouble } from './hosted-rig.ts';

const ownName = 'project_1_bot';
const token = 'glpat-0123456789';
const refs = 'refs/merge-requests';
const levels = { admin: 50, write: 40, read: 30, none: 0 };

/** Opens it, with its repository below a folder. */
export async function openGitlabDouble(folder: string): Promise<HostDouble> {
  const ground = await openGround(folder, makeApi);
  ground.credentials.add(`oauth2:${token}`);
  let last: (() => ReturnType<typeof post>) | undefined;
  const double: HostDouble = {
    ...{ kind: 'gitlab', ground, ownName, webhook: { url: '', secret: '' } },
    connection: { kind: 'gitlab', address: ground.site, token },
    send(event, payload, { secret = double.webhook.secret, id = randomUUID() } = {}) {
      const headers = {
        ...{ 'x-gitlab-event': event, 'x-gitlab-token': secret, 'x-gitlab-event-uuid': id },
        'idempotency-key': id,
      };
      last = () => post(double.webhook.url, JSON.stringify(payload), headers);
      return last();
    },
    repeat: () => (last ? last() : Promise.reject(new Error('Nothing was sent yet.'))),
    describePush: (commit, repository = repositoryPath) => [
      'Push Hook',
      {
        ...{ object_kind: 'push', ref: 'refs/heads/main', after: commit },
        project: { id: 1, path_with_namespace: repository },
      },
    ],
    async push(tree) {
      const commit = await ground.repository.commit(tree);
      await double.send(...double.describePush(commit));
      return commit;
    },
    async openPull(tree, settings = {}) {
      const pull = await pushPull(ground, tree, settings, refs);
      await double.send('Merge Request Hook', describeEvent('open', pull));
      return pull;
    },
    async pushTo(pull, tree) {
      const oldrev = pull.head;
      await pushPull(ground, tree, pull, refs);
      await double.send('Merge Request Hook', describeEvent('update', pull, { oldrev }));
    },
    async merge(pull) {
      const commit = await mergePull(ground, pull);
      await double.send('Merge Request Hook', describeEvent('merge', pull));
      await double.send(...double.describePush(commit));
      return commit;
    },
    async close(pull) {
      pull.state = 'closed';
      await double.send('Merge Request Hook', describeEvent('close', pull));
    },
    async approve(pull, person) {
      if (pull.state !== 'open') throw new Error('Only what is open is approved.');
      addReview(pull, person, 'approved');
      await double.send('Merge Request Hook', describeEvent('approved', pull));
    },
    async unapprove(pull, person) {
      const index = pull.reviews.findIndex((one) => one.person === person);
      if (index === -1) throw new Error('There is no such approval.');
      pull.reviews.splice(index, 1);
      await double.send('Merge Request Hook', describeEvent('unapproved', pull));
    },
    async comment(pull, person, body) {
      const { id } = addNote(ground, pull.number, person, body);
      await double.send('Note Hook', {
        object_kind: 'note',
        user: { id: idOf(person), username: person },
        project: { id: 1, path_with_namespace: repositoryPath },
        object_attributes: {
          ...{ id, action: 'create', note: body },
          noteable_type: 'MergeRequest',
        },
        merge_request: { iid: pull.number },
      });
    },
  };
  return double;
}

const describeEvent = (action: string, { number }: DoublePull, more: object = {}): object => ({
  object_kind: 'merge_request',
  project: { id: 1, path_with_namespace: repositoryPath },
  object_attributes: { iid: number, action, ...more },
});

/** A number for a name: GitLab asks for people by number. */
function addNote({ comments }: DoubleGround, pull: number, author: string, body: string) {
  const id = 1_000 + comments.length;
  const note: DoubleComment = { ...{ id, pull, author, body }, reactions: new Set() };
  comments.push(note);
  return note;
}

const showNote = ({ id, author, body }: DoubleComment): object => ({
  id,
  body,
  author: { id: idOf(author), username: author },
  system: false,
});

const showUser = (name: string): object => ({ id: idOf(name), username: name, state: 'active' });

const showMergeRequest = ({
  number,
  head,
  state,
  mergeCommit,
  isFork,
  author,
}: DoublePull): object => ({
  ...{ iid: number, state: state === 'open' ? 'opened' : state, sha: head },
  ...{ target_branch: 'main', source_project_id: isFork ? 2 : 1, target_project_id: 1 },
  ...{ merge_commit_sha: mergeCommit ?? null, squash_commit_sha: null },
  author: showUser(author),
});

function makeApi(ground: DoubleGround): Hono {
  const app = new Hono();
  app.use('*', async (context, next) => {
    if (context.req.header('private-token') !== token)
      return context.json({ message: '401 Unauthorized' }, 401);
    return next();
  });
  app.get('/user', (context) => context.json({ id: idOf(ownName), username: ownName }));
  addProject(app, ground);
  const whole = new Hono();
  whole.route('/api/v4', app);
  whole.notFound((context) => context.json({ message: '404 Not found' }, 404));
  return whole;
}

function addProject(app: Hono, ground: DoubleGround): void {
  const { repository, pulls, comments, statuses, people } = ground;
  const at = '/projects/acme%2Finfra';
  const findPull = (context: Context) =>
    pulls.find(({ number }) => String(number) === context.req.param('iid'));
  app.get(`${at}/merge_requests/:iid`, (context) => {
    const pull = findPull(context);
    return pull ? context.json(showMergeRequest(pull)) : context.json(notFound, 404);
  });
  app.get(`${at}/merge_requests/:iid/approvals`, (context) => {
    const pull = findPull(context);
    if (!pull) return context.json(notFound, 404);
    const approved = pull.reviews.map(({ person, at: time }) => ({
      ...{ user: showUser(person), approved_at: time },
    }));
    return context.json({ iid: pull.number, approved: true, approved_by: approved });
  });
  app.get(`${at}/merge_requests/:iid/commits`, async (context) => {
    const pull = findPull(context);
    if (!pull) return context.json(notFound, 404);
    const shown = (await listPullCommits(ground, pull)).map(({ author, committer, message }) => ({
      ...{ author_email: author, committer_email: committer, message },
    }));
    return paginate(context.req.url, shown);
  });
  // The newest comes first.
  app.get(`${at}/merge_requests/:iid/versions`, (context) => {
    const pull = findPull(context);
    if (!pull) return context.json(notFound, 404);
    const shown = pull.pushes.map(({ commit, at: time }, index) => ({
      ...{ id: index + 1, head_commit_sha: commit, created_at: time, state: 'collected' },
    }));
    return paginate(context.req.url, shown.reverse());
  });
  app.get(`${at}/merge_requests/:iid/diffs`, async (context) => {
    const names = await listPullFiles(ground, findPull(context));
    const shown = names.map((path) => ({ old_path: path, new_path: path }));
    return paginate(context.req.url, shown);
  });
  app.get(`${at}/merge_requests/:iid/merge_ref`, (context) => {
    const merge = findPull(context)?.merge;
    return merge === undefined
      ? context.json({ message: 'Merge request is not mergeable' }, 400)
      : context.json({ commit_id: merge });
  });
  app.get(`${at}/repository/compare`, async (context) => {
    const { from = '', to = '', straight = 'false' } = context.req.query();
    const common = await repository.git('merge-base', from, to).catch(() => from);
    const diffs = await compareCommits(repository, straight === 'true' ? from : common, to);
    if (!diffs) return context.json({ message: '404 Ref Not Found' }, 404);
    const shown = diffs.slice(0, 1_000).map(({ path, before }) => ({
      ...{ old_path: before, new_path: path, renamed_file: path !== before },
    }));
    const isCut = shown.length < diffs.length;
    return context.json({ diffs: shown, compare_timeout: isCut, compare_same_ref: from === to });
  });
  app.get(`${at}/repository/commits/:sha`, async (context) => {
    const id = context.req.param('sha');
    const [, ...parents] = (await repository.git('rev-list', '--parents', '-1', id)).split(' ');
    return context.json({ id, parent_ids: parents });
  });
  app.post(`${at}/statuses/:sha`, async (context) => {
    const commit = context.req.param('sha');
    const given = await context.req.json<Record<string, string>>();
    const { state = '', name = 'default', description = '', target_url: url = '' } = given;
    if (!['pending', 'running', 'success', 'failed', 'canceled'].includes(state))
      return context.json({ message: 'state does not have a valid value' }, 400);
    const before = statuses.findLast((one) => one.commit === commit && one.context === name);
    if (before?.state === state) {
      const event = { pending: 'enqueue', success: 'success', failed: 'drop' }[state] ?? 'cancel';
      const message = `Cannot transition status via :${event} from :${state}`;
      return context.json({ message: { state: [message] } }, 400);
    }
    statuses.push({ commit, state, context: name, description, url });
    return context.json({ status: state, name }, 201);
  });
  app.get(`${at}/merge_requests/:iid/notes`, (context) => {
    const shown = comments.filter(({ pull }) => String(pull) === context.req.param('iid'));
    return paginate(context.req.url, shown.map(showNote));
  });
  app.post(`${at}/merge_requests/:iid/notes`, async (context) => {
    const { body } = await context.req.json<{ body: string }>();
    const pull = findPull(context);
    if (!pull) return context.json(notFound, 404);
    return context.json(showNote(addNote(ground, pull.number, ownName, body)), 201);
  });
  app.put(`${at}/merge_requests/:iid/notes/:id`, async (context) => {
    const note = comments.find(({ id }) => String(id) === context.req.param('id'));
    if (!note) return context.json({ message: '404 Note Not Found' }, 404);
    if (note.author !== ownName) return context.json({ message: '403 Forbidden' }, 403);
    note.body = (await context.req.json<{ body: string }>()).body;
    return context.json(showNote(note));
  });
  app.post(`${at}/merge_requests/:iid/notes/:id/award_emoji`, async (context) => {
    const note = comments.find(({ id }) => String(id) === context.req.param('id'));
    const { name } = await context.req.json<{ name: string }>();
    if (!note || note.reactions.has(name))
      return context.json(
        { message: '404 Award Emoji Name has already been taken Not Found' },
        404,
      );
    note.reactions.add(name);
    return context.json({ id: 1, name }, 201);
  });
  app.get(`${at}/members/all/:id`, (context) => {
    const found = [...people].find(([name]) => String(idOf(name)) === context.req.param('id'));
    return found
      ? context.json({ id: idOf(found[0]), state: 'active', access_level: levels[found[1]] })
      : context.json({ message: '404 Not found' }, 404);
  });
}
