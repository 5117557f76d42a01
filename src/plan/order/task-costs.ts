import { countCompanionQuotaUse } from '../../kinds/relations/brought.ts';
import {
  quotaNames,
  type Catalog,
  type LiveSnapshot,
  type QuotaName,
} from '../../model/account/live.ts';
import { isRetiring, type Change } from '../../model/plan/plan.ts';
import type { Task } from '../../model/plan/task.ts';
import type { ChangeDecision } from '../decide/decision.ts';
import { measureQuotaUseAfter, measureDeposedQuotaUse } from './quota-use.ts';

/** Use of a quota while a task runs, and the change of free units once it is over. */
export interface TaskQuotaUse {
  readonly needs: number;
  readonly frees: number;
}

/** Quota that each task uses and frees, by task and quota; a missing one counts as zero. */
export type TaskQuotaUses = ReadonlyMap<string, Readonly<Partial<Record<QuotaName, TaskQuotaUse>>>>;

/** Reads from the plan how much of each quota every task uses and frees. */
export function readTaskQuotaUses(
  tasks: readonly Task[],
  decisions: readonly ChangeDecision[],
  { catalog }: LiveSnapshot,
): TaskQuotaUses {
  const byAddress = new Map(decisions.map((one) => [one.change.address, one]));
  return new Map(
    tasks.flatMap((task) => {
      const decision = byAddress.get(task.address);
      return decision ? [[task.id, readCost(task, decision, catalog)] as const] : [];
    }),
  );
}

/** Tells whether a replacement may turn out to be needless: then the room of the old resource cannot be relied on. */
function mayStay({ action, reason, fields, unknown }: Change): boolean {
  if (action !== 'replace' || reason !== undefined) return false;
  const forcing = fields.filter(({ effect }) => effect === 'replace');
  return forcing.length > 0 && forcing.every(({ name }) => unknown.includes(name));
}

function readCost(
  { phase }: Task,
  { change, kind, live, leftPublicIpId, deposed = [] }: ChangeDecision,
  catalog: Catalog,
): Partial<Record<QuotaName, TaskQuotaUse>> {
  if (mayStay(change) && !change.isCreatedFirst) return {};
  const { action } = change;
  const isMade = action === 'create' || action === 'replace';
  const isOneTask = change.isCreatedFirst === true && kind.traits.credential !== undefined;
  const endsHere = phase === (isOneTask ? 'apply' : 'destroy') && !isRetiring(change);
  const isChanged = phase === 'apply' && (action === 'update' || action === 'rebuild');
  const made =
    isChanged || (phase === 'apply' && isMade) ? measureQuotaUseAfter(kind, change, catalog) : {};
  // A resource that is changed in place gives back its old size and takes its new one, both at once.
  const ended = (endsHere || isChanged) && live ? kind.quota(change.before ?? {}, catalog) : {};
  const sweeps = phase === (action === 'delete' ? 'destroy' : 'apply');
  const swept = sweeps ? measureDeposedQuotaUse(kind, deposed, catalog) : {};
  const isLeft = phase === 'destroy' && leftPublicIpId !== undefined;
  const left = isLeft ? countCompanionQuotaUse(kind, catalog) : {};
  const costs: Partial<Record<QuotaName, TaskQuotaUse>> = {};
  for (const name of quotaNames) {
    const takes = made[name] ?? 0;
    const early = (swept[name] ?? 0) + (isChanged ? (ended[name] ?? 0) : 0);
    const late = (left[name] ?? 0) + (isChanged ? 0 : (ended[name] ?? 0));
    const needs = Math.max(0, takes - early);
    const frees = late + Math.max(0, early - takes);
    if (needs + frees > 0) costs[name] = { needs, frees };
  }
  return costs;
}
