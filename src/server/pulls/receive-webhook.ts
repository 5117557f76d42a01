// A webhook comes in: checked, kept, and answered. What follows from it is done later, by whichever process comes to it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readRequestBody } from '../access/read-body.ts';
import { ApiProblemError } from '../errors/problem.ts';
import {
  findRepositoryPathAtHost,
  type GitHostConnection,
  type GitHostKind,
} from '../hosts/connection.ts';
import { readGitlabEvent } from '../hosts/gitlab/read-gitlab-event.ts';
import {
  type WebhookPayloadPart,
  type WebhookEventResult,
  readCommentCommand,
  readPayloadPart,
  readPullEvent,
  readPushEvent,
  readPayloadText,
  toPayloadPart,
} from '../hosts/host-event.ts';
import { isSameSecret } from '../secrets/random-secret.ts';
import type { WebhookDeliveryAnswer } from '../store/deliveries.ts';
import type { ServerStore } from '../store/store.ts';

const maxBytes = 5 * 1024 * 1024;

/** Warnings of webhooks for the operators' log. */
export interface WebhookLog {
  readonly warn: (text: string) => void;
  /** Warns about what anybody can send, limited so that it cannot fill the log. */
  readonly warnOfStranger: (text: string) => void;
}

/**
 * Receives a webhook for a connection, and queues its event.
 * @throws ApiProblemError for a webhook that is not from the connection's host, or cannot be read
 */
export async function receiveWebhook(
  store: ServerStore,
  name: string,
  request: Request,
  { warn, warnOfStranger }: WebhookLog,
): Promise<WebhookDeliveryAnswer> {
  const connection = await store.connections.find(name);
  const { headers } = request;
  // The same answer is given for an unknown connection, so that strangers learn no names.
  if (!connection)
    throw new ApiProblemError(401, 'The webhook is not signed by a host that is known');
  const { kind } = connection;
  const { webhookSecret } = await store.connections.readSecrets(name);
  const refuse = () => {
    warnOfStranger(
      `A webhook for the connection ${name} was refused: its signature does not match the secret. Set the secret of the webhook at the host again, or make a new one in Git hosts.`,
    );
    return new ApiProblemError(401, 'The webhook is not signed by a host that is known');
  };
  if (!isSigned(kind, headers, webhookSecret)) throw refuse();
  const body = await readRequestBody(
    request,
    maxBytes,
    () => new ApiProblemError(413, 'The webhook is larger than 5 MB'),
  );
  if (!isBodySigned(kind, headers, webhookSecret, body)) throw refuse();
  const delivery = readDeliveryId(kind, headers, body);
  if (delivery === undefined) throw new ApiProblemError(400, 'The webhook has no delivery id');
  const known = await store.deliveries.findAnswer(name, delivery);
  if (known) return known;
  const read = readEvent(connection, readEventName(kind, headers), readJson(body));
  const answer = await describe(store, connection, read, warn);
  const event = answer.status === 'accepted' && 'event' in read ? read.event : undefined;
  // An event of a pull request names a moment or a comment, and never comes twice. A push may: a branch can go to and fro, and so
  // can an approval.
  const isRepeatable = event?.kind === 'push' || event?.kind === 'review';
  const digest = event && !isRepeatable ? digestBody(body) : undefined;
  const isNew = await store.deliveries.add({ connection: name, delivery, digest }, answer, event);
  return isNew ? answer : ((await store.deliveries.findAnswer(name, delivery)) ?? repeated);
}

const repeated: WebhookDeliveryAnswer = {
  status: 'ignored',
  reason: 'The same body came before, under another delivery id.',
};

function readEvent(
  { kind }: GitHostConnection,
  name: string,
  payload: WebhookPayloadPart,
): WebhookEventResult {
  return kind === 'github' ? readGithubEvent(name, payload) : readGitlabEvent(name, payload);
}

async function describe(
  store: ServerStore,
  connection: GitHostConnection,
  read: WebhookEventResult,
  warn: (text: string) => void,
): Promise<WebhookDeliveryAnswer> {
  if ('ignored' in read) return { status: 'ignored', reason: read.ignored };
  const { repository } = read.event;
  if ((await listWorkspacesOfRepository(store, connection, repository)).length > 0)
    return { status: 'accepted' };
  const shown = JSON.stringify(repository.slice(0, 200));
  warn(
    `A webhook of the connection ${connection.name} is about ${shown}, which no workspace uses.`,
  );
  return { status: 'ignored', reason: 'No workspace uses this repository.' };
}

/** Lists the workspaces that have a repository at a git host. */
export async function listWorkspacesOfRepository(
  { workspaces }: Pick<ServerStore, 'workspaces'>,
  connection: GitHostConnection,
  repository: string,
) {
  const wanted = repository.toLowerCase();
  const near = await workspaces.listAt(connection.name, repository);
  return near.filter(
    (one) => findRepositoryPathAtHost(connection, one.repository)?.toLowerCase() === wanted,
  );
}

function readJson(body: Buffer): WebhookPayloadPart {
  try {
    const payload: unknown = JSON.parse(body.toString('utf8'));
    // A list is no event that anybody follows, and no fault.
    if (typeof payload === 'object' && payload !== null) return toPayloadPart(payload) ?? {};
  } catch {
    // A body that is no JSON is refused below.
  }
  throw new ApiProblemError(
    400,
    'The webhook is not JSON',
    'Set its content type to application/json.',
  );
}

// Checks that a webhook is from the host of a connection, and finds the id of its delivery.

/** Tells whether a request carries the proof that is needed before its body is read. */
function isSigned(kind: GitHostKind, headers: Headers, secret: string): boolean {
  if (kind === 'github') return readSignature(headers) !== undefined;
  // GitLab sends the secret itself.
  const given = headers.get('x-gitlab-token') ?? '';
  return isSameSecret(given, secret);
}

/** Tells whether the proof fits the bytes of the body. */
function isBodySigned(kind: GitHostKind, headers: Headers, secret: string, body: Buffer): boolean {
  if (kind === 'gitlab') return true;
  const given = readSignature(headers);
  const wanted = createHmac('sha256', secret).update(body).digest();
  return given !== undefined && timingSafeEqual(given, wanted);
}

function readSignature(headers: Headers): Buffer | undefined {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(headers.get('x-hub-signature-256') ?? '') ?? [];
  return hex === undefined ? undefined : Buffer.from(hex, 'hex');
}

/** Which event it is about. */
function readEventName(kind: GitHostKind, headers: Headers): string {
  return headers.get(kind === 'github' ? 'x-github-event' : 'x-gitlab-event') ?? '';
}

/** Id of a delivery, which its repetitions share. Where GitLab gives none, a digest of the body serves as one. */
function readDeliveryId(kind: GitHostKind, headers: Headers, body: Buffer): string | undefined {
  const names =
    kind === 'github' ? ['x-github-delivery'] : ['idempotency-key', 'x-gitlab-event-uuid'];
  const given = names.map((name) => headers.get(name)).find((one) => one !== null);
  if (given != null) return /^[\w.:-]{1,200}$/.test(given) ? given : undefined;
  if (kind === 'github') return undefined;
  return `body:${digestBody(body)}`;
}

/** Digest of the body alone: headers are not signed, so they must not change it. */
function digestBody(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Actions on a pull request after which its commits, its base or its state are others. */
const pullActions = new Set(['opened', 'synchronize', 'reopened', 'closed']);

/** States of a new review that says yes or no. */
const reviewStates = new Set(['approved', 'changes_requested']);

/** Reads a webhook of GitHub. `name` is from `X-GitHub-Event`. */
export function readGithubEvent(name: string, payload: WebhookPayloadPart): WebhookEventResult {
  const repository = readPayloadText(readPayloadPart(payload, 'repository'), 'full_name');
  const action = readPayloadText(payload, 'action');
  switch (name) {
    case 'ping':
      return { ignored: 'The webhook works.' };
    case 'push':
      return readPushEvent(
        repository,
        readPayloadText(payload, 'ref'),
        readPayloadText(payload, 'after'),
      );
    case 'pull_request': {
      const isRebased = readPayloadPart(readPayloadPart(payload, 'changes'), 'base') !== undefined;
      if (!pullActions.has(action) && !(action === 'edited' && isRebased))
        return { ignored: `Nothing follows from ${action} of a pull request.` };
      return readPullEvent(repository, readPayloadText(payload, 'number'));
    }
    case 'pull_request_review': {
      const state = readPayloadText(readPayloadPart(payload, 'review'), 'state');
      if (action !== 'dismissed' && !(action === 'submitted' && reviewStates.has(state)))
        return { ignored: `Nothing follows from ${action} of a review.` };
      const pull = readPayloadPart(payload, 'pull_request');
      return readPullEvent(repository, readPayloadText(pull, 'number'), 'review');
    }
    case 'merge_group':
      return readGroup(repository, action, readPayloadPart(payload, 'merge_group'));
    case 'issue_comment':
      return readComment(repository, action, payload);
    default:
      return { ignored: 'Nothing follows from this event.' };
  }
}

function readGroup(
  repository: string,
  action: string,
  group: WebhookPayloadPart,
): WebhookEventResult {
  const commit = readPayloadText(group, 'head_sha');
  const base = readPushEvent(repository, readPayloadText(group, 'base_ref'), commit);
  const [, number] = /\/pr-([1-9]\d{0,8})-/.exec(readPayloadText(group, 'head_ref')) ?? [];
  if (
    action !== 'checks_requested' ||
    !('event' in base) ||
    base.event.kind !== 'push' ||
    number === undefined
  )
    return { ignored: `Nothing follows from ${action} of a merge group.` };
  const { branch } = base.event;
  const before = readPayloadText(group, 'base_sha');
  return { event: { kind: 'group', repository, branch, before, commit, number: Number(number) } };
}

function readComment(
  repository: string,
  action: string,
  payload: WebhookPayloadPart,
): WebhookEventResult {
  const issue = readPayloadPart(payload, 'issue');
  const comment = readPayloadPart(payload, 'comment');
  const command = readCommentCommand(comment?.body);
  // An edit may put words into the comment of somebody else.
  if (action !== 'created' || !command || !readPayloadPart(issue, 'pull_request'))
    return { ignored: 'The comment is no command.' };
  const read = readPullEvent(repository, readPayloadText(issue, 'number'));
  const user = readPayloadPart(comment, 'user');
  const name = readPayloadText(user, 'login');
  if (!('event' in read) || read.event.kind !== 'pull' || name === '') return read;
  // A name may be of somebody else one day.
  const person = { id: readPayloadText(user, 'id') || name, name };
  const id = readPayloadText(comment, 'id');
  const made = { ...read.event, kind: 'comment', person, command } as const;
  return { event: id === '' ? made : { ...made, comment: id } };
}
