// Projection of the configured resources: as they will be after a plan, and as they are after its apply.
import { ProjectedScope } from '../../expressions/deferred/projected-scope.ts';
import type { EvaluationBudget } from '../../expressions/values/budget.ts';
import { completeAttributes, listAttributes } from '../../kinds/attribute-names.ts';
import { replaceEntryIdsByNames } from '../../kinds/entry-names.ts';
import type { Catalog } from '../../model/account/live.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { listSensitiveAfterChange, type Change } from '../../model/plan/plan.ts';
import type { DesiredGraph, DesiredResource } from '../../model/resource.ts';
import type { ProjectedResource } from '../../model/state/projected-state.ts';
import type { State } from '../../model/state/state.ts';
import type { Attributes } from '../../model/value.ts';

/** Projects one resource. With a catalog, its list entries get their names, as conditions read them; without, they stay as written. */
function project(
  { address, kind, sensitive = [] }: DesiredResource,
  written: Attributes,
  catalog: Catalog | undefined,
  unknown: readonly string[] = [],
): ProjectedResource {
  const names = listAttributes(kind);
  const values = completeAttributes(
    kind,
    catalog ? replaceEntryIdsByNames(kind, written, catalog) : written,
  );
  return { address, names, values, unknown, sensitive };
}

function projectMissing({ address, kind, sensitive = [] }: DesiredResource): ProjectedResource {
  const names = listAttributes(kind);
  return { address, names, values: {}, unknown: names, sensitive, isMissing: true };
}

/** Expressions may have made more fields of a resource sensitive than its configuration marks. */
function withSensitive(
  resource: DesiredResource,
  change: Pick<Change, 'sensitive' | 'noLongerSensitive'> | undefined,
): DesiredResource {
  return change ? { ...resource, sensitive: listSensitiveAfterChange(change) } : resource;
}

/**
 * Resources after the plan. `changes` are those of the plan; the resources of `others`, which it leaves out, stay as they
 * are.
 */
function projectAfterPlan(
  desired: readonly DesiredResource[],
  changes: ReadonlyMap<ResourceAddress, Change>,
  others: ReadonlyMap<ResourceAddress, Change>,
  catalog: Catalog | undefined,
): ProjectedResource[] {
  return desired.map((wanted) => {
    const change = changes.get(wanted.address);
    const resource = withSensitive(wanted, change ?? others.get(wanted.address));
    if (change?.after) return project(resource, change.after, catalog, change.unknown);
    const before = others.get(resource.address)?.before;
    return before ? project(resource, before, catalog) : projectMissing(resource);
  });
}

/**
 * The projected state after a plan, for expressions; computed at the first look-up. Conditions pass the catalog, since they
 * read names of entries.
 */
export function buildProjectedScope(
  { resources, emptyGroups }: DesiredGraph,
  changes: readonly Change[],
  decided: ReadonlyMap<ResourceAddress, { readonly change: Change }>,
  steps: EvaluationBudget | undefined,
  catalog?: Catalog,
): ProjectedScope {
  const list = () =>
    projectAfterPlan(
      resources,
      new Map(changes.map((change) => [change.address, change])),
      new Map([...decided].map(([address, { change }]) => [address, change])),
      catalog,
    );
  return new ProjectedScope(list, emptyGroups, steps);
}

/**
 * The resources by the state. `undone` are addresses whose change failed: nothing is sure about them. Conditions pass the
 * catalog, since they read names of entries.
 */
export function projectResourcesFromState(
  desired: readonly DesiredResource[],
  state: State,
  undone: ReadonlySet<ResourceAddress> = new Set(),
  changes: ReadonlyMap<ResourceAddress, Change> = new Map(),
  catalog?: Catalog,
): ProjectedResource[] {
  return desired.map((wanted) => {
    const resource = withSensitive(wanted, changes.get(wanted.address));
    const managed = state.resources.get(resource.address);
    if (!managed || undone.has(resource.address)) return projectMissing(resource);
    return project(resource, managed.attributes, catalog);
  });
}
