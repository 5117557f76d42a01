// Members of a block with probes are out of service until these hold: the wait for that is a task of its own in the order.
import { ReferenceAddressIndex, listReads } from '../../expressions/deferred/deferred-reads.ts';
import { kinds } from '../../kinds/registry.ts';
import { parseDeposed, type Address } from '../../model/address.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { Deferred } from '../../model/deferred.ts';
import type { Probe, Readiness } from '../../model/plan/readiness.ts';
import type { DependencyReason } from '../../model/plan/task.ts';
import type { State } from '../../model/state/state.ts';
import { wantedReferences } from '../decide/commands.ts';
import type { Decision } from '../decide/decision.ts';
import { isMeantToBeDown, switchesPower } from './rollout.ts';
import { addWait, type ChangeDraft, type TaskWaits } from './sort-drafts.ts';

const readyId = (address: Address) => `${address}#ready`;

/** Adds a task for each member that has probes, and is made, brought back, or was not seen ready by an earlier run. */
export function addReadyTasks(
  drafts: Map<string, ChangeDraft>,
  decisions: readonly Decision[],
  { resources }: Pick<State, 'resources'>,
): void {
  for (const decision of decisions) {
    const { desired, change } = decision;
    const ready = desired?.rollout?.ready;
    if (!desired || !ready || isMeantToBeDown(decision)) continue;
    const { timeouts } = desired;
    const { address } = change;
    const isOut = resources.get(address)?.isNotReady === true;
    if (!isOut && !bringsBack(decision, drafts.get(`${address}#apply`))) continue;
    const id = readyId(address);
    const task = { id, address, phase: 'ready' as const, commands: [], timeouts, ready };
    drafts.set(id, { decision, task, hard: new Map(), soft: new Map() });
  }
}

function bringsBack({ change, isSettled }: Decision, apply: ChangeDraft | undefined): boolean {
  if (!apply) return false;
  switch (change.action) {
    case 'create':
    case 'replace':
    case 'rebuild':
      return true;
    case 'update':
      return switchesPower(apply);
    default:
      // Nothing of it is changed, and the service is still at it.
      return change.action === 'no-op' || (change.action === 'due' && !isSettled);
  }
}

/**
 * Lets each of these tasks wait for the change itself, for what its probes read, and for what leads to the member. What is
 * replaced by something that is made first stays, and is led to, until that is ready.
 */
export function addReadyWaits(
  drafts: ReadonlyMap<string, ChangeDraft>,
  decisions: readonly Decision[],
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
  waits: TaskWaits | undefined,
  on: ChangeDraft | undefined,
  reason: DependencyReason,
): void {
  if (waits && on) addWait(waits, { on: on.task.id, reason });
}

/** The destructions of what stays until its replacement is there, by the address of that: by this plan, or an earlier one. */
function listReplaced(
  drafts: ReadonlyMap<string, ChangeDraft>,
  resources: State['resources'],
): ReadonlyMap<Address, readonly ChangeDraft[]> {
  const replaced = new Map<Address, ChangeDraft[]>();
  for (const draft of drafts.values()) {
    const { address, phase } = draft.task;
    const base = parseDeposed(address)?.base;
    const heir = draft.decision.change.isCreatedFirst ? address : base;
    // What gives way to one that is restored goes before that: it has its name.
    if (resources.get(address)?.gaveWayTo !== undefined) continue;
    if (phase === 'destroy' && heir !== undefined) addToGroup(replaced, heir, draft);
  }
  return replaced;
}

/** Lists the changes of resources through which another one is reached, by address. */
function listLeading(
  decisions: readonly Decision[],
  drafts: ReadonlyMap<string, ChangeDraft>,
): ReadonlyMap<Address, readonly ChangeDraft[]> {
  const leading = new Map<Address, ChangeDraft[]>();
  for (const decision of decisions) {
    const { kind, address } = decision.change;
    const apply = kinds[kind].traits.leadsTo && drafts.get(`${address}#apply`);
    if (!apply) continue;
    for (const target of wantedReferences(decision)) addToGroup(leading, target, apply);
  }
  return leading;
}

/** Lists the resources that probes read. */
function listProbeReads(
  ready: Readiness | undefined,
  book: ReferenceAddressIndex,
): ReadonlySet<Address> {
  const values = (ready?.probes ?? []).flatMap(listValues);
  return new Set(values.flatMap((one) => listReads(one, book)).map(({ address }) => address));
}

/** Lists the values of a probe that may hold expressions. */
function listValues(probe: Probe): readonly Deferred[] {
  switch (probe.kind) {
    case 'tcp':
      return [probe.address];
    case 'http':
      return [probe.url, ...(probe.contains ? [probe.contains] : [])];
    case 'command':
      return probe.words;
  }
}
