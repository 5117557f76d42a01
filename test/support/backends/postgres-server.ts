// A PostgreSQL server of its own for tests, in a temporary folder and on loopback.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './find-port.ts';

const homes = '/usr/lib/postgresql';

/** Where `initdb` and `postgres` are: of the newest version that Debian's packages have installed, or on the path. */
function findPrograms(): string {
  const names = existsSync(homes) ? readdirSync(homes) : [];
  const [newest] = names.map(Number).sort((left, right) => right - left);
  return newest === undefined ? '' : join(homes, String(newest), 'bin');
}

/** It refuses to run as root, who runs the tests in a container. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** A server that runs. */
export interface PostgresServer {
  /** Its address with user and password. */
  readonly url: string;
  readonly port: number;
  /** Its process: stop and continue it. */
  readonly process: ChildProcess;
  /** Ends it, as an administrator does. */
  stop(): Promise<void>;
  /** Starts it again on the same data. */
  start(): Promise<void>;
  /** Ends it, and removes its data. */
  close(): Promise<void>;
}

/** Makes a server in a few seconds: user `hostwright`, password `secret`, database `postgres`. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-postgres-'));
  if (nobody) chownSync(folder, nobody.uid, nobody.gid);
  const programs = findPrograms();
  const data = join(folder, 'data');
  const passwords = join(folder, 'password');
  await writeFile(passwords, 'secret\n', { mode: 0o644 });
  execFileSync(
    join(programs, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'hostwright',
      '-A',
      'scram-sha-256',
      '--pwfile',
      passwords,
      '-N',
      '-E',
      'UTF8',
    ],
    {
      ...nobody,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const port = await findFreePort();
  const given = [
    ...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'],
    ...['-c', 'unix_socket_directories=', '-c', 'fsync=off', '-c', 'shared_buffers=32MB'],
    ...settings.flatMap((one) => ['-c', one]),
  ];
  let child: ChildProcess;
  const start = async () => {
    child = spawn(join(programs, 'postgres'), given, {
      ...nobody,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilReady(child);
  };
  const stop = async () => {
    if (child.exitCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    // Connections are ended, too.
    child.kill('SIGINT');
    await ended;
  };
  await start();
  return {
    url: `postgres://hostwright:secret@127.0.0.1:${port}/postgres`,
    port,
    get process() {
      return child;
    },
    start,
    stop,
    async close() {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Resolves once it says that it takes connections. */
function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('ready to accept connections')) done();
    });
    child.once('exit', () => fail(new Error(`PostgreSQL did not start: ${said}`)));
  });
}
