// A webhook comes in: checked, kept, and answered. What follows from it is done later, by whichever process comes to it.
import { readRequestBody } from '../access/read-body.ts';
import { Problem } from '../errors/problem.ts';
import type { Store } from '../store/store.ts';
import type { DeliveryAnswer } from '../store/deliveries.ts';
import { findRepositoryPath, type HostConnection } from '../hosts/connection.ts';
import { readGithubEvent } from '../hosts/github/read-github-event.ts';
import { readGitlabEvent } from '../hosts/gitlab/read-gitlab-event.ts';
import {
  digestBody,
  isBodySigned,
  isSigned,
  readDeliveryId,
  readEventName,
} from '../hosts/check-delivery.ts';
import type { Part, ReadEvent } from '../hosts/host-event.ts';

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
