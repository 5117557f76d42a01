// The server's interface and pages in this process, on a real database: without workers, so that runs only wait.
import type { Hono } from 'hono';
import { Client } from 'pg';
import { createFirstAdminToken } from '../../../src/server/access/admin-token.ts';
import { adoptServerKey } from '../../../src/server/access/confirm-key.ts';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import type { ApiRequestContext } from '../../../src/server/api/api-means.ts';
import { createApiRoutes } from '../../../src/server/api/open-api.ts';
import type { DurableRunEngine, WaitingRun } from '../../../src/server/engine/durable-engine.ts';
import type { MailSender } from '../../../src/server/messages/open-mail.ts';
import { openGitHosts } from '../../../src/server/hosts/open-hosts.ts';
import { openOidcProvider } from '../../../src/server/oidc/open-oidc.ts';
import type { OidcSettings } from '../../../src/server/oidc/read-oidc-settings.ts';
import type { CheckWorkspaceSource } from '../../../src/server/sources/check-source.ts';
import { openWorkspaceStateGateway } from '../../../src/server/states/open-states.ts';
import { openServerDatabase } from '../../../src/server/database/database.ts';
import { assembleServerStore, type ServerStore } from '../../../src/server/store/store.ts';
import { disabledTracing } from '../../../src/server/traces/tracing.ts';
import { addWebPageRoutes } from '../../../src/server/web/add-pages.ts';
import type { Runtime } from '../../../src/model/runtime.ts';
import { silentRuntime } from '../silent-runtime.ts';
import { makeServerDatabase } from './server-database.ts';

/** A request of a program. */
interface Asked {
  /** That of the administrator unless given. */
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

/** All of it. */
export interface PagesRig {
  readonly app: Hono<ApiRequestContext>;
  readonly store: ServerStore;
  readonly engine: DurableRunEngine;
  readonly adminToken: string;
  readonly databaseUrl: string;
  /** What operators were told. */
  readonly warnings: readonly string[];
  /** How many statements the server has sent so far. */
  readonly countStatements: () => number;
  /** Asks the server as a program does. */
  readonly send: (method: string, path: string, asked?: Asked) => Promise<Response>;
  /** Asks the database itself. */
  readonly ask: (statement: string, values?: readonly unknown[]) => Promise<unknown[]>;
  readonly close: () => Promise<void>;
}

/** Where people reach the server of the rig, unless another address is given. */
export const origin = 'http://127.0.0.1:8090';

/** The key of the server of the rig. */
export const serverKey = 'a key of a server that only tests know';

/** What can be otherwise. */
export interface RigSettings {
  readonly publicUrl?: string;
  readonly mail?: MailSender;
  /** Where people sign in. */
  readonly provider?: OidcSettings;
  /** Parts of the runtime, such as a network. */
  readonly runtime?: Partial<Runtime>;
  /** Checks the repositories of workspaces. Each is taken as it is unless given. */
  readonly checkSource?: CheckWorkspaceSource;
}

/** Opens it. */
export async function openPagesRig(given: RigSettings = {}): Promise<PagesRig> {
  const { publicUrl, provider } = given;
  const postgres = await makeServerDatabase();
  const database = await openServerDatabase(postgres.url);
  let statements = 0;
  const counted = {
    ...database,
    ask: (async (...given) => {
      statements += 1;
      return database.ask(...given);
    }) as typeof database.ask,
  };
  const keyring = openServerKeyring([serverKey]);
  const store = assembleServerStore(counted, keyring);
  await adoptServerKey(store);
  const adminToken = (await createFirstAdminToken(store.settings)) ?? '';
  const warnings: string[] = [];
  const runtime = { ...silentRuntime, ...given.runtime };
  const hosts = openGitHosts(store.connections, runtime);
  const means = {
    ...{ store, engine: openQueue(), hosts, runtime, version: '0', publicUrl },
    stopping: new AbortController().signal,
    warn: (text: string) => void warnings.push(text),
    now: given.runtime?.clock ? () => runtime.clock.now() : () => Date.now(),
    checkSource: given.checkSource ?? (() => Promise.resolve(undefined)),
    mail: given.mail,
    tracing: disabledTracing,
    readHealth: () => Promise.resolve({}),
    states: openWorkspaceStateGateway(postgres.url, silentRuntime.clock),
  };
  const oidc = provider && (await openOidcProvider(provider, keyring, means.now));
  const app = await createApiRoutes({ ...means, oidc });
  addWebPageRoutes(app, { ...means, oidc });
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  return {
    ...{
      app,
      store,
      engine: means.engine,
      adminToken,
      databaseUrl: postgres.url,
      warnings,
      countStatements: () => statements,
    },
    send: async (
      method,
      path,
      { token = adminToken, body, headers, address = '192.0.2.1' } = {},
    ) => {
      const request = new Request(`${origin}${path}`, {
        ...{ method, headers: { authorization: `Bearer ${token}`, ...headers } },
        ...(body && { body: JSON.stringify(body) }),
      });
      return app.fetch(request, { address });
    },
    ask: async (statement, values = []) =>
      (await client.query<Record<string, unknown>>(statement, [...values])).rows,
    close: async () => {
      await client.end();
      await means.states.close();
      await database.close();
      await postgres.close();
    },
  };
}

/** An engine that keeps runs in order, and carries none out. */
function openQueue(): DurableRunEngine {
  const waiting: WaitingRun[] = [];
  return {
    enqueue: ({ id, workspaceId }, queue) =>
      Promise.resolve(void waiting.push({ id, workspaceId, isPreview: queue === 'previews' })),
    cancel: (id) => {
      const index = waiting.findIndex((one) => one.id === id);
      if (index >= 0) waiting.splice(index, 1);
      return Promise.resolve();
    },
    schedule: () => Promise.resolve(),
    list: () => Promise.resolve(waiting),
    recover: () => Promise.resolve([]),
    adopt: () => Promise.resolve([]),
    forget: () => Promise.resolve(0),
    close: () => Promise.resolve(),
  };
}
