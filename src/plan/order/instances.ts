// Instances of a module that change one after the other: a gate before each of them waits for all of the one before.
import { isAtOrBelowAddress, type ResourceAddress } from '../../model/address.ts';
import type { ModuleInstanceGate } from '../../model/plan/gate.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import {
  defaultTimeouts,
  type DesiredGraph,
  type ModuleInstanceOrder,
} from '../../model/resource.ts';
import {
  ReferenceAddressIndex,
  listDeferredReads,
} from '../../expressions/deferred/deferred-reads.ts';
import type { ChangeDecision } from '../decide/decision.ts';
import { addTaskWait, type ChangeTaskDraft, type TaskDraft } from './sort-drafts.ts';

/** Input from which the order among the instances of a module follows: the mode of the plan, and the configuration. */
export interface ModuleInstanceGateInput {
  readonly mode?: PlanMode;
  readonly desired?: Pick<DesiredGraph, 'instanceOrders' | 'checks'>;
}

/** An instance of a module with the tasks of its changes. */
interface Turn {
  readonly instance: ResourceAddress;
  readonly drafts: readonly ChangeTaskDraft[];
}

/**
 * The tasks, with a gate before each instance that changes and has another before it. A gate waits for the instance before, and
 * for what the checks read that the plan changes elsewhere.
 */
export function addModuleInstanceGates(
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
  decisions: readonly ChangeDecision[],
  { mode = 'apply', desired = {} }: ModuleInstanceGateInput,
): ReadonlyMap<string, TaskDraft> {
  const { instanceOrders = [], checks = [] } = desired;
  const all = new Map<string, TaskDraft>(drafts);
  if (instanceOrders.length === 0) return all;
  const book = new ReferenceAddressIndex(decisions.map(({ change }) => change.address));
  const reads = checks.flatMap(({ assert }) =>
    listDeferredReads(assert, book).map((one) => one.address),
  );
  for (const order of instanceOrders) {
    const isChecked = mode === 'apply' && order.needsChecks && checks.length > 0;
    for (const gate of makeGates(order, drafts, decisions, { mode, isChecked })) {
      const { ahead } = gate.task.gate;
      for (const read of isChecked ? reads : []) {
        const other = drafts.get(`${read}#apply`);
        const isAhead = ahead.some((instance) => isAtOrBelowAddress(read, instance));
        if (other && !isAhead) addTaskWait(gate.soft, { on: other.task.id, reason: 'value' });
      }
      all.set(gate.task.id, gate);
    }
  }
  return all;
}

type GateDraft = TaskDraft & { readonly task: { readonly gate: ModuleInstanceGate } };

function makeGates(
  { instances, waitMs, needsChecks }: ModuleInstanceOrder,
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
  decisions: readonly ChangeDecision[],
  { mode, isChecked }: { readonly mode: PlanMode; readonly isChecked: boolean },
): readonly GateDraft[] {
  const inOrder = mode === 'destroy' ? instances.toReversed() : instances;
  const isSelected = (instance: ResourceAddress) =>
    decisions.some(({ change: { address } }) => isAtOrBelowAddress(address, instance));
  const turns: Turn[] = [];
  const gates: GateDraft[] = [];
  for (const [at, instance] of inOrder.entries()) {
    // A retirement that ends belongs to the plan that began it, so it is in no instance's turn.
    const own = [...drafts.values()].filter(
      ({ task: { address }, decision }) =>
        isAtOrBelowAddress(address, instance) && decision.change.action !== 'expire',
    );
    if (own.length === 0) continue;
    const before = turns.at(-1);
    // Without a change before it, the checks still say whether an earlier run has stopped there.
    const isHeld = before !== undefined || (isChecked && inOrder.slice(0, at).some(isSelected));
    if (isHeld) {
      const gate = {
        needsChecks: isChecked && needsChecks,
        waitMs: before ? waitMs : 0,
        after: turns.map((turn) => turn.instance),
        ahead: inOrder.slice(at),
      };
      const id = `${instance}#gate`;
      const task = { id, address: instance, phase: 'gate' as const, commands: [] };
      const made: GateDraft = {
        task: { ...task, timeouts: defaultTimeouts, gate },
        hard: new Map(),
        soft: new Map(),
      };
      for (const { task } of before?.drafts ?? []) {
        addTaskWait(made.hard, { on: task.id, reason: 'rollout' });
      }
      for (const { hard } of own) addTaskWait(hard, { on: id, reason: 'rollout' });
      gates.push(made);
    }
    turns.push({ instance, drafts: own });
  }
  return gates;
}
