// A state server in small, the backends that use it, and their locks: what each test of the http backend begins with.
import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import {
  openHttpBackend,
  type HttpBackendOptions,
} from '../../../src/state/backends/http/open-http-backend.ts';
import type { StateFiles } from '../../../src/state/files/files.ts';
import { acquireLock, type StateLock, type LockOptions } from '../../../src/state/lock/lock.ts';
import {
  openHttpStateDouble,
  type DoubleOptions,
  type HttpStateDouble,
} from './http-state-double.ts';
import { openQuickClock } from './quick-clock.ts';

/** A lock and what is written under it. */
export interface HttpRun {
  readonly backend: StateBackend;
  readonly lock: StateLock;
  readonly files: StateFiles;
  /** The journal of its epoch. */
  readonly journal: `journal.${number}.jsonl`;
}

/** How a lock is asked for. */
export interface RunOptions extends Partial<LockOptions> {
  /** The process that asks; this one unless given. */
  readonly pid?: number;
  readonly host?: string;
}

/** What a test needs. */
export interface HttpSetup {
  readonly double: HttpStateDouble;
  readonly warnings: Diagnostic[];
  readonly openBackend: (options?: Partial<HttpBackendOptions>) => StateBackend;
  readonly lock: (backend?: StateBackend, options?: RunOptions) => Promise<HttpRun>;
  /** Every text that anybody can read. */
  readonly readAll: () => Promise<Readonly<Record<string, string | undefined>>>;
  /** The methods that came since the last call, in their order. */
  readonly takeMethods: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** Starts a server and the network to it. */
export async function openHttpSetup(options: DoubleOptions = {}): Promise<HttpSetup> {
  const double = await openHttpStateDouble(options);
  const network = openLazyNetwork({}, { maxConnections: 8 });
  const warnings: Diagnostic[] = [];
  const { credentials } = options;
  let known = 0;
  const openBackend = (more: Partial<HttpBackendOptions> = {}) =>
    openHttpBackend({
      ...{ address: double.address, credentials, exchange: network.exchange },
      ...{ clock: openQuickClock(), warn: (one) => warnings.push(one) },
      ...more,
    });
  return {
    double,
    warnings,
    openBackend,
    async lock(backend = openBackend(), { pid = process.pid, host = 'here', ...rest } = {}) {
      const who = { pid, host, user: 'anna' };
      const request = { operation: 'apply', version: '1', process: who };
      const lock = await acquireLock(backend.lock, request, {
        clock: openQuickClock(),
        onUnreleased: (warning) => warnings.push(warning),
        ...rest,
      });
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
    takeMethods() {
      const methods = double.heard.slice(known).map(({ method }) => method);
      known = double.heard.length;
      return methods;
    },
    async close() {
      network.close();
      await double.close();
    },
  };
}
