// An apply without a network, a clock or a disk: the tasks of a plan, one by one in any order that they allow, against
// the service in small. What the executor writes into the state is written here too.
import { ProjectedScope } from '../../src/expressions/deferred/projected-scope.ts';
import { findCompanionResourceId } from '../../src/kinds/relations/brought.ts';
import { kindRegistry } from '../../src/kinds/registry.ts';
import {
  makeDeposedAddress,
  parseResourceAddress,
  type ResourceAddress,
} from '../../src/model/address.ts';
import {
  commandSubjects,
  resolveCommand,
  type ResourceRef,
} from '../../src/model/account/command.ts';
import type { LiveResource, LiveSnapshot } from '../../src/model/account/live.ts';
import type { LiveProject } from '../../src/kinds/project/model.ts';
import type { KnownResource } from '../../src/model/deferred.ts';
import type { Change, Plan } from '../../src/model/plan/plan.ts';
import type { Task } from '../../src/model/plan/task.ts';
import {
  deposeResource,
  emptyStateOutputs,
  type ManagedResource,
  type RememberedOutputs,
  type State,
} from '../../src/model/state/state.ts';
import { indexPlannedClaims } from '../../src/plan/deferred/claims.ts';
import { findResourceDuringApply } from '../../src/plan/values/known-resource.ts';
import { resolveOutputs } from '../../src/plan/deferred/outputs.ts';
import { projectResourcesFromState } from '../../src/plan/deferred/project-state.ts';
import {
  resolveDeferredChange,
  type DeferredChangeResolution,
} from '../../src/plan/deferred/resolve-change.ts';
import { needsDeferredValues, resolveDeferredTask } from '../../src/plan/deferred/resolve-task.ts';
import { isWholeSelection } from '../../src/plan/order/targets.ts';
import { expectSense } from './nonsense.ts';
import { plannedAt } from './plan-lines.ts';
import { createService, type Service } from './service.ts';
import { withLive, type World } from './world.ts';

/** Picks one of so many that could come next. */
export type Pick = (count: number) => number;

const first: Pick = () => 0;

/**
 * The world after the plan was applied.
 * @throws Refusal when the service refuses a command: the order is wrong
 */
export function applyPlan(world: World, plan: Plan, pick: Pick = first): World {
  const service = createService(world.live);
  const resources = new Map(world.state.resources);
  for (const address of plan.gone) resources.delete(address);
  for (const change of plan.changes) refresh(change, resources);
  const resolve = createResolver(world, plan, resources);
  for (const planned of linearize(plan.tasks, pick)) {
    // A gate only waits.
    if (planned.gate) continue;
    const { change, task } = resolve(planned);
    if (task) runTask(task, change, service, resources, world);
  }
  const all = service.list();
  const state = { ...world.state, serial: world.state.serial + 1, resources };
  const outputs = outputsOf(world, state);
  const live = withLive(
    world,
    all.filter((one): one is LiveProject => one.kind === 'project'),
    all.filter((one) => one.kind !== 'project'),
  );
  const readProjectIds = live.projects.map(({ id }) => id);
  const backups = backUpDue(plan, live.backups);
  return { ...world, live: { ...live, readProjectIds, backups }, state: { ...state, outputs } };
}

/** The backups of the account, with those that were due. */
function backUpDue({ changes }: Plan, before: LiveSnapshot['backups'] = new Map()) {
  const backups = new Map(before);
  for (const { id, dueBackup, displacedBackup } of changes) {
    if (!dueBackup || id === null) continue;
    const kept = (before.get(id) ?? []).filter((one) => one.id !== displacedBackup);
    const made = { id: 'bkp-due', status: 'active', createdAt: plannedAt, size: 8 };
    backups.set(id, [...kept, { ...made, sourceImageId: null }]);
  }
  return backups;
}

function outputsOf({ mode, desired, planOptions }: World, state: State): RememberedOutputs {
  const { resources, emptyGroups, outputs: entries = [] } = desired;
  return resolveOutputs({
    mode,
    isWhole: !planOptions || isWholeSelection(planOptions.selection),
    entries,
    before: state.outputs ?? emptyStateOutputs,
    scope: new ProjectedScope(() => projectResourcesFromState(resources, state), emptyGroups),
  }).recorded;
}

/** Resolves deferred values as the executor does: a task as it is carried out, or none where nothing is left of it. */
function createResolver(
  { live: { catalog, projects, resources: standing } }: World,
  plan: Plan,
  resources: ReadonlyMap<ResourceAddress, ManagedResource>,
) {
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  // As a plan file would hold it: plain data, and nothing else.
  const data = JSON.parse(JSON.stringify(plan.deferred ?? [])) as typeof plan.deferred;
  const deferred = new Map(data?.map((one) => [one.address, one]));
  const live = new Map([...projects, ...standing].map((one) => [one.id, one]));
  const addresses = plan.changes.flatMap(({ address, after }) => (after ? [address] : []));
  const claims = indexPlannedClaims(plan.changes);
  const done = new Set<ResourceAddress>();
  const resolved = new Map<ResourceAddress, DeferredChangeResolution>();
  const read = (address: ResourceAddress): KnownResource | undefined => {
    const change = changes.get(address);
    return (
      change &&
      findResourceDuringApply(change, done.has(address), resources.get(address)?.attributes)
    );
  };
  return (task: Task): { change: Change; task: Task | undefined } => {
    const { address, phase } = task;
    const change = changes.get(address) as Change;
    if (phase === 'apply') done.add(address);
    const own = deferred.get(address);
    if (!own || !needsDeferredValues(change, task)) return { change, task };
    const isGone = change.action === 'replace' && !resources.has(address);
    const resolution =
      resolved.get(address) ??
      resolveDeferredChange(change, own, { addresses, read, claims, catalog, live, isGone });
    if (resolution.kind === 'known') {
      resolved.set(address, resolution);
      for (const claim of resolution.claims) claims.set(claim, address);
    }
    const ready = resolveDeferredTask(change, task, resolution);
    expectSense(
      ready.kind === 'ready' || ready.kind === 'needless',
      `${address} has no values: ${JSON.stringify(ready)}`,
    );
    return ready.kind === 'ready' ? ready : { change, task: undefined };
  };
}

/** One of the orders in which tasks may run: again and again, any that waits for nothing. */
export function linearize(tasks: readonly Task[], pick: Pick): Task[] {
  const waiting = new Map(
    tasks.map((task) => [task.id, new Set(task.dependsOn.map(({ on }) => on))]),
  );
  const left = new Map(tasks.map((task) => [task.id, task]));
  const ordered: Task[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ id }) => waiting.get(id)?.size === 0);
    const next = ready[pick(ready.length)];
    expectSense(next !== undefined, 'tasks that wait for one another');
    if (!next) break;
    ordered.push(next);
    left.delete(next.id);
    for (const waits of waiting.values()) waits.delete(next.id);
  }
  return ordered;
}

function refresh(change: Change, resources: Map<ResourceAddress, ManagedResource>): void {
  const managed = resources.get(change.address);
  if (change.action !== 'no-op' || !managed || !change.before) return;
  const { before: attributes, configured } = change;
  resources.set(change.address, { ...managed, attributes, configured });
}

function runTask(
  { phase, commands }: Task,
  change: Change,
  service: Service,
  resources: Map<ResourceAddress, ManagedResource>,
  world: World,
): void {
  let id = change.id;
  const isMade = change.action === 'create' || change.action === 'replace';
  if (phase === 'apply' && !isMade && id !== null) service.settle(id);
  for (const command of commands) {
    const resolved = resolveCommand(command, (ref: ResourceRef) => {
      if ('id' in ref) return ref.id;
      const known = resources.get(ref.idOf)?.id;
      expectSense(known !== undefined, `${ref.idOf} has no id yet, and ${command.kind} needs it`);
      return known ?? '';
    });
    const { kind, effect } = commandSubjects[resolved.kind];
    const done = service.perform(resolved);
    if (effect !== 'create' || kind !== change.kind || !done) continue;
    id = done.id;
    const before = resources.get(change.address);
    if (change.isCreatedFirst && before) {
      const deposed = deposeResource(before);
      resources.set(deposed.address, deposed);
    }
    remember(change, done, resources, world);
  }
  if (phase === 'destroy') {
    const { address, isCreatedFirst } = change;
    resources.delete(isCreatedFirst ? makeDeposedAddress(address, change.id ?? '') : address);
  }
  const now = id === null ? undefined : service.find(id);
  if (phase === 'apply' && now) remember(change, now, resources, world);
}

function remember(
  { address, kind, after, configured }: Change,
  live: LiveResource,
  resources: Map<ResourceAddress, ManagedResource>,
  { live: { catalog } }: World,
): void {
  const addresses = new Map([...resources.values()].map((one) => [one.id, one.address]));
  const localKey = (of: string, id: string) => {
    const parsed = parseResourceAddress(addresses.get(id) ?? '');
    return parsed?.kind === of ? parsed.local : undefined;
  };
  const attributes = kindRegistry[kind].read(live, { catalog, localKey }, after ?? undefined);
  const wanted = after?.publicIp === 'new' ? { publicIp: 'new' } : {};
  const allocated = findCompanionResourceId({ attributes: wanted }, live);
  resources.set(address, {
    ...{ address, kind, id: live.id, projectId: live.projectId, configured },
    ...(live.kind === 'portForward' && { publicIpId: live.publicIpId }),
    ...(allocated !== undefined && { allocatedPublicIpId: allocated }),
    attributes: { ...attributes, ...wanted },
  });
}
