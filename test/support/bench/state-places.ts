// Where a bench keeps a state: each medium of its own, near and far.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { openProcessClock } from '../../../src/cli/clock.ts';
import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { openStateConnectionPool } from '../../../src/state/backends/postgres/open-pool.ts';
import { openGitBackend } from '../../../src/state/backends/git/open-git-backend.ts';
import { openHttpBackend } from '../../../src/state/backends/http/open-http-backend.ts';
import { openS3Backend } from '../../../src/state/backends/s3/open-s3-backend.ts';
import { makeGitRemote } from '../backends/git-remote.ts';
import { openHttpStateDouble } from '../backends/http-state-double.ts';
import { openS3Double } from '../backends/s3-double.ts';
import { openProxy } from '../backends/unreliable-proxy.ts';
import type { NetworkConnections } from '../../../src/model/http.ts';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import type { PostgresServer } from '../backends/postgres-server.ts';

/** What the process that measures is told: where the backend is, and where that of the large state is. */
export interface Opened {
  readonly kind: 'local' | 'postgres' | 's3' | 'http' | 'git';
  /** A port, the address of a server, or the path of a repository. */
  readonly at: string;
  readonly largeAt: string;
  readonly trips?: () => number;
  readonly close?: () => Promise<unknown>;
}

/** A place of the state. */
export interface Place {
  readonly name: string;
  readonly open: () => Promise<Opened>;
}

/** How far away what is not on this machine is. */
const farMs = 20;

/** The places; `server` is that of PostgreSQL. */
export function listPlaces(server: PostgresServer): readonly Place[] {
  const postgres = async (delayMs: number): Promise<Opened> => {
    const proxy = await openProxy(server.port, undefined, delayMs / 2);
    const at = String(proxy.port);
    return { kind: 'postgres', at, largeAt: at, trips: proxy.trips, close: () => proxy.close() };
  };
  const bucket = async (latencyMs: number): Promise<Opened> => {
    const double = await openS3Double({ latencyMs });
    const { endpoint: at } = double;
    const trips = () => double.heard.length;
    return { kind: 's3', at, largeAt: at, trips, close: () => double.close() };
  };
  const state = async (latencyMs: number): Promise<Opened> => {
    const one = await openHttpStateDouble({ latencyMs, isForgetful: true });
    const large = await openHttpStateDouble({ latencyMs, isForgetful: true });
    const trips = () => one.heard.length + large.heard.length;
    const close = () => Promise.all([one.close(), large.close()]);
    return { kind: 'http', at: one.address, largeAt: large.address, trips, close };
  };
  const branch = async (): Promise<Opened> => {
    const remote = await makeGitRemote();
    return { kind: 'git', at: remote.path, largeAt: remote.path, close: () => remote.remove() };
  };
  const own = String(server.port);
  const here = (kind: Opened['kind'], at: string): Promise<Opened> =>
    Promise.resolve({ kind, at, largeAt: at });
  return [
    { name: 'a directory', open: () => here('local', '-') },
    { name: 'PostgreSQL', open: () => here('postgres', own) },
    { name: 'PostgreSQL, by a proxy', open: () => postgres(0) },
    { name: `PostgreSQL, ${farMs} ms away`, open: () => postgres(farMs) },
    { name: 'S3', open: () => bucket(0) },
    { name: `S3, ${farMs} ms away`, open: () => bucket(farMs) },
    { name: 'http', open: () => state(0) },
    { name: `http, ${farMs} ms away`, open: () => state(farMs) },
    { name: 'git', open: branch },
  ];
}

/** What a process opens of a place, and how it is closed. */
export async function openBackend(
  [kind, at]: readonly [Opened['kind'], string],
  name: string,
  directory: string,
): Promise<StateBackend> {
  const clock = openProcessClock();
  switch (kind) {
    case 'local':
      return openLocalBackend(join(directory, name));
    case 'postgres':
      return openPostgresBackend({
        ...{ schema: 'bench', name, clock },
        openPool: () =>
          openStateConnectionPool({
            connectionString: `postgres://hostwright:secret@127.0.0.1:${at}/postgres`,
          }),
        database: `127.0.0.1:${at}`,
      });
    case 's3': {
      const network = openLazyNetwork({}, { maxConnections: 8 });
      const { exchange } = network;
      const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret' };
      const where = { endpoint: at, bucket: 'infra', region: 'eu-central-1', isPathStyle: true };
      return closing(openS3Backend({ ...where, key: name, credentials, exchange, clock }), network);
    }
    case 'http': {
      const network = openLazyNetwork({}, { maxConnections: 8 });
      const { exchange } = network;
      return closing(
        openHttpBackend({ address: at, exchange, clock, warn: () => undefined }),
        network,
      );
    }
    case 'git': {
      const work = join(directory, name);
      const git = (...args: readonly string[]) => execFileSync('git', [...args]);
      git('init', '--quiet', work);
      git('-C', work, 'remote', 'add', 'origin', at);
      return openGitBackend({ directory: work, branch: name, clock, env: process.env });
    }
  }
}

function closing(backend: StateBackend, network: NetworkConnections): StateBackend {
  return { ...backend, close: () => backend.close().then(() => network.close()) };
}
