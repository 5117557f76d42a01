// Plans and applies in the account of a test: the same planner and the same executor as the commands, on a state in memory.
import type { Configuration, PendingDataQueries } from '../../config/load-configuration.ts';
import { createIgnoredInterrupts } from '../../engine/carry-out.ts';
import { Engine } from '../../engine/engine.ts';
import type { PlanWithSources } from '../../engine/make-plan.ts';
import type { PlanParameters } from '../../engine/plan-order.ts';
import { makeDiscardingSecretSinks } from '../../engine/sinks.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import {
  immediatelyReadyScript,
  type ProbeReadinessScript,
} from '../../model/plan/ready-script.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { PlanMode, PlanOptions } from '../../model/plan/plan.ts';
import type { ApplySummary } from '../../model/plan/result.ts';
import type { VirtualClock } from '../../sandbox/clock/virtual-clock.ts';
import type { StateStore } from '../../state/store.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { answerRehearsalProbes } from '../rehearsal/answer-probes.ts';
import { listProbedVmAddresses } from '../rehearsal/rehearsed-names.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import { resolveConfigurationData } from '../planning/read-data.ts';
import type { TestAccount } from './test-account.ts';

/** Input of a plan or an apply in a test. */
export interface TestEngineRequest {
  readonly mode: PlanMode;
  readonly planOptions: PlanOptions;
  readonly configuration: Configuration;
  /** Scripted answers to probes; every probe succeeds at once unless given. */
  readonly ready?: ProbeReadinessScript;
}

/** Result of a plan or an apply in a test. */
export interface TestEngineResult {
  readonly planned: PlanWithSources;
  /** The configuration after its `data` queries were answered. */
  readonly configuration: Configuration;
  /** All diagnostics: findings of the plan, and failures of changes. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The number of changes that a test's apply runs at once: they wait on a virtual clock, which costs nothing. */
const parallelism = 1_000;

/** Plans, and changes nothing. @throws DiagnosticError, ApiError */
export async function planInTestAccount(
  account: TestAccount,
  store: StateStore,
  request: TestEngineRequest,
): Promise<TestEngineResult> {
  const { order, source, configuration, said } = await complete(account, request);
  const planned = await openEngine(account, store).plan(order, { source });
  return { planned, configuration, diagnostics: [...said, ...planned.plan.findings] };
}

/** Plans, and applies a plan without errors. @throws DiagnosticError, ApiError */
export async function applyInTestAccount(
  account: TestAccount,
  store: StateStore,
  request: TestEngineRequest,
): Promise<TestEngineResult> {
  const { order, source, configuration, said } = await complete(account, request);
  refuseUnprobed(request.ready, listProbedVmAddresses(order.desired));
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

/** @throws DiagnosticError where a script answers probes of something that has none */
function refuseUnprobed(
  { byAddress }: ProbeReadinessScript = immediatelyReadyScript,
  probed: ReadonlySet<ResourceAddress>,
): void {
  for (const address of byAddress.keys()) {
    if (probed.has(address)) continue;
    const summary = `\`ready\` answers for ${address}, which is neither a VM with probes nor the block of one`;
    const meant = suggestNearestName(address, probed);
    throw createCommandRefusal('no-probes', summary, {
      detail: probed.size === 0 ? 'There is none.' : `With probes: ${formatNameList(probed, 8)}.`,
      hint:
        meant === undefined
          ? 'Give the address of a VM whose block sets `rollout.ready`.'
          : `Did you mean \`${meant}\`?`,
    });
  }
}

function openEngine(
  { clock, random, connection }: TestAccount,
  store: StateStore,
  ready: ProbeReadinessScript = immediatelyReadyScript,
): Engine {
  return new Engine({
    store,
    connection,
    clock,
    random,
    interrupts: createIgnoredInterrupts(),
    // The value of a created token is dropped: there is no file for it, and no command runs.
    sinks: makeDiscardingSecretSinks('the account of a test'),
    pace: { parallelism, capacityWaitMs: undefined },
    askProbe: answerRehearsalProbes(ready, clock),
    silentForMs: undefined,
  });
}

/** The plan order of a test step, with its `data` queries answered, and the diagnostics of those. */
async function complete(
  { clock, client }: TestAccount,
  { mode, planOptions, configuration: read }: TestEngineRequest,
) {
  const said: Diagnostic[] = [];
  const { configuration, source } = await resolveConfigurationData(holdTime(read, clock), client, {
    showDiagnostics: (diagnostics) => said.push(...diagnostics),
  });
  const { graph: desired, steps } = configuration;
  const order: PlanParameters = {
    mode,
    planOptions,
    desired,
    steps,
    // Commands are not really run in a test, so that nobody has to allow them.
    allowsCommands: true,
    allowsProbes: true,
    reservedQuotas: [],
    ownedProjects: [],
  };
  return { order, source, configuration, said };
}

/** Holds virtual time while queries are resolved, which reads files from a real disk. */
function holdTime(configuration: Configuration, clock: VirtualClock): Configuration {
  const { pending } = configuration;
  if (!pending) return configuration;
  const resolve: PendingDataQueries['resolve'] = (found) =>
    clock.hold(() => pending.resolve(found));
  return { ...configuration, pending: { ...pending, resolve } };
}

/** Failures of changes, and failed checks of the configuration. */
function listFaults({ changes, findings = [] }: ApplySummary): readonly Diagnostic[] {
  const ofChanges = changes.flatMap(({ result }) =>
    'diagnostic' in result ? [result.diagnostic] : [],
  );
  return [...ofChanges, ...findings];
}
