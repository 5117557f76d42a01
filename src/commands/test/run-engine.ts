// What `plan` and `apply` do, in the account of a test: the same planner and the same executor, on a state in memory.
import type { Configuration, PendingData } from '../../config/load-configuration.ts';
import { ignoreInterrupts } from '../../engine/carry-out.ts';
import { Engine } from '../../engine/engine.ts';
import type { Planned } from '../../engine/make-plan.ts';
import type { PlanOrder } from '../../engine/plan-order.ts';
import { dropSecrets } from '../../engine/sinks.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { readyAtOnce, type ReadyScript } from '../../model/plan/ready-script.ts';
import type { PlanMode, PlanOptions } from '../../model/plan/plan.ts';
import type { ApplySummary } from '../../model/plan/result.ts';
import type { VirtualClock } from '../../sandbox/clock/virtual-clock.ts';
import type { StateStore } from '../../state/store.ts';
import { answerProbes } from '../rehearsal/answer-probes.ts';
import { completeConfiguration } from '../planning/read-data.ts';
import type { TestAccount } from './test-account.ts';

/** What is planned, and how. */
export interface EngineRequest {
  readonly mode: PlanMode;
  readonly planOptions: PlanOptions;
  readonly configuration: Configuration;
  /** The answers to probes; each holds at once unless given. */
  readonly ready?: ReadyScript;
}

/** What a plan or an apply came to. */
export interface EngineResult {
  readonly planned: Planned;
  /** The configuration with what it reads of the account. */
  readonly configuration: Configuration;
  /** Everything that was said: findings of the plan, and what went wrong with changes. */
  readonly diagnostics: readonly Diagnostic[];
}

/** As on the command line; changes that run mostly wait. */
const parallelism = 1_000;

/** Plans, and changes nothing. @throws DiagnosticError, ApiError */
export async function planIn(
  account: TestAccount,
  store: StateStore,
  request: EngineRequest,
): Promise<EngineResult> {
  const { order, source, configuration, said } = await complete(account, request);
  const planned = await openEngine(account, store).plan(order, { source });
  return { planned, configuration, diagnostics: [...said, ...planned.plan.findings] };
}

/** Plans, and applies what has no error. @throws DiagnosticError, ApiError */
export async function applyIn(
  account: TestAccount,
  store: StateStore,
  request: EngineRequest,
): Promise<EngineResult> {
  const { order, source, configuration, said } = await complete(account, request);
  const told: Diagnostic[] = [];
  const showDiagnostics = (diagnostics: readonly Diagnostic[]) => void told.push(...diagnostics);
  const follow = () => ({ showDiagnostics, showEvent: () => undefined });
  const applied = await openEngine(account, store, request.ready).apply(
    order,
    { showDiagnostics, follow },
    { source },
  );
  const { planned } = applied;
  const faults = applied.kind === 'ended' ? listFaults(applied.summary) : [];
  const diagnostics = [...said, ...planned.plan.findings, ...told, ...faults];
  return { planned, configuration, diagnostics };
}

function openEngine(
  { clock, random, connection }: TestAccount,
  store: StateStore,
  ready: ReadyScript = readyAtOnce,
): Engine {
  return new Engine({
    store,
    connection,
    clock,
    random,
    interrupts: ignoreInterrupts(),
    // The value of a token is shown to nobody: there is no file for it, and no command runs.
    sinks: dropSecrets('the account of a test'),
    pace: { parallelism, capacityWaitMs: undefined },
    askProbe: answerProbes(ready, clock),
    silentForMs: undefined,
  });
}

/** The order of a test with what the configuration reads of its account, and what was said of that. */
async function complete(
  { clock, client }: TestAccount,
  { mode, planOptions, configuration: read }: EngineRequest,
) {
  const said: Diagnostic[] = [];
  const { configuration, source } = await completeConfiguration(holdTime(read, clock), client, {
    showDiagnostics: (diagnostics) => said.push(...diagnostics),
  });
  const { graph: desired, steps } = configuration;
  const order: PlanOrder = {
    mode,
    planOptions,
    desired,
    steps,
    // What would run is not run here, so that nobody has to allow it.
    allowsCommands: true,
    probeLeave: 'given',
    reservedQuotas: [],
  };
  return { order, source, configuration, said };
}

/** Files that it reads lie on a real disk: virtual time waits for them. */
function holdTime(configuration: Configuration, clock: VirtualClock): Configuration {
  const { pending } = configuration;
  if (!pending) return configuration;
  const resolve: PendingData['resolve'] = (found) => clock.hold(() => pending.resolve(found));
  return { ...configuration, pending: { ...pending, resolve } };
}

/** What went wrong with changes, and what the checks of the configuration say of the result. */
function listFaults({ changes, findings = [] }: ApplySummary): readonly Diagnostic[] {
  const ofChanges = changes.flatMap(({ result }) =>
    'diagnostic' in result ? [result.diagnostic] : [],
  );
  return [...ofChanges, ...findings];
}
