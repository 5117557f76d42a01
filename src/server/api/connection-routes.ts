// The connections to git hosts. Tokens and keys go in, and never come out; a webhook secret comes out once.
import type { Hono } from 'hono';
import { makeSecret } from '../secrets/random-secret.ts';
import {
  defaultGitHostAddresses,
  findConnectionSite,
  isGitHostApiAddress,
  parseGitHostAddress,
  type GitHostConnection,
  type GitHostConnectionSecrets,
} from '../hosts/connection.ts';
import { isAppPrivateKey } from '../hosts/github/app-token.ts';
import type { ApiRequestContext, ApiDependencies } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';
import type { ReadValidatedBody } from './validate-body.ts';
import type { Schemas } from '../contract.ts';

/** A connection to a git host, as JSON. */
export type ConnectionJson = Schemas['Connection'];

/** Adds the API routes of connections to git hosts. */
export function addConnectionRoutes(
  app: Hono<ApiRequestContext>,
  { store }: ApiDependencies,
  readBody: ReadValidatedBody,
): void {
  const { connections } = store;
  const find = async (name: string): Promise<GitHostConnection> => {
    const found = await connections.find(name);
    if (!found) throw explainMissing();
    return found;
  };
  const change = async (
    name: string,
    secrets: Partial<GitHostConnectionSecrets>,
  ): Promise<void> => {
    if (!(await connections.changeSecrets(name, secrets))) throw explainMissing();
  };
  app.get('/api/v1/connections', async (context) =>
    context.json({ connections: (await connections.list()).map(showConnection) }),
  );
  app.post('/api/v1/connections', async (context) => {
    const given = await readBody(context.req.raw, 'NewConnection');
    const connection = readNew(given);
    const webhookSecret = makeSecret('hww_');
    const secrets = { ...readSecrets(given), webhookSecret };
    const made = await context.get('acting').record(
      async () => {
        const added = await connections.add(connection, secrets);
        if (!added) throw new ApiProblemError(409, 'A connection with this name exists already');
        return added;
      },
      describe('create', connection.name),
    );
    return context.json({ ...showConnection(made), webhookSecret }, 201);
  });
  app.get('/api/v1/connections/:name', async (context) =>
    context.json(showConnection(await find(context.req.param('name')))),
  );
  app.patch('/api/v1/connections/:name', async (context) => {
    const { name, app: isApp } = await find(context.req.param('name'));
    const given = await readBody(context.req.raw, 'ConnectionEdit');
    requireSecret(given, isApp !== undefined);
    await context
      .get('acting')
      .record(() => change(name, readSecrets(given)), describe('edit', name));
    return context.json(showConnection(await find(name)));
  });
  app.post('/api/v1/connections/:name/webhook-secret', async (context) => {
    const { name } = await find(context.req.param('name'));
    const webhookSecret = makeSecret('hww_');
    await context
      .get('acting')
      .record(() => change(name, { webhookSecret }), describe('replaceWebhookSecret', name));
    return context.json({ ...showConnection(await find(name)), webhookSecret }, 201);
  });
  app.delete('/api/v1/connections/:name', async (context) => {
    const { name } = await find(context.req.param('name'));
    await context.get('acting').record(
      async () => {
        if (!(await connections.remove(name)))
          throw new ApiProblemError(
            409,
            'A workspace uses this connection',
            'Edit the workspace first.',
          );
      },
      describe('remove', name),
    );
    return context.body(null, 204);
  });
}

function explainMissing(): ApiProblemError {
  return new ApiProblemError(404, 'There is no such connection');
}

/** Makes the audit entry of an act on a connection. */
function describe(act: string, name: string) {
  return () => ({ act: `connection.${act}`, target: `connection/${name}` });
}

function readNew(
  given: Schemas['NewConnection'],
): Pick<GitHostConnection, 'name' | 'kind' | 'address' | 'app'> {
  const { name, kind, appId: id, installationId: installation } = given;
  const address = parseGitHostAddress(given.address ?? defaultGitHostAddresses[kind]);
  if (address === undefined || !isGitHostApiAddress({ kind, address })) {
    const example =
      kind === 'github' ? 'https://github.example.com/api/v3' : 'https://gitlab.example.com';
    throw explainBody(`address is no address of an API. Write it as ${example}.`);
  }
  const isApp = id !== undefined && installation !== undefined;
  if (isApp !== (id !== undefined || installation !== undefined))
    throw explainBody('An App needs both appId and installationId.');
  if (isApp && kind === 'gitlab') throw explainBody('GitLab has no Apps. Give a token.');
  requireSecret(given, isApp);
  return { name, kind, address, app: isApp ? { id, installation } : undefined };
}

/** @throws ApiProblemError unless it has exactly the secret that it can use */
function requireSecret({ token, privateKey }: Schemas['ConnectionEdit'], isApp: boolean): void {
  if (isApp) {
    if (privateKey === undefined || token !== undefined)
      throw explainBody('An App needs its privateKey, and no token.');
    if (!isAppPrivateKey(privateKey))
      throw explainBody('privateKey is no RSA private key in PEM. Its text is not shown.');
    return;
  }
  if (token === undefined || privateKey !== undefined)
    throw explainBody('A connection needs a token, or all of an App.');
}

function readSecrets({ token, privateKey }: Schemas['ConnectionEdit']): Schemas['ConnectionEdit'] {
  return {
    ...(token !== undefined && { token }),
    ...(privateKey !== undefined && { privateKey }),
  };
}

function explainBody(detail: string): ApiProblemError {
  return new ApiProblemError(422, 'The body is not valid', detail);
}

function showConnection(connection: GitHostConnection): ConnectionJson {
  const { name, kind, address, app, createdAt } = connection;
  return {
    name,
    kind,
    address,
    site: findConnectionSite(connection),
    ...(app && { appId: app.id, installationId: app.installation }),
    webhookPath: `/webhooks/${name}`,
    createdAt: createdAt.toISOString(),
  };
}
