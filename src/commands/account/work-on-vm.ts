import { createCommandContext } from '../../execute/context/command-context.ts';
import {
  runVmOperation,
  type VmOperation,
  type VmOperationEnd,
} from '../../execute/command/run-vm-operation.ts';
import { findInstanceAddresses } from '../../model/address.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import type { LiveVm } from '../../kinds/vm/model.ts';
import { vmKind } from '../../kinds/vm/vm.ts';
import type { Runtime } from '../../model/runtime.ts';
import type {
  Backup,
  VmOperationVerb,
  EndedVmOperation,
  EndedVmOperations,
  VmOperationOutcome,
} from '../../model/account/vm-work.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { DayTwoReporter } from '../session/day-two-reporter.ts';
import {
  describeFailedVmOperation,
  describeInterruptedVmOperation,
} from './describe-vm-operation.ts';
import { findManagedResource } from '../state/find-address.ts';
import { openConfigurationSession, type ConfigurationSession } from '../session/session.ts';
import type {
  PreparedVmOperation,
  VmOperationRuntime,
  VmJobTarget,
  VmOperationTask,
} from './vm-job.ts';
import { leavesVmRunning, runVmOperationsInWaves } from './work-in-waves.ts';

/** Options of every operation on a VM. */
export interface VmOperationOptions {
  readonly address: string;
  /** Milliseconds to wait for the lock of the state at most. */
  readonly lockTimeoutMs: number;
  /** Time limit for a lock of the VM and the operation together; undefined for the configured one. */
  readonly timeoutMs: number | undefined;
  readonly isWaitedFor: boolean;
  /** Set where the question before a loss was answered on the command line. */
  readonly isApproved: boolean;
}

/** Time limit where the configuration sets none: that of an update. */
const defaultTimeoutMs = 20 * 60_000;

/**
 * Carries out an operation on a managed VM, or on all VMs that an address with `[*]` selects, and waits for the end. The state
 * stays locked meanwhile, so that no apply runs at the same time. A failure is reported, and the outcome returned.
 */
export async function operateManagedVm(
  runtime: VmOperationRuntime,
  verb: VmOperationVerb,
  options: VmOperationOptions,
  reporter: DayTwoReporter,
  prepare: (target: VmJobTarget) => Promise<VmOperationTask>,
): Promise<EndedVmOperations> {
  const where = { directory: '.', lockTimeoutMs: options.lockTimeoutMs };
  const writes = leavesVmRunning(verb) && findInstanceAddresses(options.address, []) !== undefined;
  const purpose = { operation: `vm ${verb}`, access: 'lock', writes } as const;
  const session = await openConfigurationSession(runtime, where, purpose, reporter);
  const carryOutOne = (job: PreparedVmOperation) =>
    workOnOne(runtime, verb, job, options, reporter);
  try {
    const targets = findTargets(session, options.address);
    if (!targets) {
      const target = findTarget(session, options.address);
      const work = await carryOutOne({ target, task: await prepare(target) });
      return { vms: [work], isSeveral: false };
    }
    const jobs = await Promise.all(
      targets.map(async (target) => ({ target, task: await prepare(target) })),
    );
    const { isWaitedFor } = options;
    const order = { runtime, session, verb, isWaitedFor, reporter, carryOutOne };
    return { vms: await runVmOperationsInWaves(order, jobs), isSeveral: true };
  } finally {
    await session.close();
  }
}

async function workOnOne(
  runtime: VmOperationRuntime,
  verb: VmOperationVerb,
  { target, task }: PreparedVmOperation,
  options: VmOperationOptions,
  reporter: DayTwoReporter,
): Promise<EndedVmOperation> {
  const { clock } = runtime;
  const { address, id } = target.resource;
  const startedAt = clock.now();
  const deadline = startedAt + (options.timeoutMs ?? findTimeout(target));
  let isAccepted = false;
  const end = await carryOut(runtime, target, task, {
    deadline,
    isWaitedFor: options.isWaitedFor,
    onSend: task.onSend,
    onProgress: (phase, status) => {
      isAccepted = phase === 'running';
      reporter.showProgress({ verb, address, phase, status });
    },
    onInterrupt: () =>
      reporter.showDiagnostics([describeInterruptedVmOperation(verb, address, isAccepted)]),
  });
  if (end.kind === 'gone') throw createGoneError(target);
  const made = await findMade(task, end);
  const outcome = made && end.kind === 'unseen' ? 'done' : outcomes[end.kind];
  const fault = outcome === 'done' ? undefined : describeFailedVmOperation(verb, address, end);
  reporter.showDiagnostics(fault ? [fault] : outcome === 'declined' ? [] : (task.notes?.() ?? []));
  const operation = 'operation' in end ? (end.operation ?? null) : null;
  const elapsedMs = clock.now() - startedAt;
  const backup = made ?? task.restored ?? null;
  return { verb, address, id, outcome, operation, backup, fault, elapsedMs };
}

type Watching = Pick<VmOperation, 'deadline' | 'isWaitedFor' | 'onProgress' | 'onSend'> & {
  readonly onInterrupt: () => void;
};

/**
 * Runs the operation. Interrupts are held while it runs, so that a note can tell what happens to it: not while a question is
 * open.
 */
async function carryOut(
  runtime: Pick<Runtime, 'clock' | 'holdInterrupts' | 'interrupted' | 'random'>,
  { session, resource: { address } }: VmJobTarget,
  { command, approve }: VmOperationTask,
  { onInterrupt, ...watching }: Watching,
): Promise<VmOperationEnd> {
  const context = createCommandContext(
    { ...runtime, random: () => runtime.random(), client: session.connection.client },
    session.store.state,
  );
  let letGo = () => {};
  const approveFirst = async (live: LiveVm) => {
    letGo();
    const isApproved = approve === undefined || (await approve(live));
    letGo = runtime.holdInterrupts(onInterrupt);
    return isApproved;
  };
  try {
    return await runVmOperation(context, { ...watching, address, command, approve: approveFirst });
  } finally {
    letGo();
  }
}

const outcomes: Readonly<Record<Exclude<VmOperationEnd['kind'], 'gone'>, VmOperationOutcome>> = {
  done: 'done',
  failed: 'failed',
  accepted: 'accepted',
  unchanged: 'unchanged',
  declined: 'declined',
  locked: 'failed',
  unseen: 'unknown',
};

/** Finds the made backup after an end, seen or not. A service that cannot be read shows none. */
async function findMade(task: VmOperationTask, end: VmOperationEnd): Promise<Backup | undefined> {
  if (end.kind !== 'done' && end.kind !== 'unseen') return undefined;
  return task.findMade?.().catch(() => undefined);
}

function findTarget(session: ConfigurationSession, address: string): VmJobTarget {
  const { configuration, store } = session;
  const { state } = store;
  const resource = findManagedResource({ state, configuration }, address, vmKind.name);
  return { session, resource, place: { projectId: resource.projectId, vmId: resource.id } };
}

/** The VMs that an address with `[*]` means; undefined for one without. @throws DiagnosticError where there are none */
function findTargets(
  session: ConfigurationSession,
  written: string,
): readonly VmJobTarget[] | undefined {
  const { resources } = session.store.state;
  const addresses = findInstanceAddresses(written, resources.keys());
  const found = addresses?.filter((one) => resources.get(one)?.kind === vmKind.name);
  if (found?.length !== 0) return found?.map((address) => findTarget(session, address));
  throw createCommandRefusal('not-in-state', `The state has no VM ${written}`, {
    detail: '`[*]` means all instances of a block with `count` or `forEach`.',
    hint: 'See "hostwright state list" for the addresses that there are.',
  });
}

function findTimeout({ session, resource }: VmJobTarget): number {
  const { resources } = session.configuration.graph;
  const desired = resources.find(({ address }) => address === resource.address);
  return desired?.timeouts.updateMs ?? defaultTimeoutMs;
}

function createGoneError({ session, resource }: VmJobTarget): DiagnosticError {
  return createCommandRefusal('vm-not-found', `The service has no VM ${resource.id}`, {
    detail: `The state knows it by this id; ${session.connection.service} does not. Somebody may have deleted it.`,
    hint: 'Run "hostwright plan" to see its status.',
    address: resource.address,
  });
}
