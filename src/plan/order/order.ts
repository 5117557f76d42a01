import { addToGroup } from '../../model/group-by.ts';
import { readContainerId } from '../../kinds/relations/parent-id.ts';
import {
  removeInstanceKey,
  parseDeposedAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { needsIdOf } from '../../model/account/command.ts';
import { isProject } from '../../model/kind-places.ts';
import { defaultTimeouts } from '../../model/resource.ts';
import type { DependencyReason, Task, TaskPhase } from '../../model/plan/task.ts';
import { parseKnownAddress } from '../account-index.ts';
import {
  listDecisionCommands,
  listWantedReferences,
  type DecisionCommandInput,
} from '../decide/commands.ts';
import { isDeposingReplacement } from './create-before-destroy.ts';
import type { ChangeDecision } from '../decide/decision.ts';
import {
  addTaskWait,
  sortTaskDrafts,
  type ChangeTaskDraft,
  type TaskDependencies,
} from './sort-drafts.ts';
import {
  listTemporaryNameClaims,
  listNameAndPortClaims,
  indexClaimHolders,
} from '../decide/decision-claims.ts';
import { addModuleInstanceGates, type ModuleInstanceGateInput } from './instances.ts';
import { addReadinessTasks, addReadinessWaits } from './readiness.ts';
import { addRolloutWaits } from './rollout.ts';

/** Input for ordering the tasks of a plan, beside the decisions. */
export interface TaskOrderInput
  extends Omit<DecisionCommandInput, 'destroyedFirst'>, ModuleInstanceGateInput {
  /** The decisions outside of the selection: none of them is carried out. */
  readonly unselected?: readonly ChangeDecision[];
}

const taskId = (address: ResourceAddress, phase: TaskPhase) => `${address}#${phase}`;

/**
 * Turns decisions into tasks and puts them in an order in which they may run one by one: needed resources first, deletes in
 * reverse, and the release of a name before its next use.
 * @throws TaskCycleError when tasks wait for one another in a circle
 */
export function orderTasks(
  decisions: readonly ChangeDecision[],
  { unselected = [], ...context }: TaskOrderInput,
): readonly Task[] {
  const input = { ...context, destroyedFirst: findResourcesDestroyedFirst(decisions) };
  const drafts = new Map<string, ChangeTaskDraft>();
  for (const decision of decisions) {
    const { address } = decision.change;
    for (const [phase, commands] of listDecisionCommands(decision, input)) {
      const id = taskId(address, phase);
      const timeouts = decision.desired?.timeouts ?? defaultTimeouts;
      const task = { id, address, phase, commands, timeouts };
      drafts.set(id, { decision, task, hard: new Map(), soft: new Map() });
    }
  }
  addReadinessTasks(drafts, decisions, input.state);
  // Most plans change nothing about thousands of resources: these are not looked at for the order.
  if (drafts.size === 0) return [];
  addReferenceWaits(drafts, decisions, input);
  addReadWaits(drafts, decisions);
  addTriggerWaits(drafts, decisions);
  addClaimWaits(drafts, decisions, indexClaimHolders(decisions));
  addReadinessWaits(drafts, decisions, input.state);
  addRolloutWaits(drafts, decisions, unselected, input.state);
  return sortTaskDrafts(addModuleInstanceGates(drafts, decisions, input));
}

/** Resources that are destroyed before another can take their place: replaced ones, and deleted ones whose name is used again. */
export function findResourcesDestroyedFirst(
  decisions: readonly ChangeDecision[],
): ReadonlySet<ResourceAddress> {
  const replaced = decisions.filter(
    (one) => one.change.action === 'replace' && !isDeposingReplacement(one),
  );
  const destroyedFirst = new Set(replaced.map(({ change }) => change.address));
  const goers = indexClaimHolders(
    decisions.filter(({ change: { action } }) => action === 'delete' || action === 'expire'),
  );
  if (goers.size === 0) return destroyedFirst;
  for (const decision of decisions) {
    for (const claim of listNameAndPortClaims(decision, 'after')) {
      const goer = goers.get(claim);
      if (goer) destroyedFirst.add(goer.change.address);
    }
  }
  return destroyedFirst;
}

function addReferenceWaits(
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
  decisions: readonly ChangeDecision[],
  { destroyedFirst, state }: DecisionCommandInput,
): void {
  const byId = new Map([...state.resources.values()].map(({ id, address }) => [id, address]));
  for (const decision of decisions) {
    const { address, project } = decision.change;
    const parent = parseKnownAddress(address).parent;
    const above = parent === undefined ? [] : [...new Set([project, parent])];
    const prepare = drafts.get(taskId(address, 'prepare'));
    const destroy = drafts.get(taskId(address, 'destroy'));
    const apply = drafts.get(taskId(address, 'apply'));
    if (apply && destroy) {
      if (isDeposingReplacement(decision)) wait(destroy.hard, apply, 'replacement');
      else wait(apply.hard, destroy, 'replacement');
    }
    const heir = drafts.get(taskId(parseDeposedAddress(address)?.base ?? '', 'apply'));
    if (heir && destroy && decision.change.action !== 'expire')
      wait(destroy.soft, heir, 'replacement');
    if (apply && prepare) wait(apply.hard, prepare, 'step-aside');
    if (apply) {
      for (const needed of [...above, ...listWantedReferences(decision)]) {
        const other = drafts.get(taskId(needed, 'apply'));
        if (!other) continue;
        const isMade = ['create', 'replace'].includes(other.decision.change.action);
        const reason = above.includes(needed) ? 'container' : 'reference';
        const waits = isMade || !other.decision.isSettled ? apply.hard : apply.soft;
        wait(waits, other, reason, findNeeding(apply, other));
      }
    }
    for (const held of new Set([
      ...standsIn(decision, state, byId),
      ...(decision.heldReferences ?? []),
    ])) {
      const theirs = drafts.get(taskId(held, 'destroy'));
      if (!theirs) continue;
      // A resource that refers to one that is deleted is deleted first, or drops its reference first. The service requires
      // that only for some kinds: SSH keys and VMs may be deleted while others still refer to them.
      const isSwitching = isDeposingReplacement(theirs.decision);
      if (destroy) {
        wait(theirs.hard, destroy, 'dependent');
        if (isSwitching && apply) wait(theirs.hard, apply, 'dependent');
      } else if (destroyedFirst.has(held)) {
        if (prepare) wait(theirs.hard, prepare, 'dependent');
      } else if (apply) {
        const isInsisting =
          isSwitching || theirs.decision.kind.traits.inUse?.isByReferences === true;
        wait(isInsisting ? theirs.hard : theirs.soft, apply, 'dependent');
      }
    }
  }
}

function wait(
  waits: TaskDependencies,
  { task }: ChangeTaskDraft,
  reason: DependencyReason,
  fromCommand?: number,
): void {
  addTaskWait(waits, { on: task.id, reason, ...(fromCommand !== undefined && { fromCommand }) });
}

/**
 * The first command of a create that needs the result of another create, where other commands come before it. Deferred
 * commands are not written yet, and a destroyed resource frees what the create needs.
 */
function findNeeding(apply: ChangeTaskDraft, other: ChangeTaskDraft): number | undefined {
  const isPlain = ({ decision: { change, reads = [], deposed = [] } }: ChangeTaskDraft) =>
    change.action === 'create' && reads.length + deposed.length === 0;
  if (!isPlain(apply) || !isPlain(other)) return undefined;
  const { address } = other.task;
  const index = apply.task.commands.findIndex((command) => needsIdOf(command, address));
  return index > 0 ? index : undefined;
}

/**
 * The change that makes a value comes before the ones that read it; also before a destruction, which its value may make
 * needless, and before all of a change that a policy judges by it.
 */
function addReadWaits(
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
  decisions: readonly ChangeDecision[],
): void {
  for (const { change, reads = [], policyReads = [] } of decisions) {
    const apply = drafts.get(taskId(change.address, 'apply'));
    const destroy = drafts.get(taskId(change.address, 'destroy'));
    // A resource makes way for its replacement only once it is certain that there is to be one.
    const prepare = change.isCreatedFirst
      ? drafts.get(taskId(change.address, 'prepare'))
      : undefined;
    for (const read of reads) {
      const other = drafts.get(taskId(read, 'apply'));
      if (!other) continue;
      const isMissing = other.decision.change.unknown.length > 0 || !other.decision.isSettled;
      for (const one of [prepare, apply]) {
        if (one) wait(isMissing ? one.hard : one.soft, other, 'value');
      }
      if (apply && destroy) wait(destroy.soft, other, 'value');
    }
    for (const read of policyReads) {
      const other = drafts.get(taskId(read, 'apply'));
      for (const phase of ['prepare', 'destroy', 'apply'] as const) {
        const one = drafts.get(taskId(change.address, phase));
        if (one && other) wait(one.soft, other, 'value');
      }
    }
  }
}

/**
 * A resource that `replaceTriggeredBy` names is changed before those that list it, instances of a group included: a disk is
 * only lost for a change that was really made. Where the two need each other the other way round, the service's own order
 * counts.
 */
function addTriggerWaits(
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
  decisions: readonly ChangeDecision[],
): void {
  const byName = new Map<ResourceAddress, ChangeTaskDraft[]>();
  for (const draft of drafts.values()) {
    const { address, phase } = draft.task;
    if (phase !== 'apply') continue;
    for (const name of new Set([address, removeInstanceKey(address)]))
      addToGroup(byName, name, draft);
  }
  for (const { change, desired } of decisions) {
    for (const trigger of desired?.lifecycle?.replaceTriggeredBy ?? []) {
      for (const other of byName.get(trigger) ?? []) {
        for (const phase of ['prepare', 'destroy', 'apply'] as const) {
          const one = drafts.get(taskId(change.address, phase));
          if (one) wait(one.soft, other, 'trigger');
        }
      }
    }
  }
}

/**
 * The container of a live resource: not necessarily that of its address, when that was replaced meanwhile. A resource that is
 * gone may have left something there that is still to be destroyed.
 */
function standsIn(
  { change, live, leftPublicIpId, deposed = [] }: ChangeDecision,
  { resources }: DecisionCommandInput['state'],
  byId: ReadonlyMap<string, ResourceAddress>,
): ResourceAddress[] {
  const left = leftPublicIpId === undefined ? undefined : resources.get(change.address)?.projectId;
  const held = [...(live ? [live] : []), ...deposed].flatMap((one) =>
    isProject(one.kind) ? [] : [one.projectId, readContainerId(one)],
  );
  return [...held, left ?? ''].flatMap((id) => {
    const address = byId.get(id);
    return address === undefined || address === change.address ? [] : [address];
  });
}

function addClaimWaits(
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
  decisions: readonly ChangeDecision[],
  holders: ReadonlyMap<string, ChangeDecision>,
): void {
  for (const decision of decisions) {
    const { address } = decision.change;
    const apply = drafts.get(taskId(address, 'apply'));
    if (!apply) continue;
    for (const claim of listNameAndPortClaims(decision, 'after')) {
      const holder = holders.get(claim);
      if (!holder || holder === decision) continue;
      const phase = findRelease(holder, claim, drafts);
      const release = drafts.get(taskId(holder.change.address, phase));
      const isReleased =
        phase === 'destroy' || !listNameAndPortClaims(holder, 'after').includes(claim);
      if (release && isReleased) wait(apply.hard, release, 'claim');
    }
  }
}

/** The task that releases a claim: that which destroys the resource, gives it a temporary name, or changes it. */
function findRelease(
  holder: ChangeDecision,
  claim: string,
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
): TaskPhase {
  const isGoing = drafts.has(taskId(holder.change.address, 'destroy'));
  if (holder.asideName === undefined) return isGoing ? 'destroy' : 'apply';
  return isGoing && listTemporaryNameClaims(holder).includes(claim) ? 'destroy' : 'prepare';
}
