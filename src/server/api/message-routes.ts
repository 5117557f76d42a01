// Routes of message targets. An address and a secret are write-only, but for the secret of a webhook, which is shown once.
import type { Hono } from 'hono';
import type { ApiRequestContext, ApiDependencies } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';
import type { ReadValidatedBody } from './validate-body.ts';
import { isRowId } from '../database/row-id.ts';
import { findWorkspaceIds } from './find-workspace-ids.ts';
import {
  parseMessageTargetAddress,
  type GivenUpMessage,
  type MessageTarget,
} from '../store/message-target.ts';
import { isMailAddress } from '../messages/open-mail.ts';
import { makeSigningSecret } from '../messages/write-message.ts';
import type { Schemas } from '../contract.ts';

/** A target of the server's messages about runs, as JSON: a webhook, a Slack channel or a mail address. */
export type MessageTargetJson = Schemas['MessageTarget'];
/** A message that could not be delivered, as JSON. */
export type GivenUpMessageJson = Schemas['DeadMessage'];

/** Adds the API routes of messages and their targets. */
export function addMessageRoutes(
  app: Hono<ApiRequestContext>,
  { store, mail }: ApiDependencies,
  readBody: ReadValidatedBody,
): void {
  const { messages } = store;
  const find = async (name: string): Promise<MessageTarget> => {
    const found = await messages.findTarget(name);
    if (!found) throw new ApiProblemError(404, 'There is no such target');
    return found;
  };
  app.get('/api/v1/message-targets', async (context) =>
    context.json({ targets: (await messages.listTargets()).map(showTarget) }),
  );
  app.post('/api/v1/message-targets', async (context) => {
    const given = await readBody(context.req.raw, 'NewMessageTarget');
    const { name, kind, address, events } = given;
    const place = kind === 'email' ? readMailPlace(address, mail) : readPlace(address);
    const workspaceIds = given.workspaces && (await findWorkspaceIds(store, given.workspaces));
    const secret = kind === 'webhook' ? makeSigningSecret() : undefined;
    const target = { name, kind, site: place.site, events, workspaceIds };
    const made = await context.get('acting').record(
      async () => {
        const secrets = { address: place.address, ...(secret !== undefined && { secret }) };
        const added = await messages.addTarget(target, secrets);
        if (!added) throw new ApiProblemError(409, 'A target with this name exists already');
        return added;
      },
      describe('create', name),
    );
    return context.json({ ...showTarget(made), ...(secret !== undefined && { secret }) }, 201);
  });
  app.delete('/api/v1/message-targets/:name', async (context) => {
    const { name } = await find(context.req.param('name'));
    await context.get('acting').record(() => messages.removeTarget(name), describe('remove', name));
    return context.body(null, 204);
  });
  app.post('/api/v1/message-targets/:name/test', async (context) => {
    const target = await find(context.req.param('name'));
    await context
      .get('acting')
      .record(() => messages.addTest(target), describe('test', target.name));
    return context.json(showTarget(target), 202);
  });
  app.get('/api/v1/messages', async (context) =>
    context.json({ messages: (await messages.listDead()).map(showDead) }),
  );
  app.post('/api/v1/messages/:message/send-again', async (context) => {
    const id = context.req.param('message');
    await context.get('acting').record(
      async () => {
        if (!isRowId(id) || !(await messages.sendAgain(id)))
          throw new ApiProblemError(404, 'There is no such message that was given up');
      },
      () => ({ act: 'message.sendAgain', target: `message/${id}` }),
    );
    return context.json({ id }, 202);
  });
}

/** Address of a message target, and the part of it that is shown. */
interface Place {
  readonly address: string;
  readonly site: string;
}

/** @throws ApiProblemError */
function readPlace(address: string): Place {
  const url = parseMessageTargetAddress(address);
  if (!url) throw explain('address is no https address, or has a user. Its text is not shown.');
  return { address: url.href, site: url.origin };
}

/** @throws ApiProblemError */
function readMailPlace(address: string, mail: ApiDependencies['mail']): Place {
  if (!isMailAddress(address)) throw explain('address is no address of e-mail.');
  if (!mail)
    throw explain(
      'The server has no mail server: set HOSTWRIGHT_SERVER_SMTP_URL and HOSTWRIGHT_SERVER_MAIL_FROM.',
    );
  return { address, site: address };
}

/** Makes the audit entry of an act on a message target. */
function describe(act: string, name: string) {
  return () => ({ act: `messageTarget.${act}`, target: `message-target/${name}` });
}

function explain(detail: string): ApiProblemError {
  return new ApiProblemError(422, 'The body is not valid', detail);
}

function showTarget({
  name,
  kind,
  site,
  events,
  workspaces,
  createdAt,
}: MessageTarget): MessageTargetJson {
  return {
    name,
    kind,
    site,
    events,
    ...(workspaces && { workspaces }),
    createdAt: createdAt.toISOString(),
  };
}

function showDead({ workspace, at, deadAt, ...message }: GivenUpMessage): GivenUpMessageJson {
  return {
    ...message,
    ...(workspace !== undefined && { workspace }),
    at: at.toISOString(),
    givenUpAt: deadAt.toISOString(),
  };
}
