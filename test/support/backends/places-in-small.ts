// One state in each backend, without a server or with one in small: clients of it, and what a person can do to its medium by
// hand. The courses that all backends go through begin here.
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import type { RunGit } from '../../../src/state/backends/git/git-program.ts';
import { openGitBackend } from '../../../src/state/backends/git/open-git-backend.ts';
import { openHttpBackend } from '../../../src/state/backends/http/open-http-backend.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { openS3Backend } from '../../../src/state/backends/s3/open-s3-backend.ts';
import { openMemoryGit, openMemoryRemote, openMemoryRepository } from './git-double.ts';
import { openHttpStateDouble } from './http-state-double.ts';
import type { Flavour } from './http-state-flavours.ts';
import { answerAsPostgres, openTables, schema } from './postgres-double.ts';
import { openQuickClock } from './quick-clock.ts';
import { openS3Double, type S3Double } from './s3-double.ts';

/** One state, and its medium. */
export interface PlaceInSmall {
  /** Another client of it. `onTrip` is called at each of its round trips, before what is asked is done. */
  open(onTrip?: () => void): Promise<StateBackend>;
  /** Removes the lock with the means of the medium. */
  deleteLock(): unknown;
  /** Notes the lock as it is; what it resolves with puts that back. Absent where no lock can be put back. */
  noteLock?(): Promise<() => unknown>;
  close(): Promise<void>;
}

const nothing = () => undefined;

/** A directory: what is asked of it takes no round trip. */
export async function openSmallDirectory(): Promise<PlaceInSmall> {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-small-'));
  const lock = join(directory, '.hostwright', 'lock.json');
  return {
    open: () => Promise.resolve(openLocalBackend(directory)),
    deleteLock: () => rm(lock, { force: true }),
    async noteLock() {
      const copy = join(directory, 'copy.json');
      await copyFile(lock, copy);
      return () => copyFile(copy, lock);
    },
    close: () => rm(directory, { recursive: true }),
  };
}

/** Tables in memory. The row of a state cannot be deleted while it has texts: its lock can be emptied. */
export function openSmallDatabase(): Promise<PlaceInSmall> {
  const tables = openTables();
  const openPool = (onTrip: () => void) => () =>
    Promise.resolve({
      query: (statement: string, values: readonly (string | number | null)[]) => {
        onTrip();
        return Promise.resolve({ rows: answerAsPostgres(tables, statement, values, 0) });
      },
      end: () => Promise.resolve(),
    });
  const place = { schema, name: 'shop', database: 'memory' };
  return Promise.resolve({
    open: (onTrip = nothing) =>
      Promise.resolve(
        openPostgresBackend({ ...place, openPool: openPool(onTrip), clock: openQuickClock() }),
      ),
    deleteLock: () => {
      Object.assign(tables.states.get('shop') ?? {}, { lock_id: null, lock_info: null });
    },
    close: () => Promise.resolve(),
  });
}

/** What a bucket in small has more. */
export interface BucketInSmall extends PlaceInSmall {
  readonly double: S3Double;
}

/** A bucket. */
export async function openSmallBucket(): Promise<BucketInSmall> {
  const double = await openS3Double();
  const network = openLazyNetwork({}, { maxConnections: 8 });
  const { endpoint, bucket, region, keys: credentials, objects } = double;
  const where = { endpoint, bucket, region, credentials, key: 'shop', isPathStyle: true };
  const lock = 'shop/lock.json';
  return {
    double,
    open: (onTrip = nothing) =>
      Promise.resolve(
        openS3Backend({
          ...where,
          clock: openQuickClock(),
          exchange: (request) => {
            onTrip();
            return network.exchange(request);
          },
        }),
      ),
    deleteLock: () => objects.delete(lock),
    noteLock() {
      const noted = objects.get(lock);
      return Promise.resolve(() => noted && objects.set(lock, noted));
    },
    async close() {
      network.close();
      await double.close();
    },
  };
}

/** A server of Terraform's protocol. Only whoever knows the lock's ID removes it, which `force-unlock` does. */
export async function openSmallServer(flavour: Flavour): Promise<PlaceInSmall> {
  const double = await openHttpStateDouble({ flavour });
  const network = openLazyNetwork({}, { maxConnections: 8 });
  const { address } = double;
  return {
    open: (onTrip = nothing) =>
      Promise.resolve(
        openHttpBackend({
          ...{ address, clock: openQuickClock(), warn: nothing },
          exchange: (request) => {
            onTrip();
            return network.exchange(request);
          },
        }),
      ),
    deleteLock: () => double.dropLock(),
    async close() {
      network.close();
      await double.close();
    },
  };
}

const lockRef = 'refs/hostwright/lock/hostwright-state';

/** A branch of a remote in memory. */
export function openSmallBranch(): Promise<PlaceInSmall> {
  const remote = openMemoryRemote();
  const { refs } = remote;
  return Promise.resolve({
    open: (onTrip = nothing) => {
      const git = openMemoryGit(remote, (_args, work) => {
        onTrip();
        return Promise.resolve(work());
      });
      return openBranch(git);
    },
    deleteLock: () => refs.delete(lockRef),
    noteLock() {
      const noted = refs.get(lockRef);
      return Promise.resolve(() => noted !== undefined && refs.set(lockRef, noted));
    },
    close: () => Promise.resolve(),
  });
}

const openBranch = (git: RunGit) =>
  openGitBackend({
    ...{ directory: '/', env: {}, branch: 'hostwright-state', clock: openQuickClock() },
    repository: openMemoryRepository(git),
  });
