import type { ProjectedScope } from '../expressions/deferred/projected-scope.ts';
import type { CheckEntry } from '../model/deferred.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { CheckResult } from '../model/plan/check-result.ts';
import { NameTree } from '../expressions/values/scope.ts';
import { buildDowntimeNames, type PolicyDowntimeInput } from './downtime/downtime-names.ts';
import {
  evaluateConfiguredCondition,
  formatCondition,
  type ConfiguredConditionOutcome,
} from './evaluate-condition.ts';

/** Moment at which checks are judged: on the planned resources, or on the real ones after an apply. */
export type CheckEvaluationMoment = 'planned' | 'applied';

/** Results of the configuration's checks, and findings about those that did not pass. */
export interface ConfiguredCheckResults {
  readonly results: readonly CheckResult[];
  readonly findings: readonly Finding[];
}

const statuses = { holds: 'pass', fails: 'fail', unknown: 'unknown', broken: 'error' } as const;

function report(
  check: CheckEntry,
  verdict: ConfiguredConditionOutcome,
  moment: CheckEvaluationMoment,
): Finding | undefined {
  const condition = `The condition \`${formatCondition(check)}\``;
  const { name, source } = check;
  const isDenied = check.severity === 'deny';
  // Before an apply, an unmet check stops nothing: the apply may be made to meet it.
  const severity = isDenied && moment === 'applied' ? 'error' : 'warning';
  const consequence = isDenied && moment === 'planned' ? ' An apply would end with an error.' : '';
  switch (verdict.kind) {
    case 'holds':
      return undefined;
    case 'fails':
      return {
        severity,
        code: 'check-failed',
        source,
        summary: `Check ${name}: ${verdict.message ?? 'it does not hold'}`,
        detail: `${condition} ${moment === 'planned' ? 'will not hold' : 'does not hold'}.${consequence}`,
      };
    case 'unknown':
      return {
        severity: 'note',
        code: 'check-undecided',
        source,
        summary:
          moment === 'planned' && !verdict.isLeftOut
            ? `Check ${name} is known after apply`
            : `Check ${name} could not be evaluated`,
        detail: `${condition} reads \`${verdict.reference}\`${explainUnknown(verdict, moment)}.`,
      };
    case 'broken':
      return {
        severity,
        code: 'check-broken',
        source,
        summary: `Check ${name} cannot be evaluated`,
        detail: `${condition} has no value: ${verdict.why}${consequence}`,
        ...(verdict.hint !== undefined && { hint: verdict.hint }),
      };
  }
}

function explainUnknown(
  { isLeftOut }: { isLeftOut: boolean },
  moment: CheckEvaluationMoment,
): string {
  if (moment === 'applied') return ', which is not there';
  return isLeftOut ? ', which this plan leaves out' : ', which the service has yet to assign';
}

function listProblems(verdict: ConfiguredConditionOutcome): readonly string[] {
  if (verdict.kind === 'fails') return [verdict.message ?? 'The condition does not hold.'];
  return verdict.kind === 'broken' ? [verdict.why] : [];
}

/**
 * Judges the checks of the configuration against what stands, or will stand. @param planned the plan, whose forecast they read
 * also once it was applied
 */
export function evaluateChecks(
  checks: readonly CheckEntry[],
  scope: ProjectedScope,
  moment: CheckEvaluationMoment,
  planned: PolicyDowntimeInput,
): ConfiguredCheckResults {
  const names = namesOf(planned);
  const judged = checks.map((check) => ({
    check,
    verdict: evaluateConfiguredCondition(check, scope, names),
  }));
  return {
    results: judged.map(({ check, verdict }) => ({
      name: check.name,
      status: statuses[verdict.kind],
      problems: listProblems(verdict),
    })),
    findings: judged.flatMap(({ check, verdict }) => report(check, verdict, moment) ?? []),
  };
}

function namesOf(planned: PolicyDowntimeInput) {
  return { plan: NameTree.of('plan', { downtime: buildDowntimeNames(planned) }) };
}

/**
 * Finds the checks that do not hold while an apply goes on. One that reads what is not there yet is left to the end of the
 * apply; any other must be decided.
 */
export function findUnmetChecks(
  checks: readonly CheckEntry[],
  scope: ProjectedScope,
  planned: PolicyDowntimeInput,
): readonly Finding[] {
  const names = namesOf(planned);
  return checks.flatMap((check) => {
    const verdict = evaluateConfiguredCondition(check, scope, names);
    const isAhead = verdict.kind === 'unknown' && verdict.isLeftOut;
    return isAhead ? [] : (report(check, verdict, 'applied') ?? []);
  });
}
