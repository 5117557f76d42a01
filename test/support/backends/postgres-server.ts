// A PostgreSQL server of its own for tests, in a temporary folder and on loopback.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './find-port.ts';
import { copyCluster, findPrograms, nobody } from './postgres-cluster.ts';

/** Why a server cannot have a small disk here; undefined where it can. */
export function findDiskHindrance(): string | undefined {
  if (!nobody) return 'only root can mount';
  const mount = 'mount -t tmpfs -o size=1m tmpfs /mnt';
  const { status, error, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', mount], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `unshare: ${error?.message ?? stderr}`;
}

/** The command, as seen by nobody else: with a disk of so many megabytes at a path. */
function withDisk(path: string, megabytes: number, command: readonly string[]): string[] {
  const { uid = 0, gid = 0 } = nobody ?? {};
  const mount = `mount -t tmpfs -o size=${megabytes}m,mode=0700,uid=${uid},gid=${gid} tmpfs "$0"`;
  const drop = `setpriv --reuid=${uid} --regid=${gid} --clear-groups`;
  return ['unshare', '--mount', 'sh', '-c', `${mount} && exec ${drop} "$@"`, path, ...command];
}

/** A server that runs. */
export interface PostgresServer {
  /** Its address with user and password. */
  readonly url: string;
  readonly port: number;
  /** The directory of its small disk, where it has one: for a tablespace. */
  readonly disk: string;
  /** Fills that disk with something else. */
  fillDisk(): void;
  /** Removes what filled it. */
  freeDisk(): void;
  /** Its process: stop and continue it. */
  readonly process: ChildProcess;
  /** Ends it, as an administrator does. */
  stop(): Promise<void>;
  /** Starts it again on the same data. */
  start(): Promise<void>;
  /** Ends it, and removes its data. */
  close(): Promise<void>;
}

/**
 * Makes a server in a second: user `hostwright`, password `secret`, database `postgres`. Its log and that database are
 * on the disk of this machine; with `diskMegabytes`, it has a small one beside.
 */
export async function startPostgres(
  settings: readonly string[] = [],
  { diskMegabytes }: { readonly diskMegabytes?: number } = {},
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-postgres-'));
  if (nobody) chownSync(folder, nobody.uid, nobody.gid);
  const data = join(folder, 'data');
  copyCluster(data);
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const port = await findFreePort();
  const given = [
    ...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'],
    ...['-c', 'unix_socket_directories=', '-c', 'fsync=off', '-c', 'shared_buffers=32MB'],
    ...settings.flatMap((one) => ['-c', one]),
  ];
  let child: ChildProcess;
  const start = async () => {
    const command = [join(findPrograms(), 'postgres'), ...given];
    const isSmall = diskMegabytes !== undefined;
    const [file = '', ...args] = isSmall ? withDisk(disk, diskMegabytes, command) : command;
    child = spawn(file, args, { ...(!isSmall && nobody), stdio: ['ignore', 'ignore', 'pipe'] });
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
  const watch = endWithProcess(folder, data);
  // The disk is seen from within the server alone.
  const pathOfBallast = () => join(`/proc/${child.pid}/root`, disk, 'ballast');
  return {
    url: `postgres://hostwright:secret@127.0.0.1:${port}/postgres`,
    port,
    disk,
    fillDisk: () => fill(pathOfBallast()),
    freeDisk: () => rmSync(pathOfBallast()),
    get process() {
      return child;
    },
    start,
    stop,
    async close() {
      await stop();
      watch.kill();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Ends a server with this process, however that ends: the pipe to it is closed then. Signals to its group of processes,
 * as that of Ctrl-C, do not end it before.
 */
function endWithProcess(folder: string, data: string): ChildProcess {
  const end = 'read _; "$0" stop -D "$1" -m immediate; exec rm -rf "$2"';
  const child = spawn('sh', ['-c', end, join(findPrograms(), 'pg_ctl'), data, folder], {
    ...{ ...nobody, detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] },
  });
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}

/** Makes a file as large as the disk allows. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const bytes of [1 << 20, 1 << 12]) {
      const piece = Buffer.alloc(bytes);
      for (let isFull = false; !isFull;) {
        try {
          isFull = writeSync(file, piece) < bytes;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          isFull = true;
        }
      }
    }
  } finally {
    closeSync(file);
  }
}

/** Resolves once it says that it takes connections. */
const untilReady = (child: ChildProcess): Promise<void> =>
  new Promise((done, fail) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('ready to accept connections')) done();
    });
    child.once('exit', () => fail(new Error(`PostgreSQL did not start: ${said}`)));
  });
