import { findCompanionResourceId, findLeftoverCompanionId } from '../kinds/relations/brought.ts';
import type { Reference } from '../kinds/kind.ts';
import type { InUseTrait } from '../kinds/traits.ts';
import { readDistinguishingMarks, readLiveDistinguishingMarks } from '../kinds/relations/marks.ts';
import { readContainerId } from '../kinds/relations/parent-id.ts';
import { kindRegistry } from '../kinds/registry.ts';
import { parseResourceAddress, type ResourceAddress } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import { indexById, getLiveStatus, type LiveResource } from '../model/account/live.ts';
import { addToGroup } from '../model/group-by.ts';
import type { Change } from '../model/plan/plan.ts';
import { findContainingKind, type KindName } from '../model/kind-places.ts';
import { projectKind } from '../model/kind-table.ts';
import type { DesiredResource } from '../model/resource.ts';
import { isBeingDeleted } from '../model/plan/underway.ts';
import { locateFinding } from '../model/place-of.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';
import { findUnrecoverableReferences } from './left-behind.ts';
import { describeLiveResource, formatSomeLiveResources } from './name-live.ts';

/** Finds unmanaged or remaining resources that block a change: the service would refuse the change in the middle of an apply. */
export const checkDependencyConflicts: PlanCheck = (input) => {
  const changing = input.plan.changes.filter(({ action }) => action !== 'no-op');
  if (changing.length === 0) return [];
  const staying = new Staying(input);
  return changing.flatMap((change) => {
    const isDestroyed = change.action === 'delete' || change.action === 'replace';
    const isMade = change.action === 'rebuild' || change.action === 'replace';
    const wanted = input.desired.get(change.address);
    return [
      ...(isDestroyed ? findWhatHolds(change, staying) : []),
      ...(isMade && wanted
        ? findUnrecoverableReferences(change, wanted, staying.liveOf(change), (id) =>
            staying.isStaying(id),
          )
        : []),
      ...findWhatIsTaken(change, wanted, staying),
    ];
  });
};

/** Resources of the account that the plan does not destroy, indexed once. */
class Staying {
  readonly #byId: ReadonlyMap<string, LiveResource>;
  readonly #staying = new Set<string>();
  /** Contents of a resource, and the resources that hold it, by its kind and id. */
  readonly #within = new Map<string, LiveResource[]>();
  readonly #holders = new Map<string, LiveResource[]>();
  readonly #input: PlanCheckInput;
  readonly #changes: ReadonlyMap<ResourceAddress, Change>;
  readonly #managedIds: ReadonlySet<string>;
  /** Configured resources of the plan, also those that nothing changes. */
  readonly #configuredIds: ReadonlySet<string>;

  constructor(input: PlanCheckInput) {
    this.#input = input;
    const { plan, live, state, desired } = input;
    this.#changes = new Map(plan.changes.map((change) => [change.address, change]));
    this.#configuredIds = new Set(
      plan.changes.flatMap(({ id, address }) => (desired.has(address) ? (id ?? []) : [])),
    );
    this.#managedIds = new Set([...state.resources.values()].map(({ id }) => id));
    const byId = indexById(live.resources);
    this.#byId = byId;
    const destroyed = new Set<string>();
    const changing = new Map<string, ReadonlySet<string>>();
    for (const change of plan.changes) {
      const { address, action, fields } = change;
      const managed = state.resources.get(address);
      const isGoing = isBeingDeleted(change);
      const id = isGoing ? (managed?.id ?? null) : change.id;
      // The create first removes what an earlier resource at the address left behind.
      const left =
        action === 'create' &&
        managed &&
        findLeftoverCompanionId(managed, (_kind, one) => byId.get(one));
      if (left) destroyed.add(left);
      if (id === null || !managed) continue;
      if (action === 'delete' || action === 'replace' || isGoing) {
        destroyed.add(id);
        const brought = findCompanionResourceId(managed, byId.get(id));
        if (brought !== undefined) destroyed.add(brought);
      }
      changing.set(id, new Set(fields.map(({ name }) => name)));
    }
    for (const one of live.resources) {
      if (destroyed.has(one.id) || getLiveStatus(one) === 'deleting') continue;
      this.#staying.add(one.id);
      for (const [kind, id] of placesOf(one)) addToGroup(this.#within, `${kind} ${id}`, one);
      for (const hold of kindRegistry[one.kind].traits.holds ?? []) {
        if (changing.get(one.id)?.has(hold.field)) continue;
        for (const id of hold.idsOf(one)) addToGroup(this.#holders, `${hold.kind} ${id}`, one);
      }
    }
  }

  /** The live id behind an address, unless another resource will have that address. */
  idOf(address: ResourceAddress): string | undefined {
    const action = this.#changes.get(address)?.action;
    if (action === 'create' || action === 'replace') return undefined;
    return this.#input.state.resources.get(address)?.id;
  }

  isStaying(id: string): boolean {
    return this.#staying.has(id);
  }

  /** The live resource that a change is about. */
  liveOf({ id }: Change): LiveResource | undefined {
    return this.#byId.get(id ?? '');
  }

  within(kind: KindName, id: string): readonly LiveResource[] {
    return this.#within.get(`${kind} ${id}`) ?? [];
  }

  holdersOf(kind: KindName, id: string): readonly LiveResource[] {
    return this.#holders.get(`${kind} ${id}`) ?? [];
  }

  /** Resources that a destroy takes away: the change's own, and the public IP that came with it. */
  goingWith({ address, kind, id }: Change): readonly (readonly [KindName, string])[] {
    const own = id === null ? [] : [[kind, id] as const];
    const { brings } = kindRegistry[kind].traits;
    const brought = this.#input.state.resources.get(address)?.allocatedPublicIpId;
    return brings && brought !== undefined ? [...own, [brings.kind, brought]] : own;
  }

  /** Words for the way to keep a resource that cannot be destroyed; one that is not in the state needs another way. */
  describeWayToKeep({ address, project, reason }: Change): string {
    if (reason === 'not-exclusive') return `name it in ignoreUnmanaged of ${project}`;
    if (this.#input.plan.mode === 'destroy') return `keep this one with --exclude '${address}'`;
    return 'keep this one with a removed entry with destroy: false';
  }

  marksOf(live: LiveResource): string | undefined {
    return readLiveDistinguishingMarks(live, this.#input.live.catalog);
  }

  isConfigured(id: string): boolean {
    return this.#configuredIds.has(id);
  }

  isManaged(id: string): boolean {
    return this.#managedIds.has(id);
  }
}

/** Containers of a resource: its project, and its parent there. */
function placesOf(live: LiveResource): readonly (readonly [KindName, string])[] {
  const holder = findContainingKind(live.kind);
  const inProject = [projectKind, live.projectId] as const;
  return holder ? [inProject, [holder, readContainerId(live)]] : [inProject];
}

/** Findings about contents and holders for which the service would refuse a delete. */
function findWhatHolds(change: Change, staying: Staying): Finding[] {
  return staying.goingWith(change).flatMap(([kind, id]) => {
    const { inUse } = kindRegistry[kind].traits;
    const conflicts = [...staying.within(kind, id), ...staying.holdersOf(kind, id)];
    if (!inUse || conflicts.length === 0) return [];
    const isManaged = conflicts.some((one) => staying.isManaged(one.id));
    const keep = staying.describeWayToKeep(change);
    return [describe(change, { ...inUse, keep }, conflicts, isManaged)];
  });
}

function describe(
  { address, kind, action, reason, source }: Change,
  { code, verb, lead, hintForManaged, keep }: InUseTrait & { readonly keep: string },
  conflicts: readonly LiveResource[],
  isManaged: boolean,
): Finding {
  const isIntruder = reason === 'not-exclusive';
  const hint = `Remove or adopt them, and plan again; or ${keep}.`;
  return {
    severity: 'error',
    code,
    summary: `${address} cannot be ${action === 'replace' ? 'replaced' : 'destroyed'}: it ${verb} what this plan leaves alone`,
    detail: `${lead}: ${formatSomeLiveResources(conflicts)}. The service refuses to delete a ${kindRegistry[kind].label} before.`,
    hint: isManaged && !isIntruder ? (hintForManaged ?? hint) : hint,
    address,
    ...(source && { source }),
  };
}

/** Findings about marks and references of a create or an update that another resource already has. */
function findWhatIsTaken(
  change: Change,
  desired: DesiredResource | undefined,
  staying: Staying,
): Finding[] {
  if (!desired) return [];
  const isNew = change.action === 'create' || change.action === 'replace';
  return [
    ...findSame(change, desired, isNew, staying),
    ...(isNew ? kindRegistry[change.kind].references(desired) : []).flatMap((reference) =>
      findHolder(desired, reference, staying),
    ),
  ];
}

/** Finding about an unmanaged resource in the same place with the same marks. */
function findSame(
  { kind, address, fields }: Change,
  desired: DesiredResource,
  isNew: boolean,
  staying: Staying,
): Finding[] {
  const { fields: toldBy, words } = kindRegistry[kind].traits.marks ?? { fields: [] };
  const isMoved = fields.some(({ name }) => toldBy.includes(name));
  const holder = findContainingKind(kind);
  if (!holder || (!isNew && !isMoved)) return [];
  const parentId = staying.idOf(parseResourceAddress(address)?.parent ?? '') ?? '';
  const marks = readDistinguishingMarks(kind, desired.attributes);
  const taken = staying
    .within(holder, parentId)
    .find(
      (one) => !staying.isManaged(one.id) && one.kind === kind && staying.marksOf(one) === marks,
    );
  const fault = taken && words?.describeTaken(taken, address);
  return fault ? [{ severity: 'error', ...fault, ...locateFinding(desired, toldBy.at(-1)) }] : [];
}

/** Finding about an exclusive resource, such as a public IP, that another resource holds. */
function findHolder(
  desired: DesiredResource,
  { attribute, address }: Reference,
  staying: Staying,
): Finding[] {
  const { kind, local } = parseResourceAddress(address) ?? {};
  if (!kind) return [];
  const { label, traits } = kindRegistry[kind];
  const holders = staying.holdersOf(kind, staying.idOf(address) ?? '');
  // Claims of the plan's own resources are compared elsewhere, once for all kinds.
  const holder = holders.findLast(({ id }) => !staying.isConfigured(id));
  const { heldBy } = traits;
  if (!heldBy || !holder) return [];
  const { label: holding } = kindRegistry[heldBy.kind];
  return [
    {
      severity: 'error',
      code: heldBy.code,
      summary: `The ${label} "${local}" is held by ${describeLiveResource(holder)}, which this plan leaves alone`,
      detail: `A ${label} can be held by one ${holding} at a time.`,
      hint: `Remove that ${holding} or adopt it, or give this one another ${label}.`,
      ...locateFinding(desired, attribute),
    },
  ];
}
