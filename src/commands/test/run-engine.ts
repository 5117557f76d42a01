// What `plan` and `apply` do, in the account of a test: the same planner and the same executor, on a state in memory.
import { keepRecognised } from '../../execute/run/persist-reconciliation.ts';
import type { SecretSink } from '../../execute/secrets/secret-sink.ts';
import type { Configuration, PendingData } from '../../config/load-configuration.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import type { PlanMode, PlanOptions } from '../../model/plan/plan.ts';
import type { ApplySummary } from '../../model/plan/result.ts';
import type { VirtualClock } from '../../sandbox/clock/virtual-clock.ts';
import type { StateStore } from '../../state/store.ts';
import { carryOut } from '../lifecycle/carry-out.ts';
import { makePlan, type Planned } from '../planning/make-plan.ts';
import { completeConfiguration } from '../planning/read-data.ts';
import type { TestAccount } from './test-account.ts';

/** What is planned, and how. */
export interface EngineRequest {
  readonly mode: PlanMode;
  readonly planOptions: PlanOptions;
  readonly configuration: Configuration;
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

/** The value of a token is shown to nobody: there is no file for it, and no command runs. */
const nowhere: SecretSink = {
  label: 'the account of a test',
  keep: () => Promise.resolve(),
  abandon: () => Promise.resolve(),
};

/** Plans, and changes nothing. @throws DiagnosticError, ApiError */
export async function planIn(
  account: TestAccount,
  store: StateStore,
  request: EngineRequest,
): Promise<EngineResult> {
  const { planned, configuration, said } = await planAt(account, store, request);
  return { planned, configuration, diagnostics: [...said, ...planned.plan.findings] };
}

/** Plans, and applies what has no error. @throws DiagnosticError, ApiError */
export async function applyIn(
  account: TestAccount,
  store: StateStore,
  request: EngineRequest,
): Promise<EngineResult> {
  const { clock, client, connection, random } = account;
  const onPending = () => undefined;
  const { planned, configuration, said } = await planAt(account, store, { ...request, onPending });
  const findings = [...said, ...planned.plan.findings];
  await keepRecognised(store, planned.pending, clock.now(), client.serviceTime());
  if (hasErrors(findings)) return { planned, configuration, diagnostics: findings };
  const told: Diagnostic[] = [];
  const summary = await carryOut(
    { clock, random, interrupted: new AbortController().signal, holdInterrupts },
    { store, connection, claimSink: () => Promise.resolve(nowhere) },
    planned,
    {
      ...{ parallelism, capacityWaitMs: undefined },
      planOptions: request.planOptions,
    },
    {
      showDiagnostics: (diagnostics) => told.push(...diagnostics),
      showEvent: () => undefined,
    },
  );
  const diagnostics = [...findings, ...told, ...listFaults(summary)];
  return { planned, configuration, diagnostics };
}

const holdInterrupts = () => () => undefined;

/** A plan, and what was said of the configuration that only the account completes. */
interface PlannedTest extends Pick<EngineResult, 'planned' | 'configuration'> {
  readonly said: readonly Diagnostic[];
}

async function planAt(
  { clock, client, connection }: TestAccount,
  store: StateStore,
  { mode, planOptions, configuration: read, onPending }: EngineRequest & { onPending?: () => void },
): Promise<PlannedTest> {
  const said: Diagnostic[] = [];
  const { configuration, source } = await completeConfiguration(holdTime(read, clock), client, {
    showDiagnostics: (diagnostics) => said.push(...diagnostics),
  });
  const { graph, steps } = configuration;
  const planned = await makePlan({
    ...{ mode, planOptions, desired: graph, steps, state: store.state, connection, source, clock },
    // What would run is not run here, so that nobody has to allow it.
    allowsCommands: true,
    ...(onPending && { onPending }),
  });
  return { planned, configuration, said };
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
