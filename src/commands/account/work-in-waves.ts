// An operation on several VMs: of each block as many at once as its `rollout` allows, each probed before the next ones go.
import { listForbiddenProbeErrors } from '../../checks/probes.ts';
import { ChangeFailure, TaskInterruptedError } from '../../execute/context/failure.ts';
import { beginRun } from '../../engine/begin-run.ts';
import { endRun } from '../../engine/carry-out.ts';
import {
  runProbesUntilReady,
  noteNotReady,
  noteReady,
  resolveProbes,
} from '../../execute/run/await-ready.ts';
import { ProjectedScope } from '../../expressions/deferred/projected-scope.ts';
import { isResourceBusy } from '../../kinds/outcome.ts';
import { isOutOfService } from '../../kinds/relations/serving.ts';
import { vmKind } from '../../kinds/vm/vm.ts';
import { markResourcesAtRest } from '../../live/read-at-rest.ts';
import { findBlockAddress, type ResourceAddress } from '../../model/address.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type {
  VmOperationVerb,
  EndedVmOperation,
  VmOperationOutcome,
} from '../../model/account/vm-work.ts';
import { DiagnosticError } from '../../model/errors.ts';
import { groupBy } from '../../model/group-by.ts';
import type { EvaluatedProbe } from '../../model/plan/readiness.ts';
import type { DesiredResource, Rollout } from '../../model/resource.ts';
import { projectResourcesFromState } from '../../plan/deferred/project-state.ts';
import { isDesiredStopped, calculateRolloutWaveSize } from '../../plan/order/rollout.ts';
import { isVmOperationSuccessful } from '../../render/account/vm-work-text.ts';
import { openPermittedProber } from '../planning/probe-permission.ts';
import type { DayTwoReporter } from '../session/day-two-reporter.ts';
import { describeCommandFailure } from '../session/describe-failure.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { ConfigurationSession } from '../session/session.ts';
import type { PreparedVmOperation, VmOperationRuntime } from './vm-job.ts';

/** The order in which one operation is carried out on several VMs. */
interface WaveOrder {
  readonly runtime: VmOperationRuntime;
  readonly session: ConfigurationSession;
  readonly verb: VmOperationVerb;
  readonly isWaitedFor: boolean;
  readonly reporter: DayTwoReporter;
  readonly carryOutOne: (job: PreparedVmOperation) => Promise<EndedVmOperation>;
}

/** The VMs of one block of the configuration, in the waves that its rollout settings ask for. */
interface BlockOrder {
  readonly waves: readonly (readonly PreparedVmOperation[])[];
  readonly rollout: Rollout | undefined;
}

/** True for operations that interrupt a VM and so have to follow the rollout order; a backup does not. */
const isOrdered = (verb: VmOperationVerb) => verb !== 'backup';
/** Tells whether an operation starts the VM again, so that its probes are awaited afterwards. */
export const leavesVmRunning = (verb: VmOperationVerb) => verb !== 'backup' && verb !== 'stop';

/**
 * Carries out operations on several VMs, in waves by the rollout settings of each block; blocks do not wait for each other.
 * @throws DiagnosticError, ApiError before the first operation
 */
export async function runVmOperationsInWaves(
  order: WaveOrder,
  jobs: readonly PreparedVmOperation[],
): Promise<readonly EndedVmOperation[]> {
  const { session, verb, isWaitedFor } = order;
  const { resources } = session.configuration.graph;
  const desired = new Map(resources.map((one) => [one.address, one]));
  const live = await readLiveVms(order, jobs);
  // A reboot leaves out a VM that the configuration keeps stopped.
  const isLeft = ({ target: { resource } }: PreparedVmOperation) => {
    const found = live.get(resource.id);
    const isDown = found !== undefined && isOutOfService(found) && !isResourceBusy(found);
    return (
      verb === 'reboot' && isDown && isDesiredStopped({ desired: desired.get(resource.address) })
    );
  };
  const left = jobs.filter(isLeft).map((job) => endWithout(verb, job, 'unchanged'));
  const asked = jobs.filter((job) => !isLeft(job));
  const groups = groupBy(asked, ({ target }) => findBlockAddress(target.resource.address));
  const blocks = [...groups].map(([block, own]) =>
    arrange(order, own, {
      members: resources.filter((one) => findBlockAddress(one.address) === block),
      live,
    }),
  );
  const isHeld = blocks.some(({ waves, rollout }) => waves.length > 1 || rollout?.ready);
  if (!isWaitedFor && isHeld) {
    throw createCommandRefusal(
      'conflicting-options',
      '--no-wait contradicts the rollout of the block',
      {
        detail: `Each ${verb} must end before the next ones begin.`,
        hint: 'Remove --no-wait.',
      },
    );
  }
  const probes = resolveAll(order, asked, desired);
  for (const { task } of jobs) {
    if ((await task.confirmFirst?.()) === false) {
      return jobs.map((job) => endWithout(verb, job, 'declined'));
    }
  }
  const ends = await inRun(order, probes.size > 0, () =>
    Promise.all(blocks.map((block) => runBlock(order, block, probes))),
  );
  const byAddress = new Map([...left, ...ends.flat()].map((work) => [work.address, work]));
  return jobs.flatMap(({ target }) => byAddress.get(target.resource.address) ?? []);
}

/** Does work within a run of the state where it notes anything there. */
async function inRun<T>(
  { runtime: { clock }, session: { store, connection } }: WaveOrder,
  isNoted: boolean,
  work: () => Promise<T>,
): Promise<T> {
  if (!isNoted) return work();
  const runId = await beginRun(store, connection, clock);
  try {
    return await work();
  } finally {
    const { client } = connection;
    await endRun(store, { runId, counts: undefined }, clock.now(), client.latestServiceTime());
  }
}

/** The VMs of the projects concerned, by id. */
async function readLiveVms(
  { session }: WaveOrder,
  jobs: readonly PreparedVmOperation[],
): Promise<ReadonlyMap<string, LiveResource>> {
  const projectIds = new Set(jobs.map(({ target }) => target.place.projectId));
  const { client } = session.connection;
  const lists = await Promise.all(
    [...projectIds].map((projectId) => client.list(vmKind.name, { projectId })),
  );
  const vms = await markResourcesAtRest(client, lists.flat());
  return new Map(vms.map((one) => [one.id, one]));
}

/** Members out of service go first; one of the block that is out and not asked for takes a place of every wave. */
function arrange(
  { session, verb }: WaveOrder,
  jobs: readonly PreparedVmOperation[],
  {
    members,
    live,
  }: {
    readonly members: readonly DesiredResource[];
    readonly live: ReadonlyMap<string, LiveResource>;
  },
): BlockOrder {
  const rollout = isOrdered(verb) ? members.find((one) => one.rollout)?.rollout : undefined;
  if (!rollout) return { waves: [jobs], rollout };
  const { resources } = session.store.state;
  const isOut = (address: ResourceAddress) => {
    const managed = resources.get(address);
    const found = managed && live.get(managed.id);
    if (!found) return false;
    return isOutOfService(found) || isResourceBusy(found) || managed.isNotReady === true;
  };
  const asked = new Set(jobs.map(({ target }) => target.resource.address));
  const others = members.filter(
    (desired) =>
      !asked.has(desired.address) && isOut(desired.address) && !isDesiredStopped({ desired }),
  );
  const size = calculateRolloutWaveSize(rollout.atOnce, members.length, others.length);
  const [out, serving] = [true, false].map((wanted) =>
    jobs.filter(({ target }) => isOut(target.resource.address) === wanted),
  ) as [PreparedVmOperation[], PreparedVmOperation[]];
  const inOrder = [...out, ...serving];
  const count = Math.ceil(inOrder.length / size);
  const waves = Array.from({ length: count }, (_, at) => inOrder.slice(at * size, (at + 1) * size));
  return { waves, rollout };
}

/** The probes of the VMs that are to serve afterwards. @throws DiagnosticError where they must not be made, or lack a value */
function resolveAll(
  { runtime, session, verb }: WaveOrder,
  jobs: readonly PreparedVmOperation[],
  desired: ReadonlyMap<ResourceAddress, DesiredResource>,
): ReadonlyMap<ResourceAddress, readonly EvaluatedProbe[]> {
  const { resources, emptyGroups } = session.configuration.graph;
  const { state } = session.store;
  const scope = new ProjectedScope(() => projectResourcesFromState(resources, state), emptyGroups);
  const probes = new Map<ResourceAddress, readonly EvaluatedProbe[]>();
  for (const { target } of leavesVmRunning(verb) ? jobs : []) {
    const { address } = target.resource;
    const wanted = desired.get(address);
    const ready = wanted?.rollout?.ready;
    if (!wanted || !ready || isDesiredStopped({ desired: wanted })) continue;
    const faults = listForbiddenProbeErrors({
      allowsProbes: runtime.probePermission !== undefined,
      allowsCommands: runtime.allowsCommands,
      runsCommand: ready.probes.some(({ kind }) => kind === 'command'),
    });
    if (faults.length > 0) throw new DiagnosticError(faults.map((one) => ({ ...one, address })));
    try {
      probes.set(
        address,
        resolveProbes(address, ready, (one) => scope.evaluate(one).outcome),
      );
    } catch (error) {
      throw error instanceof ChangeFailure ? new DiagnosticError([error.diagnostic]) : error;
    }
  }
  return probes;
}

/** Runs the waves of a block one after the other; with `onFailure: stop` only as long as all goes well. */
async function runBlock(
  order: WaveOrder,
  { waves, rollout }: BlockOrder,
  probes: ReadonlyMap<ResourceAddress, readonly EvaluatedProbe[]>,
): Promise<readonly EndedVmOperation[]> {
  const { runtime, verb } = order;
  const ended: EndedVmOperation[] = [];
  for (const wave of waves) {
    const isStopped = rollout?.onFailure === 'stop' && !ended.every(isVmOperationSuccessful);
    if (isStopped || (ended.length > 0 && runtime.interrupted.aborted)) {
      ended.push(...wave.map((job) => endWithout(verb, job, 'skipped')));
    } else {
      ended.push(...(await Promise.all(wave.map((job) => runJob(order, job, rollout, probes)))));
    }
  }
  return ended;
}

/** One operation, and the probes after it. An error is its failure: others go on. */
async function runJob(
  { runtime, session, verb, reporter, carryOutOne }: WaveOrder,
  job: PreparedVmOperation,
  rollout: Rollout | undefined,
  probes: ReadonlyMap<ResourceAddress, readonly EvaluatedProbe[]>,
): Promise<EndedVmOperation> {
  const { address } = job.target.resource;
  const { clock, interrupted } = runtime;
  const startedAt = clock.now();
  try {
    const own = probes.get(address);
    const onSend = own && (() => noteNotReady(session.store, address));
    const work = await carryOutOne({ ...job, task: { ...job.task, onSend } });
    if (work.outcome !== 'done' || !own || !rollout?.ready) return work;
    const askProbe = openPermittedProber(runtime, session.directory);
    const context = { clock, interrupted, store: session.store, askProbe };
    await runProbesUntilReady(context, { address }, own, rollout.ready, (status) => {
      reporter.showProgress({ verb, address, phase: 'running', status });
    });
    // A VM whose restore is outstanding does not count as done.
    if (!session.store.state.resources.get(address)?.wayBack)
      await noteReady(session.store, address);
    return { ...work, elapsedMs: clock.now() - startedAt };
  } catch (error) {
    const found =
      error instanceof ChangeFailure ? [error.diagnostic] : describeCommandFailure(error);
    const [fault] = found ?? [];
    if (error instanceof TaskInterruptedError) return endWithout(verb, job, 'unknown');
    if (!fault) throw error;
    const told = { ...fault, address };
    reporter.showDiagnostics([told]);
    const elapsedMs = clock.now() - startedAt;
    return { ...endWithout(verb, job, 'failed'), fault: told, elapsedMs };
  } finally {
    reporter.endProgress(address);
  }
}

/** The end of an operation without a request that was seen to end. */
function endWithout(
  verb: VmOperationVerb,
  { target }: PreparedVmOperation,
  outcome: Exclude<VmOperationOutcome, 'done' | 'accepted'>,
): EndedVmOperation {
  const { address, id } = target.resource;
  const nothing = { operation: null, backup: null, fault: undefined, elapsedMs: 0 };
  return { verb, address, id, outcome, ...nothing };
}
