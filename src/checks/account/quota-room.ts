import { findVmConfiguration } from '../../kinds/catalog.ts';
import { listFields } from '../../kinds/list-fields.ts';
import { findResourcePrice } from '../../kinds/price.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { describeVmSizes, listNearestSizes } from '../../model/nearest-sizes.ts';
import { describeEachPrice } from '../../model/cost/plan-costs.ts';
import type { Catalog, QuotaName } from '../../model/account/live.ts';
import type { Change, QuotaUse } from '../../model/plan/plan.ts';
import type { Attributes } from '../../model/value.ts';
import type { PlanCheckInput } from '../check.ts';

/** The amount of each quota that is still free, by quota. */
type Room = ReadonlyMap<QuotaName, number>;
type Taken = Readonly<Partial<Record<QuotaName, number>>>;

/**
 * Describes what an exceeded quota has room for: the amount that is free, the number of planned creates that fit, the retired
 * resource that ends first, and VM sizes that fit.
 */
export function describeFreeQuota(
  { plan, live, reservedQuotas = [] }: PlanCheckInput,
  { name }: QuotaUse,
  unit: string,
): string {
  const reserved = (quota: QuotaName) =>
    reservedQuotas.reduce((sum, one) => sum + (one.name === quota ? one.amount : 0), 0);
  const room: Room = new Map(
    plan.quotas.map((quota) => [
      quota.name,
      Math.max(0, quota.limit - quota.used - reserved(quota.name)),
    ]),
  );
  const creates = plan.changes.filter(
    (change) =>
      change.action === 'create' && (takenBy(change, change.after, live.catalog)[name] ?? 0) > 0,
  );
  const free = `Free now: ${room.get(name) ?? 0}${unit}`;
  const fitting = countFitting(creates, name, room, live.catalog);
  return [
    creates.length === 0
      ? `${free}.`
      : `${free}, room for ${fitting === 0 ? 'none' : fitting} of the ${creates.length} that the plan creates.`,
    ...describeFirstEnd(plan.changes, name, unit, live.catalog),
    ...describeFittingSizes(creates, room, live.catalog),
  ].join(' ');
}

function takenBy({ kind }: Change, attributes: Attributes | null, catalog: Catalog): Taken {
  return kindRegistry[kind].quota(attributes ?? {}, catalog);
}

function isWithin(all: readonly Taken[], room: Room): boolean {
  return [...room].every(
    ([name, free]) => all.reduce((sum, taken) => sum + (taken[name] ?? 0), 0) <= free,
  );
}

/** Counts the most planned creates that fit into a quota together, the smallest first. */
function countFitting(
  creates: readonly Change[],
  name: QuotaName,
  room: Room,
  catalog: Catalog,
): number {
  const sorted = creates
    .map((change) => takenBy(change, change.after, catalog))
    .sort((a, b) => (a[name] ?? 0) - (b[name] ?? 0));
  const over = sorted.findIndex((_, at) => !isWithin(sorted.slice(0, at + 1), room));
  return over < 0 ? sorted.length : over;
}

/** The retired resource that ends first and holds a part of the quota. */
function describeFirstEnd(
  changes: readonly Change[],
  name: QuotaName,
  unit: string,
  catalog: Catalog,
): readonly string[] {
  const [first] = changes
    .flatMap((change) => {
      const freed = takenBy(change, change.before, catalog)[name] ?? 0;
      const until = change.retirement?.until;
      return until === undefined || freed === 0 ? [] : [{ address: change.address, until, freed }];
    })
    .sort((a, b) => a.until - b.until);
  return first
    ? [
        `First to end: ${first.address}, retired until ${new Date(first.until).toISOString()}, with ${first.freed}${unit}.`,
      ]
    : [];
}

/** Nearest sizes with which all that the plan creates fits, with their price. */
function describeFittingSizes(
  creates: readonly Change[],
  room: Room,
  catalog: Catalog,
): readonly string[] {
  const [first] = creates;
  const field = first && findSizeField(first);
  const wanted = field && findVmConfiguration(catalog, first.after?.[field]);
  // Sizes that would fit are not suggested for a sensitive size, which they would nearly reveal.
  const isSecret = creates.some(({ sensitive }) => field && sensitive.includes(field));
  if (!wanted || isSecret) return [];
  const fitting = catalog.configurations.filter(
    ({ id, maxCount }) =>
      (maxCount ?? Infinity) >= creates.length &&
      isWithin(
        creates.map((change) => takenBy(change, { ...change.after, [field]: id }, catalog)),
        room,
      ),
  );
  const nearest = listNearestSizes(fitting, wanted);
  const all = creates.length === 1 ? 'it fits' : `all ${creates.length} fit`;
  return nearest.length === 0
    ? []
    : [
        `Sizes with which ${all}: ${describeVmSizes(nearest)}.${describeEachPrice(
          creates.map(({ kind, after }) => findResourcePrice(kind, after ?? {}, catalog)),
        )}`,
      ];
}

function findSizeField({ kind }: Change): string | undefined {
  return listFields(kindRegistry[kind]).find(
    ([, { offered }]) => offered === 'configurations',
  )?.[0];
}
