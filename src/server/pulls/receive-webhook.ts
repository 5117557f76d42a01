// A webhook comes in: checked, kept, and answered. What follows from it is done later, by whichever process comes to it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readRequestBody } from '../access/read-body.ts';
import { Problem } from '../errors/problem.ts';
import { findRepositoryPath, type HostConnection, type HostKind } from '../hosts/connection.ts';
import { readGitlabEvent } from '../hosts/gitlab/read-gitlab-event.ts';
import { type Part, type ReadEvent, readCommand, readPart, readPull, readPush, readEventText } from '../hosts/host-event.ts';
import { isSameSecret } from '../secrets/random-secret.ts';
import type { DeliveryAnswer } from '../store/deliveries.ts';
import type { Store } from '../store/store.ts';

const maxBytes = 5 * 1024 * 1024;

/** Writes to the operators' log what webhooks bring up. */
export interface WebhookWords {
  readonly warn: (text: string) => void;
  /** Warns about what anybody can send, limited so that it cannot fill the log. */
  readonly warnOfStranger: (text: string) => void;
}

/** Takes a webhook for a connection. @throws Problem for one that is not from its host, or cannot be read */
export async function receiveWebhook(
  store: Store,
  name: string,
  request: Request,
  { warn, warnOfStranger }: WebhookWords,
): Promise<DeliveryAnswer> {
  const connection = await store.connections.find(name);
  const { headers } = request;
  // The same answer is given for an unknown connection, so that strangers learn no names.
  if (!connection) throw new Problem(401, 'The webhook is not signed by a host that is known');
  const { kind } = connection;
  const { webhookSecret } = await store.connections.readSecrets(name);
  const refuse = () => {
    warnOfStranger(
      `A webhook for the connection ${name} was refused: its signature does not match the secret. Set the secret of the webhook at the host again, or make a new one in Git hosts.`,
    );
    return new Problem(401, 'The webhook is not signed by a host that is known');
  };
  if (!isSigned(kind, headers, webhookSecret)) throw refuse();
  const body = await readRequestBody(
    request,
    maxBytes,
    () => new Problem(413, 'The webhook is larger than 5 MB'),
  );
  if (!isBodySigned(kind, headers, webhookSecret, body)) throw refuse();
  const delivery = readDeliveryId(kind, headers, body);
  if (delivery === undefined) throw new Problem(400, 'The webhook has no delivery id');
  const known = await store.deliveries.findAnswer(name, delivery);
  if (known) return known;
  const read = readEvent(connection, readEventName(kind, headers), readJson(body));
  const answer = await describe(store, connection, read, warn);
  const event = answer.status === 'accepted' && 'event' in read ? read.event : undefined;
  // An event of a pull request names a moment or a comment, and never comes twice. A push may: a branch can go to and fro.
  const digest = event && event.kind !== 'push' ? digestBody(body) : undefined;
  const isNew = await store.deliveries.add({ connection: name, delivery, digest }, answer, event);
  return isNew ? answer : ((await store.deliveries.findAnswer(name, delivery)) ?? repeated);
}

const repeated: DeliveryAnswer = {
  status: 'ignored',
  reason: 'The same body came before, under another delivery id.',
};

function readEvent({ kind }: HostConnection, name: string, payload: Part): ReadEvent {
  return kind === 'github' ? readGithubEvent(name, payload) : readGitlabEvent(name, payload);
}

async function describe(
  store: Store,
  connection: HostConnection,
  read: ReadEvent,
  warn: (text: string) => void,
): Promise<DeliveryAnswer> {
  if ('ignored' in read) return { status: 'ignored', reason: read.ignored };
  const { repository } = read.event;
  if ((await listWorkspacesAt(store, connection, repository)).length > 0)
    return { status: 'accepted' };
  const shown = JSON.stringify(repository.slice(0, 200));
  warn(
    `A webhook of the connection ${connection.name} is about ${shown}, which no workspace uses.`,
  );
  return { status: 'ignored', reason: 'No workspace uses this repository.' };
}

/** Lists the workspaces that have a repository at a git host. */
export async function listWorkspacesAt(
  { workspaces }: Pick<Store, 'workspaces'>,
  connection: HostConnection,
  repository: string,
) {
  const wanted = repository.toLowerCase();
  const near = await workspaces.listAt(connection.name, repository);
  return near.filter(
    (one) => findRepositoryPath(connection, one.repository)?.toLowerCase() === wanted,
  );
}

function readJson(body: Buffer): Part {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Part;
  } catch {
    // A body that is no JSON is refused below.
  }
  throw new Problem(400, 'The webhook is not JSON', 'Set its content type to application/json.');
}

// Checks that a webhook is from the host of a connection, and finds the id of its delivery.


/** Tells whether a request carries the proof that is needed before its body is read. */
function isSigned(kind: HostKind, headers: Headers, secret: string): boolean {
  if (kind === 'github') return readSignature(headers) !== undefined;
  // GitLab sends the secret itself.
  const given = headers.get('x-gitlab-token') ?? '';
  return isSameSecret(given, secret);
}

/** Tells whether the proof fits the bytes of the body. */
function isBodySigned(
  kind: HostKind,
  headers: Headers,
  secret: string,
  body: Buffer,
): boolean {
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
function readEventName(kind: HostKind, headers: Headers): string {
  return headers.get(kind === 'github' ? 'x-github-event' : 'x-gitlab-event') ?? '';
}

/** The same for a delivery and its repetitions. Where GitLab does not number them, what it sends is the id. */
function readDeliveryId(kind: HostKind, headers: Headers, body: Buffer): string | undefined {
  const names =
    kind === 'github' ? ['x-github-delivery'] : ['idempotency-key', 'x-gitlab-event-uuid'];
  const given = names.map((name) => headers.get(name)).find((one) => one !== null);
  if (given != null) return /^[\w.:-]{1,200}$/.test(given) ? given : undefined;
  if (kind === 'github') return undefined;
  return `body:${digestBody(body)}`;
}

/** The same for the same bytes: no header, which nobody signs, changes it. */
function digestBody(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Actions on a pull request after which its commits, its base or its state are others. */
const pullActions = new Set(['opened', 'synchronize', 'reopened', 'closed']);

/** Reads a webhook of GitHub. `name` is from `X-GitHub-Event`. */
export function readGithubEvent(name: string, payload: Part): ReadEvent {
  const repository = readEventText(readPart(payload, 'repository'), 'full_name');
  const action = readEventText(payload, 'action');
  switch (name) {
    case 'ping':
      return { ignored: 'The webhook works.' };
    case 'push':
      return readPush(repository, readEventText(payload, 'ref'), readEventText(payload, 'after'));
    case 'pull_request': {
      const isRebased = readPart(readPart(payload, 'changes'), 'base') !== undefined;
      if (!pullActions.has(action) && !(action === 'edited' && isRebased))
        return { ignored: `Nothing follows from ${action} of a pull request.` };
      return readPull(repository, readEventText(payload, 'number'));
    }
    case 'merge_group':
      return readGroup(repository, action, readPart(payload, 'merge_group'));
    case 'issue_comment':
      return readComment(repository, action, payload);
    default:
      return { ignored: 'Nothing follows from this event.' };
  }
}

function readGroup(repository: string, action: string, group: Part): ReadEvent {
  const commit = readEventText(group, 'head_sha');
  const base = readPush(repository, readEventText(group, 'base_ref'), commit);
  const [, number] = /\/pr-([1-9]\d{0,8})-/.exec(readEventText(group, 'head_ref')) ?? [];
  if (
    action !== 'checks_requested' ||
    !('event' in base) ||
    base.event.kind !== 'push' ||
    number === undefined
  )
    return { ignored: `Nothing follows from ${action} of a merge group.` };
  const { branch } = base.event;
  const before = readEventText(group, 'base_sha');
  return { event: { kind: 'group', repository, branch, before, commit, number: Number(number) } };
}

function readComment(repository: string, action: string, payload: Part): ReadEvent {
  const issue = readPart(payload, 'issue');
  const comment = readPart(payload, 'comment');
  const command = readCommand(comment?.body);
  // An edit may put words into the comment of somebody else.
  if (action !== 'created' || !command || !readPart(issue, 'pull_request'))
    return { ignored: 'The comment is no command.' };
  const read = readPull(repository, readEventText(issue, 'number'));
  const user = readPart(comment, 'user');
  const name = readEventText(user, 'login');
  if (!('event' in read) || read.event.kind !== 'pull' || name === '') return read;
  // A name may be of somebody else one day.
  const person = { id: readEventText(user, 'id') || name, name };
  const id = readEventText(comment, 'id');
  const made = { ...read.event, kind: 'comment', person, command } as const;
  return { event: id === '' ? made : { ...made, comment: id } };
}
