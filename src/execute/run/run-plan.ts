// The executor: carries out a plan, nothing else and nothing more. Starts what is ready, waits for any, unblocks.
// It must never decide what to change, and never send a request whose intent is not on disk.
import { ApiError } from '../../api/errors/errors.ts';
import { recordCatalogEntryIds } from '../../kinds/asked-entries.ts';
import { removeRebuildBackupRecord, removeRebuildRollback } from '../../kinds/carry-out.ts';
import {
  describeDuplicateCreate,
  warnOfPossibleDuplicateCreate,
} from '../../kinds/recognise/create-findings.ts';
import {
  removeRespelledResources,
  recogniseCreatedResources,
} from '../../kinds/recognise/recognise.ts';
import { findCompanionResourceId } from '../../kinds/relations/brought.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { toError } from '../../model/errors.ts';
import { getKnown } from '../../model/group-by.ts';
import { type Change, type Plan, leavesAttributesUnchanged } from '../../model/plan/plan.ts';
import type { ApplySummary, ChangeResult } from '../../model/plan/result.ts';
import type { Task } from '../../model/plan/task.ts';
import { setServiceShownValues } from '../../model/state/shown.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { Attributes } from '../../model/value.ts';
import { isResourceSameInFile } from '../../state/snapshot/redact-state.ts';
import { findBuildSources } from '../context/built-from.ts';
import {
  createPlanRunContext,
  type RunContext,
  type RunOptions,
  type ResentCreate,
} from '../context/run-context.ts';
import { readTriggerIds } from '../context/trigger-ids.ts';
import type { RunConcurrencySlots } from '../pace/places.ts';
import { TaskFrontier } from './frontier.ts';
import { awaitModuleInstanceGate } from './pass-gate.ts';
import { resolveTaskValues } from './ready-task.ts';
import { runChange, nameApplyStep } from './run-change.ts';
import { RunResults } from './run-results.ts';

/**
 * Carries out a plan and says how each of its changes ended.
 * When the state cannot be written any more, or its lock was lost (`store.failure`), nothing new is started and what
 * runs is finished.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<ApplySummary> {
  const context = createPlanRunContext(options, plan);
  await refreshState(context, plan);
  const frontier = new TaskFrontier(plan.tasks, (task) => context.pathOf(task));
  const results = new RunResults();
  await runTasks(context, frontier, results);
  await recordTimes(context);
  const findings = await reviewDoubles(context);
  return {
    ...results.summarize(plan, context),
    ...(findings.length > 0 && { findings }),
  };
}

/** End of a task; `broken`: it threw an error that tasks never throw. */
type TaskEnd = { readonly task: Task } & (
  { readonly result: ChangeResult; readonly elapsedMs: number } | { readonly broken: unknown }
);

/** Events that may let other tasks start before a task has ended. */
type Chance =
  /** The task whose last command the service has accepted: what needs only its end in the middle may start. */
  { readonly accepted: string } | 'place';

/** Runs all tasks, so many at once. @throws what a task threw, once the others have ended */
async function runTasks(
  context: RunContext,
  frontier: TaskFrontier,
  results: RunResults,
): Promise<void> {
  const { interrupted, store, history, places, milestones } = context;
  const ends = new EndQueue<TaskEnd | Chance>();
  milestones.onAccepted = (accepted) => {
    ends.push({ accepted });
  };
  places.onChange = () => {
    ends.push('place');
  };
  const failures: unknown[] = [];
  let running = 0;
  for (;;) {
    const isStopped = interrupted.aborted || failures.length > 0 || store.failure !== undefined;
    if (isStopped) {
      for (const task of frontier.takeReady()) results.note(task, { kind: 'interrupted' }, 0);
    }
    for (const task of fillPlaces(frontier, places, isStopped)) {
      running += 1;
      void runTask(context, task).then(ends.push);
    }
    if (running === 0) break;

    const end = await ends.next();
    if (end === 'place') continue;
    if ('accepted' in end) {
      frontier.accept(end.accepted);
      continue;
    }
    running -= 1;
    places.release();
    if ('broken' in end) {
      failures.push(end.broken);
      milestones.noteEnd(end.task.id, 'interrupted');
      continue;
    }
    const { task, result, elapsedMs } = end;
    results.note(task, result, elapsedMs);
    milestones.noteEnd(task.id, result.kind);
    if (result.kind === 'applied') {
      if (task.phase === 'apply') history.done.add(task.address);
      frontier.complete(task.id);
    } else if (result.kind !== 'interrupted') skipWhatDepends(task, frontier, results);
  }
  if (failures.length > 0) throw toError(failures[0]);
}

function skipWhatDepends({ id }: Task, frontier: TaskFrontier, results: RunResults): void {
  for (const { task, causedBy } of frontier.fail(id)) {
    results.note(task, { kind: 'skipped', causedBy }, 0);
  }
}

/** Gives each free place to what has the longest way before it. @returns the tasks that start, each with its place */
function fillPlaces(
  frontier: TaskFrontier,
  places: RunConcurrencySlots,
  isStopped: boolean,
): readonly Task[] {
  const starting: Task[] = [];
  // After an interrupt, tasks are handed out only to be stopped, so they need no free place.
  while (places.hasRoom || isStopped) {
    const [begun = -1, ready = -1] = [places.nextRank, frontier.nextRank];
    if (begun < 0 && ready < 0) break;
    if (begun >= ready) places.admit();
    else {
      places.take();
      starting.push(...frontier.takeReady(1));
    }
  }
  places.isCrowded = places.nextRank !== undefined || frontier.nextRank !== undefined;
  return starting;
}

async function runTask(context: RunContext, task: Task): Promise<TaskEnd> {
  const { planned, clock } = context;
  const startedAt = clock.now();
  try {
    const { gate } = task;
    const result = gate
      ? await tellOf(context, undefined, task, () =>
          awaitModuleInstanceGate(context, { ...task, gate }),
        )
      : await runReady(context, getKnown(planned.changes, task.address), task);
    return { task, result, elapsedMs: clock.now() - startedAt };
  } catch (error) {
    return { task, broken: error };
  }
}

async function recordTimes({ store, durations, client }: RunContext): Promise<void> {
  const { learned, learnedReady, slowestAppearanceMs } = durations;
  const clocks = client.clocks.learned;
  if (!learned && !learnedReady && !clocks) return;
  await store.record({
    kind: 'timed',
    durations: learned ?? store.state.durations ?? {},
    ...(learnedReady && { readyTimes: learnedReady }),
    ...(slowestAppearanceMs !== undefined && { slowestAppearanceMs }),
    ...(clocks && { clocks }),
  });
}

/** Resolves a change, where its expressions read what is known by now, and carries it out. */
function runReady(context: RunContext, change: Change, task: Task): Promise<ChangeResult> {
  if (task.ready) {
    const resolved = context.history.resolved.get(change.address)?.change ?? change;
    return tellOf(context, resolved, task, () => runChange(context, resolved, task));
  }
  const ready = resolveTaskValues(context, change, task);
  switch (ready.kind) {
    case 'needless':
      return Promise.resolve({ kind: 'applied', id: change.id });
    case 'failed':
      return tellOf(context, change, task, () => Promise.resolve(ready));
    case 'ready':
      return tellOf(context, ready.change, ready.task, () =>
        runChange(context, ready.change, ready.task),
      );
  }
}

/** Emits the events of a task's start and end. */
async function tellOf(
  { emit, clock, horizon, store }: RunContext,
  change: Change | undefined,
  task: Task,
  work: () => Promise<ChangeResult>,
): Promise<ChangeResult> {
  const { address } = task;
  const { id = null } = change ?? {};
  const step = change ? nameApplyStep(store.state, change, task) : 'wait';
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
  const end = { address, step, elapsedMs: at - startedAt, at, endsAt: horizon.expectedEnd };
  if (result.kind === 'applied') emit({ kind: 'completed', ...end, id: result.id });
  else if ('diagnostic' in result) {
    const { diagnostic } = result;
    const { restoredFrom } = { restoredFrom: undefined, ...result };
    const restored = restoredFrom === undefined ? {} : { restoredFrom };
    emit({ kind: 'errored', ...end, diagnostic, ...restored });
  }
  return result;
}

/** The time that the configuration gives a task: that of its commands, one after the other, or of a wait alone. */
function withinMsOf({ commands, timeouts, ready, gate }: Task): number {
  if (gate) return gate.waitMs;
  if (ready) return ready.withinMs + ready.settleMs;
  if (commands.length === 0) return timeouts.updateMs;
  return commands.reduce((sum, { kind }) => sum + timeouts[`${commandSubjects[kind].effect}Ms`], 0);
}

/** Ends of tasks that run at once, in the order in which they come: each waiter takes one end, once. */
class EndQueue<T> {
  readonly #ends: T[] = [];
  #wake: () => void = () => undefined;

  readonly push = (end: T): void => {
    this.#ends.push(end);
    this.#wake();
  };

  /** The next end; waits for it where none is there. For one taker at a time. */
  async next(): Promise<T> {
    for (;;) {
      const end = this.#ends.shift();
      if (end !== undefined) return end;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Findings about the creates that this run sent again: a second resource exists, or may exist. */
async function reviewDoubles(context: RunContext): Promise<readonly Finding[]> {
  const resent = await Promise.all(
    [...context.history.resent.values()].map((one) => review(context, one)),
  );
  return resent.flat();
}

async function review(
  { client, store, addresses, history: { bound } }: RunContext,
  { double, isSupported }: ResentCreate,
): Promise<readonly Finding[]> {
  const { address, command } = double;
  const managed = store.state.resources.get(address);
  const listed = await client
    .list(commandSubjects[command.kind].kind, placeOfCommand(command))
    .catch((error: unknown) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    });
  const isKnown = (id: string) => addresses.has(id) || bound.has(id);
  const { ours } = removeRespelledResources(command, {
    bound: listed?.find(({ id }) => id === managed?.id),
    ours: recogniseCreatedResources(double, listed ?? [], isKnown).ours,
    alike: [],
  });
  if (managed && ours.length > 0) return [describeDuplicateCreate(double, managed, ours)];
  return !managed || (isSupported && listed) ? [] : [warnOfPossibleDuplicateCreate(address)];
}

/** Brings the state up to what the plan found: fields that are configured now, resources that are gone. */
async function refreshState(context: RunContext, plan: Plan): Promise<void> {
  const { store, planned } = context;
  const writes: Promise<void>[] = [];
  for (const address of plan.gone) writes.push(store.record({ kind: 'removed', address }));
  for (const change of plan.changes) {
    const { address, action, before, configured, isProtected, underway } = change;
    const { ignored = [], asRecorded = [], shown = {} } = change;
    const managed = store.state.resources.get(address);
    // A change under way is recorded at its end.
    if (!leavesAttributesUnchanged({ action }) || underway || !managed || !before) continue;
    if (change.retirement) continue;
    const live = planned.liveById.get(managed.id);
    const recorded = asRecorded.filter((name) => managed.untold?.includes(name));
    const untold = [...recorded, ...(change.untold ?? [])];
    // An ignored field keeps the values that were asked for and shown.
    const isIgnored = (name: string) => ignored.includes(name);
    const stillShown = [...Object.keys(shown), ...ignored, ...asRecorded];
    const allocated = findCompanionResourceId(managed, live);
    const entries = live && recordCatalogEntryIds(live, managed, isIgnored);
    const found: { -readonly [K in keyof ManagedResource]: ManagedResource[K] } = {
      ...removeRebuildBackupRecord(managed.isNotReady ? managed : removeRebuildRollback(managed)),
      ...(allocated !== undefined && { allocatedPublicIpId: allocated }),
      ...(isProtected !== managed.isProtected && { isProtected: isProtected === true }),
      attributes: { ...before, ...pick(managed.attributes, ignored) },
      configured,
      untold,
      ...entries,
      ...(live && findBuildSources(context, live, managed)),
      ...readTriggerIds(context, change),
    };
    if (!change.triggers) delete found.triggerIds;
    if (entries && !entries.entryTexts) delete found.entryTexts;
    // The retired resource is wanted again.
    delete found.retired;
    if (change.retireMs === undefined) delete found.retireMs;
    else found.retireMs = change.retireMs;
    if (untold.length === 0) delete found.untold;
    const resource = setServiceShownValues(found, pick({ ...shown, ...managed.shown }, stillShown));
    if (isResourceSameInFile(resource, managed)) continue;
    writes.push(store.record({ kind: 'settled', resource }));
  }
  await Promise.all(writes);
}

const pick = (values: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
