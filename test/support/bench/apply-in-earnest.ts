// One apply as the program does it: over HTTP, by the clock of this machine, with its state on the disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceDialect } from '../../../src/api/binding/dialect.ts';
import { createServiceClient } from '../../../src/api/client.ts';
import { openProcessClock } from '../../../src/cli/clock.ts';
import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import { createIgnoredInterrupts } from '../../../src/engine/carry-out.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { makeDefaultPlanParameters } from '../../../src/engine/plan-order.ts';
import { makeFilelessSecretSinks } from '../../../src/engine/sinks.ts';
import { kindRegistry } from '../../../src/kinds/registry.ts';
import type { Binding } from '../../../src/model/account/binding.ts';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import { acquireLock } from '../../../src/state/lock/lock.ts';
import { openStateStore } from '../../../src/state/store.ts';
import { configure } from '../../scenario/world.ts';
import type { Requests } from './measure-span.ts';
import { findBound, layOutWork, readHistory } from './work.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';

/** A service that is served somewhere. */
export interface Account {
  readonly baseUrl: string;
  readonly token: string;
}

/** What is applied, and how. */
interface EarnestCourse {
  readonly yaml: string;
  readonly account: Account;
  readonly parallelism: number;
  /** How many connections and requests at once; 128 unless given. */
  readonly connections?: number;
  /** What a request and its answer take besides; nothing unless given. */
  readonly latencyMs?: number;
  /** The spelling of the service; the contract's unless given. */
  readonly binding?: Binding;
  /** Where the state is kept; a directory of its own unless given. */
  readonly backend?: StateBackend;
}

const lockRequest = {
  ...{ operation: 'apply', version: '0' },
  process: { pid: process.pid, host: hostname(), user: 'bench' },
};

/** Applies to an empty account. @throws where a change was not applied */
export async function applyInEarnest(course: EarnestCourse) {
  const { account, parallelism, connections = 128, latencyMs = 0, binding } = course;
  const directory = mkdtempSync(join(tmpdir(), 'hostwright-bench-'));
  const desired = await configure(course.yaml);
  const clock = openProcessClock();
  const random = Math.random;
  const requests: Requests = { writes: 0, looks: 0, reads: 0 };
  const network = openLazyNetwork({}, { maxConnections: connections });
  const client = createServiceClient({
    ...account,
    ...{ kinds: kindRegistry, clock, random, maxConcurrency: connections },
    dialect: new ServiceDialect(binding),
    exchange: async (request) => {
      if (request.method !== 'GET') requests.writes += 1;
      else requests[requests.writes > 0 ? 'looks' : 'reads'] += 1;
      if (latencyMs > 0) await clock.sleep(latencyMs);
      return network.exchange(request);
    },
  });
  const connection = {
    ...{ client, service: account.baseUrl, contract: binding },
    isSandbox: () => false,
  };
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const backend = course.backend ?? openLocalBackend(directory);
  const lock = await acquireLock(backend.lock, lockRequest, { clock });
  const store = await openStateStore(backend, { fence: lock.fence });
  try {
    const engine = new Engine({
      store,
      connection,
      clock,
      random,
      interrupts: createIgnoredInterrupts(),
      sinks: makeFilelessSecretSinks(() => Promise.reject(new Error('no tokens here'))),
      pace: { parallelism, capacityWaitMs: 0 },
      silentForMs: undefined,
    });
    const silent = { showDiagnostics: () => undefined, showEvent: () => undefined };
    const applied = await engine.apply(makeDefaultPlanParameters('apply', desired), {
      ...silent,
      follow: () => silent,
    });
    if (applied.kind !== 'ended') throw new Error('refused');
    const { planned, summary } = applied;
    const { changes } = summary;
    const { state } = store;
    await store.close();
    await lock.release();
    const wallMs = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(before);
    if (changes.some(({ result }) => result.kind !== 'applied')) throw new Error('not applied');
    const made = { ...requests };
    const { tasks } = layOutWork(planned.plan, state, await readHistory(client));
    const boundMs = findBound(tasks, parallelism);
    return {
      ...{ wallMs, boundMs, requests: made },
      cpuMs: (user + system) / 1_000,
      resources: desired.resources.length,
    };
  } finally {
    network.close();
    rmSync(directory, { recursive: true });
  }
}
