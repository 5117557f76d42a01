import { kindRegistry } from '../kinds/registry.ts';
import { isLiftedSafeguardFinding, rankDiagnostic, type Finding } from '../model/diagnostic.ts';
import { kindNames } from '../model/kind-places.ts';
import type { Plan } from '../model/plan/plan.ts';
import { limitShownDiagnostics } from '../model/text/show-first.ts';
import { formatSourcePlace } from '../model/source.ts';
import { warnOfBlockOutage } from './downtime/all-at-once.ts';
import { refuseReusedIds } from './another-resource.ts';
import { checkCostBudget } from './cost/budget.ts';
import { checkCatalogReferences } from './account/catalog.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';
import { refuseDuplicateClaims } from './claimed-twice.ts';
import { checkDataLoss, warnOfDisplacedBackups } from './data-loss.ts';
import { warnOfDataSourceChoices } from './data-choices.ts';
import { refuseDataOfManagedResources } from './managed-data.ts';
import { checkSecretDestinations } from './destinations.ts';
import { checkLossGuards } from './guards.ts';
import { hideSecrets } from './hide-secrets.ts';
import { noteUnexpectedLiveFields } from './account/shown-otherwise.ts';
import { noteDeferredFields } from './deferred-values.ts';
import { noteChangedCatalogEntries } from './account/entries-moved.ts';
import { checkNameLengths } from './account/name-length.ts';
import { checkNameTaken } from './account/name-taken.ts';
import { checkOtherAccount } from './account/other-account.ts';
import { evaluateChecks } from './configured-checks.ts';
import { reportLiftedSafeguards } from './lifted.ts';
import { refuseImportLosses } from './import-destroys.ts';
import { refuseIdsInConditions } from './conditions-by-id.ts';
import { checkPolicies } from './policies.ts';
import { checkMissingServiceOperations } from './not-bound.ts';
import { checkUnshownResources } from './account/unshown.ts';
import { checkDependencyConflicts } from './dependency-conflicts.ts';
import { checkPreventDestroy, reportLiftedProtection } from './protected.ts';
import {
  checkQuotas,
  noteDeletesBeforeCreates,
  warnOfServiceLimitsBelowZero,
} from './account/quota.ts';
import {
  refuseReplacingPermanentKind,
  checkFlagAddresses,
  warnOfPartialPlan,
} from './selection.ts';
import { reportUntoldFields } from './untold.ts';
import { noteUnmanagedResources } from './unmanaged.ts';
import { noteValuesWaitingForRebuild, warnOfRolledBackRebuilds } from './waiting.ts';
import { noteBusyResources } from './unsettled.ts';
import { checkProbePermissions, noteUnreadyMembers } from './probes.ts';

const checks: readonly PlanCheck[] = [
  reportLiftedSafeguards,
  checkOtherAccount,
  refuseReusedIds,
  checkMissingServiceOperations,
  checkUnshownResources,
  warnOfPartialPlan,
  refuseReplacingPermanentKind,
  checkFlagAddresses,
  refuseDataOfManagedResources,
  refuseImportLosses,
  checkPreventDestroy,
  checkLossGuards,
  checkCostBudget,
  checkPolicies,
  refuseIdsInConditions,
  checkNameTaken,
  refuseDuplicateClaims,
  (input) => kindNames.flatMap((kind) => kindRegistry[kind].traits.checks?.plan?.(input) ?? []),
  checkSecretDestinations,
  checkProbePermissions,
  checkDependencyConflicts,
  checkCatalogReferences,
  checkNameLengths,
  (input) => kindNames.flatMap((kind) => kindRegistry[kind].traits.checks?.room?.(input) ?? []),
  checkQuotas,
  checkDataLoss,
  warnOfServiceLimitsBelowZero,
  warnOfDataSourceChoices,
  warnOfBlockOutage,
  reportLiftedProtection,
  warnOfDisplacedBackups,
  noteDeletesBeforeCreates,
  noteDeferredFields,
  noteUnexpectedLiveFields,
  noteChangedCatalogEntries,
  reportUntoldFields,
  warnOfRolledBackRebuilds,
  noteValuesWaitingForRebuild,
  noteBusyResources,
  noteUnreadyMembers,
  noteUnmanagedResources,
];

/** The plan with the findings of every check, the gravest first. */
export function runChecks(input: PlanCheckInput): Plan {
  const { plan, scope } = input;
  const judged = scope && evaluateChecks(input.checks ?? [], scope, 'planned', input);
  const found = [...checks.flatMap((check) => check(input)), ...(judged?.findings ?? [])];
  const told = dropConsequences(found);
  const findings = mergeAlike(told).sort((a, b) => rankDiagnostic(a) - rankDiagnostic(b));
  const first = findings.filter(isLiftedSafeguardFinding);
  const rest = findings.slice(first.length);
  return {
    ...plan,
    findings: hideSecrets(
      limitShownDiagnostics([...first, ...plan.findings, ...rest]),
      plan.changes,
    ),
    ...(judged && judged.results.length > 0 && { checks: judged.results }),
  };
}

/** Drops findings that only follow from a wrong value of the same resource: one fault, one message. */
function dropConsequences(findings: readonly Finding[]): readonly Finding[] {
  const faulty = new Set(
    findings.flatMap(({ severity, code, address }) =>
      severity === 'error' && !code.startsWith('policy-') ? (address ?? []) : [],
    ),
  );
  if (faulty.size === 0) return findings;
  return findings.filter(
    ({ code, address }) =>
      code !== 'check-undecided' &&
      !(code === 'policy-undecided' && address !== undefined && faulty.has(address)),
  );
}

/** Merges findings at one place: a fault is reported once, however many instances `count` makes of it. */
function mergeAlike(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const [index, finding] of findings.entries()) {
    const { code, summary, source } = finding;
    const place = source ? formatSourcePlace(source) : String(index);
    const key = JSON.stringify([code, summary, place]);
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()].map(([first, second, ...others]) => {
    if (second?.address === undefined) return first;
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    const also = `The same holds for ${second.address}${more}.`;
    return { ...first, detail: first.detail === undefined ? also : `${first.detail} ${also}` };
  });
}
