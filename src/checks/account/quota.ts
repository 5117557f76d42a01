import { quotaWords } from '../../kinds/quota-words.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { QuotaName } from '../../model/account/live.ts';
import { describeReservedQuota, type ReservedQuota } from '../../model/account/reserved-quota.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { isRetiring, type Change, type QuotaUse } from '../../model/plan/plan.ts';
import type { PlanCheck } from '../check.ts';
import { describeFreeQuota } from './quota-room.ts';

/** The hint where the plan itself would fit: what is made before its predecessor goes needs a free place. */
function hintForPeak(isReplacing: boolean, called: string, unit: string): string {
  if (isReplacing && unit !== '') {
    return 'Set createBeforeDestroy: false, remove unused resources, or ask the service to raise the quota: the replacement is created before the old resource is destroyed.';
  }
  return isReplacing
    ? `Remove one of the unused ${called}, or ask the service to raise the quota: the replacement is created before the old resource is destroyed.`
    : 'Apply in two steps, removals first, or ask the service to raise the quota.';
}

function sumOf(reserved: readonly ReservedQuota[]): number {
  return reserved.reduce((sum, { amount }) => sum + amount, 0);
}

function holding(after: number, unit: string, reserved: readonly ReservedQuota[]): string {
  const all = `${after}${unit}`;
  return reserved.length === 0
    ? all
    : `${all} beside the ${sumOf(reserved)}${unit} that are reserved`;
}

function describeOverrun(
  { name, limit, used, after, peak, ours }: QuotaUse,
  isReplacing: boolean,
  reserved: readonly ReservedQuota[],
  fits: string,
): Finding {
  const { name: called, unit } = quotaWords(name);
  const others = Math.max(0, used - ours);
  const notOurs = others > 0 ? ` (${others} not managed here)` : '';
  const room = limit - sumOf(reserved);
  const byOthers = reserved.length > 0 ? `, ${describeReservedQuota(reserved, unit)}` : '';
  return {
    severity: 'error',
    code: 'quota-exceeded',
    summary: `The plan exceeds the quota "${called}": ${peak}${unit} at its peak, limit ${limit}, used ${used}${notOurs}${byOthers}`,
    detail:
      after > room
        ? `After this plan the account would hold ${holding(after, unit, reserved)}, ${after - room}${unit} too many: the service would refuse the last creates. ${fits}`
        : `The plan ends at ${after}${unit}, within the limit, and exceeds it while it runs: what frees the quota can only be destroyed after the new resources exist.`,
    hint:
      after > room
        ? 'Plan fewer or smaller resources, remove unused ones, or ask the service to raise the quota.'
        : hintForPeak(isReplacing, called, unit),
  };
}

/** Warns of limits below zero that nobody knows the meaning of: -1 alone stands for no limit. */
export const warnOfServiceLimitsBelowZero: PlanCheck = ({ live }) => {
  const limits = Object.entries({ ...live.limits.belowZero, ...live.nameLengths.belowZero });
  if (limits.length === 0) return [];
  return [
    {
      severity: 'warning',
      code: 'limit-below-zero',
      summary: `The service gives a limit below zero: ${limits.map(([name, limit]) => `${name} ${limit}`).join(', ')}`,
      detail:
        'A limit of -1 stands for none. What another one means is not known, so it is not checked: the service may refuse creates that this plan has room for, or names.',
      hint: 'Ask the provider what it means.',
    },
  ];
};

/** Notes that the plan runs deletes before creates, since a quota has no room for the old and the new resources at once. */
export const noteDeletesBeforeCreates: PlanCheck = ({ plan }) =>
  plan.quotas
    .filter(({ limit, peak, unordered }) => unordered > limit && peak <= limit)
    .map(({ name, limit, unordered }) => ({
      severity: 'note',
      code: 'deletes-first',
      summary: `Deletes run first to free the quota "${quotaWords(name).name}"`,
      detail: `All at once would need ${unordered}${quotaWords(name).unit}, limit ${limit}.`,
    }));

/**
 * Refuses a plan that goes above a quota, at its end or on the way. A quota that is exceeded already passes as long as nothing
 * new is created: otherwise even a replacement of the same size would be refused.
 */
export const checkQuotas: PlanCheck = (input) => {
  const { plan, live, reservedQuotas = [] } = input;
  const takes = ({ kind, before }: Change, name: QuotaName) =>
    kindRegistry[kind].quota(before ?? {}, live.catalog)[name] ?? 0;
  return plan.quotas
    .map((quota) => ({ quota, reserved: reservedQuotas.filter(({ name }) => name === quota.name) }))
    .filter(
      ({ quota: { limit, used, peak, unordered }, reserved }) =>
        peak > limit - sumOf(reserved) && unordered > used,
    )
    .map(({ quota, reserved }) => {
      const isReplacing = plan.changes.some(
        (change) => change.isCreatedFirst && takes(change, quota.name) > 0,
      );
      const kept = plan.changes
        .filter(isRetiring)
        .reduce((sum, change) => sum + takes(change, quota.name), 0);
      const excess = quota.peak - quota.limit + sumOf(reserved);
      return kept > 0 && excess <= kept
        ? describeNoRoom(quota, kept)
        : describeOverrun(
            quota,
            isReplacing,
            reserved,
            describeFreeQuota(input, quota, quotaWords(quota.name).unit),
          );
    });
};

/** The error of a quota that retired VMs fill: each keeps the room that its destruction would have given back. */
function describeNoRoom({ name, limit, peak }: QuotaUse, kept: number): Finding {
  const { name: called, unit } = quotaWords(name);
  return {
    severity: 'error',
    code: 'no-room-to-retire',
    summary: `The quota "${called}" has no room for what the plan retires: ${peak}${unit} at its peak, limit ${limit}`,
    detail: `What is retired is kept, and takes ${kept}${unit} until its end.`,
    hint: 'Remove lifecycle.retire where the old resource may go at once, remove unused resources, or ask the service to raise the quota.',
  };
}
