// The executor: carries out a plan, nothing else and nothing more. Starts what is unblocked, waits, unblocks.
// It must never decide what to change, and never send a request whose intent is not on disk.
import PQueue from 'p-queue';
import type { Address } from '../../model/address.ts';
import { allocatedPublicIpOf } from '../../kinds/public-ip/allocated-ip.ts';
import { rememberName } from '../../kinds/kept-name.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { listEffects, type Effect } from '../../model/plan/effects.ts';
import type { Change, Plan, Task } from '../../model/plan/plan.ts';
import type { AppliedChange, ApplySummary, ChangeResult } from '../../model/plan/result.ts';
import { createFrontier } from './frontier.ts';
import { groupBy } from '../../model/group-by.ts';
import { findRemainingPaths } from './remaining-path.ts';
import { runChange, stepOf } from './run-change.ts';
import { reviewDoubles } from './review-doubles.ts';
import { settleChange } from './settle-change.ts';
import { createContext, type RunContext, type RunOptions } from './run-context.ts';
import { builtFromOf } from './built-from.ts';
import { isSameInFile } from '../../state/snapshot/redact-state.ts';

/**
 * Carries out a plan and says how each of its changes ended.
 * When the state cannot be written any more, or its lock was lost (`store.failure`), nothing new is started and what
 * runs is finished.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<ApplySummary> {
  const context = createContext(options, plan);
  const { changes } = context;
  const results = new Map<Address, { result: ChangeResult; elapsedMs: number }>();
  const completed = new Set<Task['id']>();
  await refreshState(context, plan);

  const frontier = createFrontier(plan.tasks);
  const paths = findRemainingPaths(plan.tasks, context.durations.expect);
  const queue = new PQueue({ concurrency: options.parallelism });
  let broken: unknown;

  const startReady = () => {
    for (const task of frontier.takeReady()) {
      void queue
        .add(() => runOne(task), { priority: paths.get(task.id) ?? 0 })
        .catch((error: unknown) => (broken ??= error));
    }
  };
  const runOne = async (task: Task): Promise<void> => {
    const change = changes.get(task.address) as Change;
    const { interrupted, clock } = context;
    if (interrupted.aborted || broken !== undefined || context.store.failure) {
      note(task, { kind: 'interrupted' }, 0);
      return;
    }
    const startedAt = clock.now();
    const result = await runSettled(context, change, task);
    const elapsedMs = clock.now() - startedAt;
    note(task, result, elapsedMs);
    if (result.kind === 'applied') {
      completed.add(task.id);
      if (task.phase === 'apply') context.done.add(task.address);
      frontier.complete(task.id);
    } else if (result.kind !== 'interrupted') {
      for (const skipped of frontier.fail(task.id)) {
        note(skipped.task, { kind: 'skipped', causedBy: skipped.causedBy }, 0);
      }
    }
    startReady();
  };
  /** One result a change: of its two tasks, the one that went wrong, else the later one. */
  const note = ({ address }: Task, result: ChangeResult, elapsedMs: number) => {
    const earlier = results.get(address);
    const total = elapsedMs + (earlier?.elapsedMs ?? 0);
    const isWorse = !earlier || earlier.result.kind === 'applied';
    const ended: ChangeResult =
      result.kind === 'interrupted' && earlier ? { ...result, isBegun: true } : result;
    results.set(address, { result: isWorse ? ended : earlier.result, elapsedMs: total });
  };

  startReady();
  await queue.onIdle();
  const { learned, slowestAppearanceMs } = context.durations;
  if (broken === undefined && learned) {
    await options.store.record({
      kind: 'timed',
      durations: learned,
      ...(slowestAppearanceMs !== undefined && { slowestAppearanceMs }),
    });
  }
  if (broken !== undefined) throw broken as Error;
  const findings = await reviewDoubles(context);
  return {
    ...summarize(plan, results, completed, context),
    ...(findings.length > 0 && { findings }),
  };
}

/** Works a change out, where its expressions read what is known by now, and carries it out. */
function runSettled(context: RunContext, change: Change, task: Task): Promise<ChangeResult> {
  const settled = settleChange(context, change, task);
  switch (settled.kind) {
    case 'needless':
      return Promise.resolve({ kind: 'applied', id: change.id });
    case 'failed':
      return tellOf(context, change, task, () => Promise.resolve(settled));
    case 'ready':
      return tellOf(context, settled.change, settled.task, () =>
        runChange(context, settled.change, settled.task),
      );
  }
}

/** Brings the state up to what the plan found: fields that are configured now, resources that are gone. */
async function refreshState(context: RunContext, plan: Plan): Promise<void> {
  const { store, liveById } = context;
  const writes: Promise<void>[] = [];
  for (const address of plan.gone) writes.push(store.record({ kind: 'removed', address }));
  for (const { address, action, before, configured, isProtected, underway } of plan.changes) {
    const managed = store.state.resources.get(address);
    // What is under way is remembered once it has come about.
    if (action !== 'no-op' || underway || !managed || !before) continue;
    const live = liveById.get(managed.id);
    const allocated = allocatedPublicIpOf(managed, live);
    const found = {
      ...managed,
      ...(allocated !== undefined && { allocatedPublicIpId: allocated }),
      ...(isProtected !== managed.isProtected && { isProtected: isProtected === true }),
      attributes: before,
      configured,
      ...(live && builtFromOf(context, live, managed)),
    };
    const resource = live ? rememberName(found, live, before.name) : found;
    if (isSameInFile(resource, managed)) continue;
    writes.push(store.record({ kind: 'settled', resource }));
  }
  await Promise.all(writes);
}

/** Tells whoever shows the run of a task's start and end. */
async function tellOf(
  { emit, clock }: RunContext,
  change: Change,
  task: Task,
  work: () => Promise<ChangeResult>,
): Promise<ChangeResult> {
  const { address, id } = change;
  const step = stepOf(change, task);
  const startedAt = clock.now();
  emit({
    kind: 'started',
    address,
    step,
    id: step === 'create' ? null : id,
    at: startedAt,
    withinMs: withinMsOf(task),
  });
  const result = await work();
  const at = clock.now();
  const elapsedMs = at - startedAt;
  if (result.kind === 'applied') {
    emit({ kind: 'completed', address, step, id: result.id, elapsedMs, at });
  } else if ('diagnostic' in result) {
    emit({ kind: 'errored', address, step, elapsedMs, diagnostic: result.diagnostic, at });
  }
  return result;
}

/** The time that the configuration gives a task: that of its commands, one after the other, or of a wait alone. */
function withinMsOf({ commands, timeouts }: Task): number {
  if (commands.length === 0) return timeouts.updateMs;
  return commands.reduce((sum, { kind }) => sum + timeouts[`${commandSubjects[kind].effect}Ms`], 0);
}

/** What only the state had to learn is done; what had a task and no result was never reached. */
function endWithout(hasTask: boolean, id: string | null): ChangeResult {
  return hasTask ? { kind: 'interrupted' } : { kind: 'applied', id };
}

/** What the state alone had to learn was done before the first task. Whatever is destroyed may have a task of its own. */
function isDone(
  effect: Effect,
  tasks: readonly Task[],
  completed: ReadonlySet<Task['id']>,
): boolean {
  if (effect === 'import' || effect === 'forget') return true;
  const destroying = tasks.find(({ phase }) => phase === 'destroy');
  const applying = tasks.find(({ phase }) => phase === 'apply');
  const task = effect === 'destroy' ? (destroying ?? applying) : applying;
  return task === undefined || completed.has(task.id);
}

function summarize(
  plan: Plan,
  results: ReadonlyMap<Address, { result: ChangeResult; elapsedMs: number }>,
  completed: ReadonlySet<Task['id']>,
  { settled, interrupted, store }: RunContext,
): ApplySummary {
  const tasks = groupBy(plan.tasks, ({ address }) => address);
  const changes: AppliedChange[] = plan.changes
    .filter((change) => listEffects(change).length > 0 || results.has(change.address))
    .map((planned) => {
      const { address, id } = planned;
      // What expressions came to may ask for less than was planned.
      const change = settled.get(address)?.change ?? planned;
      const own = tasks.get(address) ?? [];
      return {
        address,
        action: change.action,
        done: listEffects(change).filter((effect) => isDone(effect, own, completed)),
        ...(results.get(address) ?? { result: endWithout(own.length > 0, id), elapsedMs: 0 }),
      };
    });
  return {
    changes,
    isInterrupted: interrupted.aborted,
    ...(store.failure !== undefined && { isUnwritten: true }),
  };
}
