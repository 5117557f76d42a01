import { quotaWords } from '../../kinds/quota-words.ts';
import { kinds } from '../../kinds/registry.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { QuotaUse } from '../../model/plan/plan.ts';
import type { Check } from '../check.ts';

/** The hint where the plan itself would fit: what is made before its predecessor goes needs a free place. */
function hintForPeak(isReplacing: boolean, called: string, unit: string): string {
  if (isReplacing && unit !== '') {
    return 'Set createBeforeDestroy: false, remove unused resources, or ask the service to raise the quota: the replacement is created before the old resource is destroyed.';
  }
  return isReplacing
    ? `Remove one of the unused ${called}, or ask the service to raise the quota: the replacement is created before the old resource is destroyed.`
    : 'Apply in two steps, removals first, or ask the service to raise the quota.';
}

function describeOverrun(
  { name, limit, used, after, peak, ours }: QuotaUse,
  isReplacing: boolean,
): Finding {
  const { name: called, unit } = quotaWords(name);
  const others = Math.max(0, used - ours);
  const notOurs = others > 0 ? ` (${others} not managed here)` : '';
  return {
    severity: 'error',
    code: 'quota-exceeded',
    summary: `The plan exceeds the quota "${called}": ${peak}${unit} at its peak, limit ${limit}, used ${used}${notOurs}`,
    detail:
      after > limit
        ? `After this plan the account would hold ${after}${unit}, ${after - limit}${unit} too many: the service would refuse the last creates.`
        : `The plan ends at ${after}${unit}, within the limit, and exceeds it while it runs: what frees the quota can only be destroyed after the new resources exist.`,
    hint:
      after > limit
        ? 'Plan fewer or smaller resources, remove unused ones, or ask the service to raise the quota.'
        : hintForPeak(isReplacing, called, unit),
  };
}

/** Where there is not room for everything at once, the planner has put deletes first: this says so. */
export const noteDeletesFirst: Check = ({ plan }) =>
  plan.quotas
    .filter(({ limit, peak, unordered }) => unordered > limit && peak <= limit)
    .map(({ name, limit, unordered }) => ({
      severity: 'note',
      code: 'deletes-first',
      summary: `Deletes run first to free the quota "${quotaWords(name).name}"`,
      detail: `All at once would need ${unordered}${quotaWords(name).unit}, limit ${limit}.`,
    }));

/**
 * A plan that goes above a quota, at its end or on the way. What is already above its limit passes as long as
 * nothing new is created: even a replacement of the same size would be refused.
 */
export const checkQuotas: Check = ({ plan, live }) =>
  plan.quotas
    .filter(({ limit, used, peak, unordered }) => peak > limit && unordered > used)
    .map((quota) => {
      const isReplacing = plan.changes.some(
        ({ isCreatedFirst, kind, before }) =>
          isCreatedFirst && (kinds[kind].quota(before ?? {}, live.catalog)[quota.name] ?? 0) > 0,
      );
      return describeOverrun(quota, isReplacing);
    });
