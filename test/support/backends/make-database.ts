// A database for a file of tests, on one PostgreSQL server for all files that a process runs: to copy a database takes a tenth
// of the time that a server needs to start.
import { Socket } from 'node:net';
import { Client } from 'pg';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

/** A database that nobody else uses. */
export interface TestDatabase {
  /** Its address with user and password. */
  readonly url: string;
  /** Removes it, whoever is still connected. */
  close(): Promise<void>;
}

/** Tables that a database begins with. They are made once. */
export interface DatabaseTemplate {
  readonly name: string;
  /** Makes them, and leaves no connection. */
  readonly prepare: (url: string) => Promise<void>;
}

interface SharedServer {
  readonly postgres: PostgresServer;
  readonly templates: Map<string, Promise<void>>;
  count: number;
}

/** Files share no modules where they belong to several projects, and the process still has one server. */
const shared = globalThis as { hostwrightTestServer?: Promise<SharedServer> };

/** Makes a database, empty unless a template is given. */
export async function makeDatabase(template?: DatabaseTemplate): Promise<TestDatabase> {
  const server = await (shared.hostwrightTestServer ??= openSharedServer());
  if (template) {
    const { name, prepare } = template;
    let made = server.templates.get(name);
    if (!made) {
      made = create(server, name).then(() => prepare(findUrl(server, name)));
      server.templates.set(name, made);
    }
    await made;
  }
  server.count += 1;
  const name = `tests_${server.count}`;
  await create(server, name, template?.name);
  return {
    url: findUrl(server, name),
    close: () => ask(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function openSharedServer(): Promise<SharedServer> {
  const postgres = await startPostgres(['max_connections=300']);
  // The process ends when its tests have, and the server behind it.
  const { process } = postgres;
  process.unref();
  if (process.stderr instanceof Socket) process.stderr.unref();
  return { postgres, templates: new Map(), count: 0 };
}

const findUrl = ({ postgres }: SharedServer, name: string): string =>
  Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;

const create = (server: SharedServer, name: string, template = 'template0'): Promise<void> =>
  ask(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);

async function ask({ postgres }: SharedServer, statement: string): Promise<void> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
