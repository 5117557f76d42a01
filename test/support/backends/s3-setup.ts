// A bucket in small, the backends that use it, and their locks.
import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import {
  openS3Backend,
  type S3BackendOptions,
} from '../../../src/state/backends/s3/open-s3-backend.ts';
import type { StateFiles } from '../../../src/state/files/files.ts';
import { acquireLock, type StateLock, type LockOptions } from '../../../src/state/lock/lock.ts';
import { openS3Double, type S3Double, type S3DoubleOptions } from './s3-double.ts';
import { openQuickClock } from './quick-clock.ts';

/** A lock and what is written under it. */
export interface S3Run {
  readonly backend: StateBackend;
  readonly lock: StateLock;
  readonly files: StateFiles;
  /** The journal of its epoch. */
  readonly journal: `journal.${number}.jsonl`;
}

/** What a test needs. */
export interface S3Setup {
  readonly double: S3Double;
  readonly openBackend: (options?: Partial<S3BackendOptions>) => StateBackend;
  /** Takes the lock as another machine each time. */
  readonly lock: (options?: Partial<LockOptions>) => Promise<S3Run>;
  /** Every text that anybody can read. */
  readonly readAll: () => Promise<Readonly<Record<string, string | undefined>>>;
  readonly close: () => Promise<void>;
}

/** Starts a server and the network to it. */
export async function openS3Setup(options: S3DoubleOptions = {}): Promise<S3Setup> {
  const double = await openS3Double(options);
  const network = openLazyNetwork({}, { maxConnections: 8 });
  let machines = 0;
  const openBackend = (more: Partial<S3BackendOptions> = {}) =>
    openS3Backend({
      ...{ endpoint: double.endpoint, bucket: double.bucket, region: double.region, key: 'shop' },
      ...{ credentials: double.keys, exchange: network.exchange, isPathStyle: true },
      clock: openQuickClock(),
      ...more,
    });
  return {
    double,
    openBackend,
    async lock(more = {}) {
      machines += 1;
      const who = { pid: process.pid, host: `machine-${machines}`, user: 'anna' };
      const request = { operation: 'apply', version: '1', process: who };
      const backend = openBackend();
      const waits = { clock: openQuickClock(), timeoutMs: 600_000, ...more };
      const lock = await acquireLock(backend.lock, request, waits);
      const files = backend.openFiles(lock.fence);
      return { backend, lock, files, journal: `journal.${lock.fence.epoch}.jsonl` };
    },
    async readAll() {
      const files = openBackend().openFiles();
      const names = (await files.list()).toSorted();
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await files.read(name)] as const)),
      );
    },
    async close() {
      network.close();
      await double.close();
    },
  };
}
