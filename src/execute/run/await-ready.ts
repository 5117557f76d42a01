// After a member of a block was changed: its probes are asked until they hold. The state says meanwhile that it was not seen ready.
import { makeDeferredScope } from '../../expressions/deferred/deferred-scope.ts';
import { evaluateDeferred } from '../../expressions/deferred/evaluate-deferred.ts';
import type { EvaluationOutcome } from '../../expressions/evaluate/compile-expression.ts';
import { pickRebuiltAttributes, removeRebuildRollback } from '../../kinds/carry-out.ts';
import { publicIpKind } from '../../kinds/public-ip/public-ip.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { DeferredValue } from '../../model/deferred.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { InternalError } from '../../model/errors.ts';
import type { Change } from '../../model/plan/plan.ts';
import type {
  EvaluatedProbe,
  Probe,
  ProbedMember,
  ReadinessConditions,
} from '../../model/plan/readiness.ts';
import type { Task } from '../../model/plan/task.ts';
import { formatProbe } from '../../model/plan/write-probe.ts';
import { formatConfigDuration } from '../../model/text/write-duration.ts';
import { resolveProbe } from '../../plan/deferred/resolve-probes.ts';
import { createCommandProgressReporter } from '../command/report-progress.ts';
import { ChangeFailure, TaskInterruptedError } from '../context/failure.ts';
import type { StateStore } from '../../state/store.ts';
import type { RunContext } from '../context/run-context.ts';

/**
 * Pause between two attempts of a probe: a share of the time that has passed, within limits. A longer one would hold up
 * the next wave.
 */
const pause = { shortestMs: 100, longestMs: 5_000, share: 0.03 };

/** Failure of a resource whose rollout probes did not succeed in time. */
export class MemberNotReadyError extends ChangeFailure {}

/**
 * Asks the probes of a task until all of them hold for as long as they must. @throws ChangeFailure where they do not in time,
 * TaskInterruptedError
 */
export async function awaitReadyProbes(
  context: RunContext,
  change: Change,
  ready: ReadinessConditions,
): Promise<void> {
  const { address } = change;
  const { planned, readNow, steps } = context;
  const managed = context.store.state.resources.get(address);
  const isRestored = managed?.failedTarget !== undefined && !managed.wayBack;
  // A restore brings back what the rebuild was to change, as the state has it, and not as the plan asked for it.
  const read = (of: ResourceAddress) => {
    const known = readNow(of);
    const isOther = isRestored && of === address && known;
    if (!isOther) return known;
    return { ...known, values: { ...known.values, ...pickRebuiltAttributes(managed) } };
  };
  const scope = makeDeferredScope(planned.readable, read, { steps });
  const probes = (isRestored && ready.restored) || ready.probes;
  const known = resolveProbes(address, { ...ready, probes }, (one) => evaluateDeferred(one, scope));
  const report = createCommandProgressReporter(context, change, 'probe');
  const heldAfterMs = await context.stepAside(() =>
    runProbesUntilReady(
      context,
      { address, isRestored, publicIps: listPublicIps(context) },
      known,
      ready,
      (status) => {
        report({ kind: 'running', status });
      },
    ),
  );
  // Times after another run, or after a restore, say nothing of the next change.
  if (!isRestored && context.history.done.has(address))
    context.durations.noteReady(address, heldAfterMs);
  context.history.ready.add(address);
  await noteReady(context.store, address);
}

/** Notes in the state that a resource was seen ready: nothing of it is to be taken back any more. */
export async function noteReady(store: StateStore, address: ResourceAddress): Promise<void> {
  const managed = store.state.resources.get(address);
  if (!managed?.isNotReady) return;
  const resource = removeRebuildRollback(managed);
  Reflect.deleteProperty(resource, 'isNotReady');
  await store.record({ kind: 'bound', resource });
}

/** Notes in the state, before a request that may take a resource out of service, that it was not seen ready. */
export async function noteNotReady(store: StateStore, address: ResourceAddress): Promise<void> {
  const resource = store.state.resources.get(address);
  if (resource && resource.isNotReady !== true) {
    await store.record({ kind: 'bound', resource: { ...resource, isNotReady: true } });
  }
}

/** Addresses of the public IPs of the account: those that the plan has seen, and those that this run has made. */
function listPublicIps({ planned, store }: RunContext): readonly string[] {
  const seen = [...planned.liveById.values()].map(
    (one) => one.kind === publicIpKind.name && one.address,
  );
  const managed = [...store.state.resources.values()].map(
    ({ kind, attributes }) => kind === publicIpKind.name && attributes.address,
  );
  return [...seen, ...managed].filter((one) => typeof one === 'string');
}

/**
 * Asks probes until all of them hold for as long as they must. @returns after how many milliseconds they held first
 * @throws ChangeFailure, TaskInterruptedError
 */
export async function runProbesUntilReady(
  {
    clock,
    store,
    interrupted,
    askProbe,
  }: Pick<RunContext, 'clock' | 'interrupted' | 'askProbe'> & {
    readonly store: Pick<RunContext['store'], 'failure'>;
  },
  { address, isRestored = false, publicIps = [] }: Omit<ProbedMember, 'since'>,
  probes: readonly EvaluatedProbe[],
  { withinMs, settleMs }: ReadinessConditions,
  report: (status: string) => void,
): Promise<number> {
  if (!askProbe) throw new InternalError(`${address} has probes, and nothing asks them`);
  const since = clock.now();
  const member = { address, since, isRestored, publicIps };
  let holdsSince: number | undefined;
  for (;;) {
    let seen: string | undefined;
    for (const probe of probes) {
      if (interrupted.aborted || store.failure) throw new TaskInterruptedError(true);
      const answer = await askProbe(probe, member, interrupted);
      if (answer.kind === 'refused') throw refused(address, probe, answer.why);
      if (answer.kind === 'failing') {
        seen = `${formatProbe(probe)}: ${answer.seen}`;
        break;
      }
    }
    if (interrupted.aborted) throw new TaskInterruptedError(true);
    const now = clock.now();
    if (seen === undefined) {
      holdsSince ??= now;
      if (now - holdsSince >= settleMs) return holdsSince - since;
      report('settling');
    } else {
      holdsSince = undefined;
      if (now - since >= withinMs) throw notReady(address, withinMs, seen);
      report('not ready');
    }
    const usual = Math.min(
      pause.longestMs,
      Math.max(pause.shortestMs, (now - since) * pause.share),
    );
    const left = holdsSince === undefined ? since + withinMs - now : holdsSince + settleMs - now;
    await clock.sleep(Math.max(1, Math.min(usual, left)), interrupted).catch((error: unknown) => {
      if (!interrupted.aborted) throw error;
    });
  }
}

/** Probes with all their values, which are known by now. @throws ChangeFailure where they are not */
export function resolveProbes(
  address: ResourceAddress,
  { probes }: ReadinessConditions,
  evaluate: (one: DeferredValue) => EvaluationOutcome,
): readonly EvaluatedProbe[] {
  return probes.map((probe) => resolveNow(address, probe, evaluate));
}

function resolveNow(
  address: ResourceAddress,
  probe: Probe,
  evaluate: (one: DeferredValue) => EvaluationOutcome,
): EvaluatedProbe {
  const resolved = resolveProbe(probe, evaluate);
  switch (resolved.kind) {
    case 'known':
      return resolved.probe;
    case 'unknown':
      throw new ChangeFailure({
        severity: 'error',
        code: 'still-unknown',
        summary: `\`${resolved.reference}\` is still not known`,
        detail: 'A probe of the rollout reads it.',
        hint: 'Apply again once it is.',
        address,
      });
    case 'fault':
      throw new ChangeFailure({ severity: 'error', ...resolved.fault, address });
  }
}

function notReady(address: ResourceAddress, withinMs: number, seen: string): ChangeFailure {
  const diagnostic: Diagnostic = {
    severity: 'error',
    code: 'not-ready',
    summary: `It was changed, and was not ready within ${formatConfigDuration(withinMs)}`,
    detail: `Last seen: ${seen}.`,
    hint: 'Correct the configuration, or what runs on it, and apply again.',
    address,
  };
  return new MemberNotReadyError(diagnostic);
}

function refused(address: ResourceAddress, probe: EvaluatedProbe, why: string): ChangeFailure {
  return new ChangeFailure({
    severity: 'error',
    code: 'probe-not-allowed',
    summary: `A probe was not made: ${formatProbe(probe)}`,
    detail: why,
    hint: 'Allow the range of the address, for example --allow-probes=10.0.0.0/8; on a server, in the workspace.',
    address,
  });
}

/**
 * Notes in the state, before the first request of a task that may take its resource out of service, that the resource was not
 * seen ready.
 */
export async function recordNotReadyBeforeOutage(
  { planned, store }: RunContext,
  { address, action }: Change,
  { phase, commands }: Task,
): Promise<void> {
  // A new resource is marked as not ready once its id is known; the one that it replaces serves until then.
  const isMade = action === 'create' || action === 'replace';
  if (phase !== 'apply' || isMade || commands.length === 0 || !planned.probed.has(address)) return;
  await noteNotReady(store, address);
}
