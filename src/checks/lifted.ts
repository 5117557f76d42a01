import { createHash } from 'node:crypto';
import type { CheckEntry, PolicyEntry } from '../model/deferred.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { DesiredGraph, PlanLossGuards } from '../model/resource.ts';
import { removeSourcePlaces } from '../model/source.ts';
import { formatCanonicalJson } from '../model/text/canonical-text.ts';
import type { SafeguardWithLocation, Safeguard, Safeguards } from '../model/state/safeguards.ts';
import type { PlanCheck } from './check.ts';
import { formatCondition } from './evaluate-condition.ts';

/** The guards, policies, checks and the budget of a configuration, by their names there. */
export function listSafeguards({
  guards,
  budget,
  policies = [],
  checks = [],
}: DesiredGraph): ReadonlyMap<string, SafeguardWithLocation> {
  const listed: [string, SafeguardWithLocation][] = [
    ...policies.map((one): [string, SafeguardWithLocation] => [`policies.${one.name}`, place(one)]),
    ...checks.map((one): [string, SafeguardWithLocation] => [`checks.${one.name}`, place(one)]),
  ];
  if (guards?.maxDeletes) {
    const { source } = guards;
    listed.push(['guards.maxDeletes', { bound: writeBound(guards.maxDeletes, guards), source }]);
  }
  if (guards?.dataLoss === 'deny') {
    listed.push(['guards.dataLoss', { severity: 'deny', source: guards.source }]);
  }
  if (guards?.maxDowntimeMs !== undefined) {
    const bound = `${guards.maxDowntimeMs / 1_000} s`;
    listed.push(['guards.downtime', { bound, source: guards.source }]);
  }
  if (budget) {
    const { monthly, currency, severity, source } = budget;
    listed.push(['budget', { severity, bound: `${monthly} ${currency}`, source }]);
  }
  return new Map(listed);
}

function place(condition: PolicyEntry | CheckEntry): SafeguardWithLocation {
  const { severity, source } = condition;
  return { severity, digest: digest(condition), source };
}

function writeBound(
  maxDeletes: NonNullable<PlanLossGuards['maxDeletes']>,
  { minResources = 0 }: PlanLossGuards,
) {
  if ('count' in maxDeletes) return String(maxDeletes.count);
  return `${maxDeletes.percent} %${minResources > 0 ? ` from ${minResources}` : ''}`;
}

/** A digest of the text of a condition and of the values of its names. Of a sensitive one, of the text alone. */
function digest(
  condition: (PolicyEntry | CheckEntry) & Partial<Pick<PolicyEntry, 'for' | 'approvals'>>,
): string {
  const { assert, prefix, isSensitive, approvals } = condition;
  const isOpen = assert.kind === 'expression' && !isSensitive;
  // Names of `data` are left out, as the account's offers change without any edit of the condition.
  const names = isOpen ? assert.names.filter(([[root]]) => root !== 'data') : [];
  const whole = [
    formatCondition(condition),
    prefix,
    condition.for ?? null,
    names,
    ...(approvals === undefined ? [] : [approvals]),
  ];
  const text = formatCanonicalJson(removeSourcePlaces(whole));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** A safeguard of the last complete apply that protects less by now, and the difference. */
interface Lifted {
  readonly key: string;
  readonly how: string;
}

function listLifted(
  before: Safeguards | undefined,
  now: ReadonlyMap<string, Safeguard>,
): readonly Lifted[] {
  return Object.entries(before ?? {}).flatMap(([key, was]) => {
    const how = explainLifted(was, now.get(key));
    return how === undefined || isRenamed(key, was, now) ? [] : [{ key, how }];
  });
}

/** True where the condition stands in the configuration under another name. */
function isRenamed(key: string, was: Safeguard, now: ReadonlyMap<string, Safeguard>): boolean {
  const part = key.split('.')[0];
  return (
    was.digest !== undefined &&
    [...now].some(([other, one]) => {
      return other.split('.')[0] === part && explainLifted(was, one) === undefined;
    })
  );
}

/** The end of a sentence that says why it protects less than before; undefined where it protects as much. */
function explainLifted(was: Safeguard, now: Safeguard | undefined): string | undefined {
  if (!now) return 'was removed';
  if (was.severity === 'deny' && now.severity !== 'deny') return 'no longer denies';
  if (was.digest !== now.digest) return 'has another condition';
  if (isLooser(was.bound ?? '', now.bound ?? '')) {
    return `was raised from ${was.bound} to ${now.bound}`;
  }
  return undefined;
}

const number = /\d+(?:\.\d+)?/g;

/** A bound is looser with a larger number, or where it counts something else. */
function isLooser(was: string, now: string): boolean {
  const unit = (bound: string) => bound.replace(/ from \d+$/, '').replace(number, '');
  if (unit(was) !== unit(now)) return true;
  const before = was.match(number) ?? [];
  return (now.match(number) ?? []).some((one, index) => Number(one) > Number(before[index] ?? 0));
}

/** The safeguards to remember after an apply. Lifted ones stay until a complete apply has succeeded. */
export function rememberSafeguards(
  before: Safeguards | undefined,
  desired: DesiredGraph,
  isAccepted: boolean,
): Safeguards {
  const listed = listSafeguards(desired);
  const now = [...listed].map(([key, one]) => [key, removeSourcePlaces(one) as Safeguard] as const);
  const lifted = isAccepted ? [] : listLifted(before, listed);
  const kept = lifted.flatMap(({ key }) => (before?.[key] ? [[key, before[key]] as const] : []));
  return Object.fromEntries([...now, ...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Warns of safeguards of the last apply that this plan lacks, or has only in a weaker form. */
export const reportLiftedSafeguards: PlanCheck = ({ plan, state, safeguards }) => {
  if (!safeguards || plan.mode === 'refresh') return [];
  return listLifted(state.safeguards, safeguards).map(({ key, how }): Finding => {
    const [part = '', ...names] = key.split('.');
    const name = names.join('.');
    const source = safeguards.get(key)?.source;
    const told = {
      detail: 'This plan is checked less strictly than the last apply.',
      hint: 'Check that this is intended before you apply. The warning ends when a complete apply has succeeded.',
      ...(source && { source }),
    };
    switch (part) {
      case 'guards':
        return {
          severity: 'warning',
          code: 'guard-lifted',
          summary: `Guard ${name} ${how} since the last apply`,
          ...told,
        };
      case 'policies':
        return {
          severity: 'warning',
          code: 'policy-lifted',
          summary: `Policy ${name} ${how} since the last apply`,
          ...told,
        };
      case 'checks':
        return {
          severity: 'warning',
          code: 'check-lifted',
          summary: `Check ${name} ${how} since the last apply`,
          ...told,
        };
      default:
        return {
          severity: 'warning',
          code: 'budget-raised',
          summary: `The budget ${how} since the last apply`,
          ...told,
        };
    }
  });
};
