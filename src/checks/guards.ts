import type { Finding } from '../model/diagnostic.ts';
import type { OutageSum } from '../model/plan/downtime.ts';
import type { Action } from '../model/plan/plan.ts';
import type { PlanLossGuards } from '../model/resource.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';
import { formatCountWithNoun } from '../model/text/count-noun.ts';
import { formatConfigDuration } from '../model/text/write-duration.ts';

const hint = 'Check the plan again. To apply it all the same, add --force.';

/** Actions that lose a resource or its data: a rebuild keeps the resource, and loses its data. */
const takesAway: ReadonlySet<Action> = new Set<Action>(['delete', 'replace', 'rebuild']);

/** Reports a plan that destroys more than the configuration's guards allow, or everything because the configuration is empty. */
export const checkLossGuards: PlanCheck = (input) => {
  const { plan, planOptions } = input;
  const isForced = planOptions?.isForced === true;
  // A destroy was asked for by that very name, and a refresh destroys nothing.
  if (plan.mode !== 'apply') return [];
  const severity = isForced ? ('warning' as const) : ('error' as const);
  return [...guardEmptiness(input), ...guardBounds(input), ...guardDowntime(input)].map(
    (finding) => ({
      ...finding,
      severity,
      ...(!isForced && { hint }),
    }),
  );
};

function guardEmptiness({ desired, state }: PlanCheckInput): Omit<Finding, 'severity'>[] {
  if (desired.size > 0 || state.resources.size === 0) return [];
  return [
    {
      code: 'empty-configuration',
      summary: `The configuration has no resources, the state has ${state.resources.size}`,
      detail: 'Applying it would destroy everything. "hostwright destroy" says so on purpose.',
    },
  ];
}

function guardBounds({ plan, guards, state }: PlanCheckInput): Omit<Finding, 'severity'>[] {
  const { maxDeletes, minResources = 0, source } = guards ?? {};
  const managed = state.resources.size;
  if (!maxDeletes) return [];
  // A share of a few resources says nothing: it counts from so many on.
  if ('percent' in maxDeletes && managed < minResources) return [];
  const losing = plan.changes.filter(({ action }) => takesAway.has(action));
  if (losing.length <= allowedDeletes(maxDeletes, managed)) return [];
  const rebuilt = losing.filter(({ action }) => action === 'rebuild').length;
  const destroyed = losing.length - rebuilt;
  const what = [
    ...(destroyed > 0 ? [`destroys ${destroyed}`] : []),
    ...(rebuilt > 0 ? [`rebuilds ${rebuilt}`] : []),
  ];
  const bound = 'count' in maxDeletes ? String(maxDeletes.count) : `${maxDeletes.percent} %`;
  const shown = losing.slice(0, 5).map(({ address }) => address);
  return [
    {
      code: 'too-many-deletes',
      summary: `This plan ${what.join(' and ')} of ${formatCountWithNoun('resource', managed)}, guards.maxDeletes is ${bound}`,
      detail: `Among them: ${shown.join(', ')}.`,
      ...(source && { source }),
    },
  ];
}

/** Outages that last longer than `guards.downtime` allows; one without an end always does. */
function guardDowntime({ plan, guards, planOptions }: PlanCheckInput): Omit<Finding, 'severity'>[] {
  const { maxDowntimeMs: most, source } = guards ?? {};
  if (most === undefined || !plan.downtime) return [];
  const { blocks, forwards } = plan.downtime;
  const over = [...blocks, ...forwards].filter(
    ({ out: { forMs } }) => forMs === null || forMs > most,
  );
  if (over.length === 0) return [];
  // Durations stay out of a forced finding: it may be approved, and an approval ends with any other words.
  const isForced = planOptions?.isForced === true;
  const shown = over
    .slice(0, 5)
    .map(({ address, out }) => (isForced ? address : `${address} ${wordLength(out)}`));
  const rest = over.length > shown.length ? ` and ${over.length - shown.length} more` : '';
  const what = blocks.length > 0 ? 'running VMs' : 'forwards';
  const bound = most === 0 ? 'deny' : formatConfigDuration(most);
  return [
    {
      code: 'too-much-downtime',
      summary: `This plan takes ${what} out of service, guards.downtime is ${bound}`,
      detail: `Affected: ${shown.join(', ')}${rest}.`,
      ...(source && { source }),
    },
  ];
}

const wordLength = ({ forMs }: OutageSum) =>
  forMs === null ? 'for good' : `for ${Math.round(forMs / 1_000)}s`;

function allowedDeletes(
  maxDeletes: NonNullable<PlanLossGuards['maxDeletes']>,
  managed: number,
): number {
  if ('count' in maxDeletes) return maxDeletes.count;
  return Math.floor((managed * maxDeletes.percent) / 100);
}
