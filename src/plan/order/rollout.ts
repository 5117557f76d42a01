// Of a block with `rollout` only so many members go out of service together: its changes are waves, one after the other.
import { findFacts } from '../../kinds/find-facts.ts';
import { kinds } from '../../kinds/registry.ts';
import { isDown } from '../../kinds/relations/serving.ts';
import { statusOf, type LiveResource } from '../../model/account/live.ts';
import { blockOf, parseDeposed, type Address } from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import type { Task } from '../../model/plan/task.ts';
import type { Bound, Rollout } from '../../model/resource.ts';
import type { Decision } from '../decide/decision.ts';
import { addWait, sortDrafts, type Draft } from './sort-drafts.ts';

/** The largest wave, whatever is allowed: each change waits for each of the wave before it. */
const largestWave = 50;

/** A change that takes a member out of service, or brings one back that is. */
interface MemberChange {
  readonly address: Address;
  /** Waits for the wave before it. */
  readonly first: Draft;
  /** Waited for by the wave behind it. */
  readonly last: Draft;
  readonly isOut: boolean;
}

/**
 * Lets each change of a block that takes a member out of service wait for the wave before its own. A member that is out already
 * goes first, else its repair would wait for ever; one that is out and is not changed takes a place of every wave.
 */
export function addRolloutWaits(
  drafts: ReadonlyMap<string, Draft>,
  decisions: readonly Decision[],
  unselected: readonly Decision[],
): void {
  const rollouts = new Map<Address, Rollout>();
  for (const { desired } of decisions) {
    if (desired?.rollout) rollouts.set(blockOf(desired.address), desired.rollout);
  }
  if (rollouts.size === 0) return;
  const members = [...decisions, ...unselected].filter(
    ({ change: { address } }) => rollouts.has(blockOf(address)) && !parseDeposed(address),
  );
  const taken = new Set(unselected);
  let places: ReadonlyMap<string, number> | undefined;
  for (const [block, group] of groupBy(members, ({ change }) => blockOf(change.address))) {
    const { atOnce, onFailure } = rollouts.get(block) as Rollout;
    const changes = group.flatMap((one) => (taken.has(one) ? [] : (listChange(one, drafts) ?? [])));
    const changing = new Set(changes.map(({ address }) => address));
    const out = group.filter((one) => !changing.has(one.change.address) && isOutUnchanged(one));
    const size = Math.min(largestWave, Math.max(1, boundOf(atOnce, group) - out.length));
    if (changes.length <= size) continue;
    places ??= new Map(sortDrafts(drafts).map(({ id }, index) => [id, index]));
    const placeOf = ({ last }: MemberChange) => places?.get(last.task.id) ?? 0;
    // What another member of the block needs goes before it.
    const inOrder = changes.sort(
      (a, b) => Number(b.isOut) - Number(a.isOut) || placeOf(a) - placeOf(b),
    );
    for (const [index, { first }] of inOrder.entries()) {
      const wave = Math.floor(index / size);
      for (const { last } of inOrder.slice((wave - 1) * size, wave * size)) {
        const wait = { on: last.task.id, reason: 'rollout' as const };
        addWait(first.hard, onFailure === 'continue' ? { ...wait, mayFail: true } : wait);
      }
    }
  }
}

/** The waves of each block in a plan, as its tasks wait for one another. @param tasks in an order in which they may run */
export function listWaves(tasks: readonly Task[]): ReadonlyMap<Address, readonly number[]> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const waves = new Map<Address, number>();
  for (const { address, dependsOn } of tasks) {
    for (const { on, reason } of dependsOn) {
      const before = byId.get(on)?.address;
      if (reason !== 'rollout' || before === undefined) continue;
      const wave = waves.get(before) ?? 0;
      waves.set(before, wave);
      waves.set(address, wave + 1);
    }
  }
  const sizes = new Map<Address, number[]>();
  for (const [address, wave] of waves) {
    const block = blockOf(address);
    const own = sizes.get(block) ?? [];
    own[wave] = (own[wave] ?? 0) + 1;
    sizes.set(block, own);
  }
  return sizes;
}

function boundOf(bound: Bound, members: readonly Decision[]): number {
  if ('count' in bound) return bound.count;
  const configured = members.filter(({ desired }) => desired !== undefined).length;
  return Math.floor((bound.percent * configured) / 100);
}

/** The change of a member, where it takes it out of service or brings it back; undefined for every other. */
function listChange(
  decision: Decision,
  drafts: ReadonlyMap<string, Draft>,
): MemberChange | undefined {
  const { live, change } = decision;
  const { address, action, isCreatedFirst } = change;
  if (!live || isOnItsWay(live)) return undefined;
  const isOut = isDown(live);
  // Nobody misses what is stopped on purpose, or goes while it is out.
  if (isOut && (action === 'delete' || isMeantToBeDown(decision))) return undefined;
  const own = (phase: string) => drafts.get(`${address}#${phase}`);
  const [apply, destroy] = [own('apply'), own('destroy')];
  const ordered = isCreatedFirst === true ? [apply, destroy] : [destroy, apply];
  const [first, last = first] = ordered.filter((one) => one !== undefined);
  if (!first || !last) return undefined;
  const isLosing = action === 'replace' || action === 'rebuild' || action === 'delete';
  return isLosing || switchesPower(apply) ? { address, first, last, isOut } : undefined;
}

function switchesPower(draft: Draft | undefined): boolean {
  return (draft?.task.commands ?? []).some(({ kind }) => {
    const { takes, gives } = findFacts(kind);
    return takes === 'power' || gives === 'power';
  });
}

function isOutUnchanged(decision: Decision): boolean {
  const { live, desired } = decision;
  if (!live || !desired || isOnItsWay(live)) return false;
  return isDown(live) && !isMeantToBeDown(decision);
}

/** True for what never served yet, and for what serves never again. */
function isOnItsWay(live: LiveResource): boolean {
  const status = statusOf(live);
  return status === 'creating' || status === 'deleting';
}

/** True where the configuration wants it stopped: what it ignores, it does not want. */
function isMeantToBeDown({ desired }: Decision): boolean {
  if (!desired) return false;
  const { isMeantToStop } = kinds[desired.kind].traits;
  const ignored = new Set(desired.lifecycle?.ignoreChanges);
  const wanted = Object.entries(desired.attributes).filter(([name]) => !ignored.has(name));
  return isMeantToStop?.(Object.fromEntries(wanted)) === true;
}
