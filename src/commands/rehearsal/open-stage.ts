// The stage of a rehearsal: a copy of the account, a state in memory and a clock of their own. Nothing here leads outside.
// There is no network, no directory, no command to run, and no token but that of the copy.
import { createServiceClient } from '../../api/client.ts';
import { exchangeByFetch } from '../../api/transport/exchange-by-fetch.ts';
import { createIgnoredInterrupts } from '../../engine/carry-out.ts';
import { Engine } from '../../engine/engine.ts';
import { immediatelyReadyScript } from '../../model/plan/ready-script.ts';
import { makeDiscardingSecretSinks } from '../../engine/sinks.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { RequestTimeouts } from '../../model/account/service.ts';
import type { HttpExchange } from '../../model/http.ts';
import type { RehearsedInjectedFault } from '../../model/plan/rehearsal.ts';
import type { State } from '../../model/state/state.ts';
import { VirtualClock } from '../../sandbox/clock/virtual-clock.ts';
import { emptyFaultScript, type FaultScript } from '../../sandbox/faults/script.ts';
import type { MirroredAccount } from '../../sandbox/mirror/mirrored-account.ts';
import type { SandboxOptions } from '../../sandbox/options.ts';
import { openSandbox } from '../../sandbox/sandbox.ts';
import { computeSeededFraction } from '../../sandbox/store/ids.ts';
import { openMemoryState } from '../../state/memory-store.ts';
import { answerRehearsalProbes } from './answer-probes.ts';
import type { ExpectedDurations } from './expected-durations.ts';

/** Limits on how fast requests are sent, the same as for the account itself. */
export interface RequestRateLimits {
  readonly maxConnections: number;
  readonly requestsPerSecond?: number | undefined;
  readonly timeouts?: Partial<RequestTimeouts> | undefined;
}

/** Settings of a rehearsal's stage: a sandbox with a copy of the account, on a virtual clock. */
export interface RehearsalStageSettings {
  readonly account: MirroredAccount;
  readonly state: State;
  /** Name of the account's service, for messages. */
  readonly service: string;
  readonly durations: ExpectedDurations;
  readonly pace: RequestRateLimits;
  /** The number of changes that the rehearsed apply runs at once. */
  readonly parallelism: number;
  /** When the rehearsal begins; milliseconds since the Unix epoch. */
  readonly startsAt: number;
  /** Seed of all random numbers of a rehearsal, so that it can be repeated exactly. */
  readonly seed: number;
  readonly faults?: FaultScript | undefined;
  readonly onUse: NonNullable<SandboxOptions['onUse']>;
}

/** A sandbox with a copy of the account, ready for a rehearsal. */
export interface RehearsalStage {
  readonly clock: VirtualClock;
  readonly engine: Engine;
  /** Ends the injection of faults. @returns how often each fault happened */
  endFaults(): readonly RehearsedInjectedFault[];
  close(): Promise<void>;
}

/** Opens the stage of a rehearsal: a sandbox with a copy of the account, on a virtual clock that does not move by itself. */
export async function openRehearsalStage(setting: RehearsalStageSettings): Promise<RehearsalStage> {
  const { account, state, service, durations, startsAt, seed, faults, onUse } = setting;
  const clock = new VirtualClock(startsAt);
  const sandbox = await openSandbox({
    dataFile: ':memory:',
    now: () => clock.now(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    planDuration: durations.plan,
    // Each rehearsal has a seed of its own, also where the fault script names one.
    ...(faults && { faults: { ...faults, seed: (faults.seed ?? 0) + seed } }),
    account,
    seed,
    onUse,
  });
  // The sandbox has a single clock, even where the real service has several that differ.
  const clocks = { resourcesAheadMs: 0, operationsAheadMs: 0 };
  const store = await openMemoryState({ state: { ...state, clocks } });
  let drawn = 0;
  const random = () => computeSeededFraction(seed, `random:${(drawn += 1)}`);
  const { maxConnections, requestsPerSecond, timeouts } = setting.pace;
  const client = createServiceClient({
    kinds: kindRegistry,
    clock,
    random,
    requestsPerSecond,
    timeouts,
    baseUrl: 'http://rehearsal/v1',
    token: sandbox.token,
    maxConcurrency: maxConnections,
    exchange: delay(
      sandbox.openExchange(exchangeByFetch(sandbox.fetch, clock)),
      clock,
      durations.latencyMs,
    ),
  });
  const close = async () => {
    sandbox.close();
    await store.close();
  };
  const engine = new Engine({
    store,
    clock,
    random,
    interrupts: createIgnoredInterrupts(),
    connection: { client, service, isSandbox: () => true },
    sinks: makeDiscardingSecretSinks('the rehearsal'),
    // A rehearsal does not wait for capacity, as an `apply` without `--capacity-wait`.
    pace: { parallelism: setting.parallelism, capacityWaitMs: undefined },
    askProbe: answerRehearsalProbes(faults?.ready ?? immediatelyReadyScript, clock),
    silentForMs: undefined,
  });
  const endFaults = () => {
    const counts = sandbox.faults.count();
    sandbox.faults.restart(emptyFaultScript);
    return counts;
  };
  return { clock, engine, close, endFaults };
}

/** Delays each request to the sandbox by the latency that the real account was seen to have. */
function delay(exchange: HttpExchange, clock: VirtualClock, ms: number): HttpExchange {
  if (ms === 0) return exchange;
  return async (request) => {
    await clock.sleep(ms, request.signal);
    return exchange(request);
  };
}
