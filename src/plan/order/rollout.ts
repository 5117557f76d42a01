// Waves of a block with `rollout`: only so many of its members go out of service together.
import { findCommandFacts } from '../../kinds/find-facts.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { isResourceBusy } from '../../kinds/outcome.ts';
import { isOutOfService } from '../../kinds/relations/serving.ts';
import {
  findBlockAddress,
  parseDeposedAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { groupBy, getKnown } from '../../model/group-by.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import type { Task, TaskPhase } from '../../model/plan/task.ts';
import type { NumberOrPercent, Rollout } from '../../model/resource.ts';
import type { State } from '../../model/state/state.ts';
import type { ChangeDecision } from '../decide/decision.ts';
import {
  addTaskWait,
  sortTaskDrafts,
  type ChangeTaskDraft,
  type TaskDependencies,
} from './sort-drafts.ts';

/** The largest wave, whatever is allowed: each change waits for each of the wave before it. */
const largestWave = 50;

/** A change that takes a member out of service, or brings one back. */
interface MemberChange {
  /** The first task of the change, which waits for the wave before. */
  readonly first: ChangeTaskDraft;
  /** The last task of the change, which the next wave waits for. */
  readonly last: ChangeTaskDraft;
  /** Rank of the change within its block: lower ones go first. */
  readonly rank: number;
  /** Tells whether the resource is deleted and not replaced. */
  readonly isGoing: boolean;
}

/** True for what an earlier run has changed, and did not see ready. */
type IsUnready = (decision: ChangeDecision) => boolean;

/**
 * Lets each change of a block that takes a member out of service wait for the wave before its own. What is out already goes first,
 * else its repair would wait for ever; then what goes for good, as others may take its room. All others wait for what is made,
 * too: an earlier run may have destroyed it. One that is out and is not changed takes a place of every wave. What was
 * changed by an earlier run, and is not ready yet, goes before everything else.
 */
export function addRolloutWaits(
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
  decisions: readonly ChangeDecision[],
  unselected: readonly ChangeDecision[],
  { resources }: Pick<State, 'resources'>,
): void {
  const all = [...decisions, ...unselected];
  const rollouts = new Map<ResourceAddress, Rollout>();
  for (const { desired } of all) {
    if (desired?.rollout) rollouts.set(findBlockAddress(desired.address), desired.rollout);
  }
  if (rollouts.size === 0) return;
  const members = all.filter(
    ({ change: { address } }) =>
      rollouts.has(findBlockAddress(address)) && !parseDeposedAddress(address),
  );
  const taken = new Set(unselected);
  let places: ReadonlyMap<string, number> | undefined;
  for (const [block, group] of groupBy(members, ({ change }) => findBlockAddress(change.address))) {
    const { atOnce, onFailure, ready } = getKnown(rollouts, block);
    const isUnready: IsUnready = ({ change: { address } }) =>
      ready !== undefined && resources.get(address)?.isNotReady === true;
    const selected = group.filter((one) => !taken.has(one));
    const changes = selected.flatMap((one) => listChange(one, drafts, isUnready) ?? []);
    const changing = new Set(changes.map(({ last }) => last.decision));
    const draftsOf = (test: (one: ChangeDecision) => boolean) =>
      selected.flatMap((one) => {
        const draft =
          draftOf(one, 'ready', drafts) ??
          draftOf(one, 'apply', drafts) ??
          draftOf(one, 'destroy', drafts);
        return draft && !changing.has(one) && test(one) ? [draft] : [];
      });
    // An earlier run has changed them, and did not see them ready.
    const unready = draftsOf(isUnready);
    const coming = draftsOf((one) => isComing(one) && !isUnready(one));
    const awaited = new Set([...unready, ...coming].map(({ decision }) => decision));
    const out = group.filter(
      (one) => !changing.has(one) && !awaited.has(one) && isOut(one, isUnready),
    );
    const configured = group.filter(({ desired }) => desired !== undefined).length;
    const size = calculateRolloutWaveSize(atOnce, configured, out.length);
    const wait = (by: TaskDependencies, on: ChangeTaskDraft) => {
      const waited = { on: on.task.id, reason: 'rollout' as const };
      addTaskWait(by, onFailure === 'continue' ? { ...waited, mayFail: true } : waited);
    };
    // Members that an earlier run has destroyed, and could not make again, are out of service as well.
    for (const { first, isGoing } of changes) {
      for (const one of unready) wait(first.hard, one);
      // A member that is destroyed may free the name for one that is created.
      for (const one of coming) wait(isGoing && !one.decision.live ? first.soft : first.hard, one);
    }
    if (changes.length <= size) continue;
    places ??= new Map(sortTaskDrafts(drafts).map(({ id }, index) => [id, index]));
    const placeOf = ({ last }: MemberChange) => places?.get(last.task.id) ?? 0;
    // A member that another one of the block needs comes before it.
    const inOrder = changes.sort((a, b) => a.rank - b.rank || placeOf(a) - placeOf(b));
    for (const [index, { first }] of inOrder.entries()) {
      const wave = Math.floor(index / size);
      for (const { last } of inOrder.slice((wave - 1) * size, wave * size)) wait(first.hard, last);
    }
  }
}

/**
 * Sizes of the waves of each block in a plan, as its tasks wait for one another.
 * @param tasks in an order in which they may run
 */
export function listRolloutWaves({
  changes,
  tasks,
}: Pick<Plan, 'changes' | 'tasks'>): ReadonlyMap<ResourceAddress, readonly number[]> {
  const isInWave = ({ dependsOn }: Task) => dependsOn.some(({ reason }) => reason === 'rollout');
  // Most plans roll nothing out: they pay for no index of their tasks.
  if (!tasks.some(isInWave)) return new Map();
  const waves = new Map<ResourceAddress, number>();
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const switched = new Set(tasks.filter(switchesPower).map(({ address }) => address));
  // An update that stops nothing may be waited for as well, and so may what is made.
  const losing = new Set(
    changes.flatMap(({ address, action }) =>
      losingActions.has(action) || (action === 'update' && switched.has(address)) ? [address] : [],
    ),
  );
  for (const { address, dependsOn, gate } of tasks) {
    for (const { on, reason } of gate ? [] : dependsOn) {
      const before = byId.get(on)?.address;
      if (reason !== 'rollout' || before === undefined || !losing.has(before)) continue;
      const wave = waves.get(before) ?? 0;
      waves.set(before, wave);
      waves.set(address, Math.max(waves.get(address) ?? 0, wave + 1));
    }
  }
  const sizes = new Map<ResourceAddress, number[]>();
  for (const [address, wave] of waves) {
    const block = findBlockAddress(address);
    const own = sizes.get(block) ?? [];
    own[wave] = (own[wave] ?? 0) + 1;
    sizes.set(block, own);
  }
  return sizes;
}

/** Actions that put a resource out of service. */
const losingActions: ReadonlySet<Action> = new Set(['rebuild', 'replace', 'delete']);

/** Size of a wave in a block of so many, of which some are out of service and stay so; one at least. */
export function calculateRolloutWaveSize(
  atOnce: NumberOrPercent,
  configured: number,
  out: number,
): number {
  const bound = 'count' in atOnce ? atOnce.count : Math.floor((atOnce.percent * configured) / 100);
  return Math.min(largestWave, Math.max(1, bound - out));
}

function draftOf(
  { change: { address } }: ChangeDecision,
  phase: TaskPhase,
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
): ChangeTaskDraft | undefined {
  return drafts.get(`${address}#${phase}`);
}

/** The change of a member, where it takes the member out of service or brings it back; undefined for any other. */
function listChange(
  decision: ChangeDecision,
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
  isUnready: IsUnready,
): MemberChange | undefined {
  const { live, change } = decision;
  const { action, isCreatedFirst } = change;
  if (!live) return undefined;
  const isGoing = action === 'delete';
  const isServing = !isOutOfService(live) && !isResourceBusy(live) && !isUnready(decision);
  // Nobody misses a member that is stopped on purpose, or that is deleted while it is out of service.
  if (!isServing && (isGoing || isDesiredStopped(decision))) return undefined;
  const own = (phase: TaskPhase) => draftOf(decision, phase, drafts);
  const [apply, destroy, ready] = [own('apply'), own('destroy'), own('ready')];
  const inOrder = isCreatedFirst === true ? [apply, ready, destroy] : [destroy, apply, ready];
  const steps = inOrder.filter((one) => one !== undefined);
  const [first] = steps;
  const last = steps.at(-1);
  if (!first || !last) return undefined;
  return losingActions.has(action) || (apply && switchesPower(apply.task))
    ? { first, last, rank: isGoing ? 1 : isServing ? 2 : 0, isGoing }
    : undefined;
}

/** Tells whether a task stops or starts its resource. */
export function switchesPower({ commands }: Pick<Task, 'commands'>): boolean {
  return commands.some(({ kind }) => {
    const { takes, gives } = findCommandFacts(kind);
    return takes === 'power' || gives === 'power';
  });
}

/** Tells whether a member is made by this plan, or is still being made by the service. */
function isComing({ live, change }: ChangeDecision): boolean {
  return live ? isResourceBusy(live) : change.action === 'create';
}

function isOut(decision: ChangeDecision, isUnready: IsUnready): boolean {
  const { live, desired } = decision;
  if (!live || !desired) return false;
  return (
    (isOutOfService(live) || isResourceBusy(live) || isUnready(decision)) &&
    !isDesiredStopped(decision)
  );
}

/** Tells whether the configuration wants a resource to be stopped; fields under `ignoreChanges` do not count. */
export function isDesiredStopped({ desired }: Pick<ChangeDecision, 'desired'>): boolean {
  if (!desired) return false;
  const { traits } = kindRegistry[desired.kind];
  const ignored = new Set(desired.lifecycle?.ignoreChanges);
  const wanted = Object.entries(desired.attributes).filter(([name]) => !ignored.has(name));
  return traits.isMeantToStop?.(Object.fromEntries(wanted)) === true;
}
