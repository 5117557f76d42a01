// Members of a block with probes are out of service until these hold: the wait for that is a task of its own in the order.
import {
  ReferenceAddressIndex,
  listDeferredReads,
} from '../../expressions/deferred/deferred-reads.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { parseDeposedAddress, type ResourceAddress } from '../../model/address.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { DeferredValue } from '../../model/deferred.ts';
import type { Probe, ReadinessConditions } from '../../model/plan/readiness.ts';
import type { DependencyReason } from '../../model/plan/task.ts';
import type { State } from '../../model/state/state.ts';
import { listWantedReferences } from '../decide/commands.ts';
import type { ChangeDecision } from '../decide/decision.ts';
import { isDesiredStopped, switchesPower } from './rollout.ts';
import { addTaskWait, type ChangeTaskDraft, type TaskDependencies } from './sort-drafts.ts';

const readyId = (address: ResourceAddress) => `${address}#ready`;

/** Adds a task for each member that has probes, and is made, brought back, or was not seen ready by an earlier run. */
export function addReadinessTasks(
  drafts: Map<string, ChangeTaskDraft>,
  decisions: readonly ChangeDecision[],
  { resources }: Pick<State, 'resources'>,
): void {
  for (const decision of decisions) {
    const { desired, change } = decision;
    const ready = desired?.rollout?.ready;
    if (!desired || !ready || isDesiredStopped(decision)) continue;
    const { timeouts } = desired;
    const { address } = change;
    const isOut = resources.get(address)?.isNotReady === true;
    if (!isOut && !bringsBack(decision, drafts.get(`${address}#apply`))) continue;
    const id = readyId(address);
    const task = { id, address, phase: 'ready' as const, commands: [], timeouts, ready };
    drafts.set(id, { decision, task, hard: new Map(), soft: new Map() });
  }
}

function bringsBack(
  { change, isSettled }: ChangeDecision,
  apply: ChangeTaskDraft | undefined,
): boolean {
  if (!apply) return false;
  switch (change.action) {
    case 'create':
    case 'replace':
    case 'rebuild':
      return true;
    case 'update':
      return switchesPower(apply.task);
    default:
      // Nothing is sent that changes the resource, but the service still carries out an earlier command on it.
      return change.action === 'no-op' || (change.action === 'due' && !isSettled);
  }
}

/**
 * Lets each of these tasks wait for the change itself, for what its probes read, and for what leads to the member. What is
 * replaced by something that is made first stays, and is led to, until that is ready.
 */
export function addReadinessWaits(
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
  decisions: readonly ChangeDecision[],
  { resources }: Pick<State, 'resources'>,
): void {
  const waiting = [...drafts.values()].filter(({ task }) => task.phase === 'ready');
  if (waiting.length === 0) return;
  const book = new ReferenceAddressIndex(decisions.map(({ change }) => change.address));
  const leading = listLeading(decisions, drafts);
  const leftover = listReplaced(drafts, resources);
  for (const ready of waiting) {
    const { address, ready: readiness } = ready.task;
    wait(ready.hard, drafts.get(`${address}#apply`), 'ready');
    const replaced = leftover.get(address) ?? [];
    for (const one of replaced) wait(one.hard, ready, 'ready');
    for (const one of leading.get(address) ?? []) {
      if (replaced.length > 0) wait(one.hard, ready, 'ready');
      else wait(ready.soft, one, 'ready');
    }
    for (const read of listProbeReads(readiness, book)) {
      if (read !== address) wait(ready.soft, drafts.get(`${read}#apply`), 'value');
    }
  }
}

function wait(
  waits: TaskDependencies | undefined,
  on: ChangeTaskDraft | undefined,
  reason: DependencyReason,
): void {
  if (waits && on) addTaskWait(waits, { on: on.task.id, reason });
}

/** The destructions of what stays until its replacement is there, by the address of that: by this plan, or an earlier one. */
function listReplaced(
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
  resources: State['resources'],
): ReadonlyMap<ResourceAddress, readonly ChangeTaskDraft[]> {
  const replaced = new Map<ResourceAddress, ChangeTaskDraft[]>();
  for (const draft of drafts.values()) {
    const { address, phase } = draft.task;
    const base = parseDeposedAddress(address)?.base;
    const heir = draft.decision.change.isCreatedFirst ? address : base;
    // A VM that gives way to a restored one goes before that: it has its name.
    if (resources.get(address)?.gaveWayTo !== undefined) continue;
    if (phase === 'destroy' && heir !== undefined) addToGroup(replaced, heir, draft);
  }
  return replaced;
}

/** Lists the changes of resources through which another one is reached, by address. */
function listLeading(
  decisions: readonly ChangeDecision[],
  drafts: ReadonlyMap<string, ChangeTaskDraft>,
): ReadonlyMap<ResourceAddress, readonly ChangeTaskDraft[]> {
  const leading = new Map<ResourceAddress, ChangeTaskDraft[]>();
  for (const decision of decisions) {
    const { kind, address } = decision.change;
    const apply = kindRegistry[kind].traits.leadsTo && drafts.get(`${address}#apply`);
    if (!apply) continue;
    for (const target of listWantedReferences(decision)) addToGroup(leading, target, apply);
  }
  return leading;
}

/** Lists the resources that probes read. */
function listProbeReads(
  ready: ReadinessConditions | undefined,
  book: ReferenceAddressIndex,
): ReadonlySet<ResourceAddress> {
  const values = (ready?.probes ?? []).flatMap(listValues);
  return new Set(
    values.flatMap((one) => listDeferredReads(one, book)).map(({ address }) => address),
  );
}

/** Lists the values of a probe that may hold expressions. */
function listValues(probe: Probe): readonly DeferredValue[] {
  switch (probe.kind) {
    case 'tcp':
      return [probe.address];
    case 'http':
      return [probe.url, ...(probe.contains ? [probe.contains] : [])];
    case 'command':
      return probe.words;
  }
}
