import { kinds } from '../kinds/registry.ts';
import { isAboutLifted, rankOf, type Finding } from '../model/diagnostic.ts';
import { kindNames } from '../model/kind-places.ts';
import type { Plan } from '../model/plan/plan.ts';
import { showFirst } from '../model/text/show-first.ts';
import { formatPlace } from '../model/source.ts';
import { warnOfBlockOutage } from './downtime/all-at-once.ts';
import { askAboutReusedIds } from './another-resource.ts';
import { checkBudget } from './cost/budget.ts';
import { checkCatalog } from './account/catalog.ts';
import type { PlanCheck, CheckInput } from './check.ts';
import { refuseDoubleClaims } from './claimed-twice.ts';
import { checkDataLoss, warnOfDisplacedBackups } from './data-loss.ts';
import { checkDataChoices } from './data-choices.ts';
import { refuseManagedData } from './managed-data.ts';
import { checkDestinations } from './destinations.ts';
import { checkGuards } from './guards.ts';
import { hideSecrets } from './hide-secrets.ts';
import { noteUnexpectedLiveFields } from './account/shown-otherwise.ts';
import { noteDeferredFields } from './deferred-values.ts';
import { noteMovedEntries } from './account/entries-moved.ts';
import { checkNameLengths } from './account/name-length.ts';
import { checkNameTaken } from './account/name-taken.ts';
import { checkOtherAccount } from './account/other-account.ts';
import { evaluateChecks } from './configured-checks.ts';
import { tellLiftedSafeguards } from './lifted.ts';
import { refuseImportLosses } from './import-destroys.ts';
import { refuseIdsInConditions } from './conditions-by-id.ts';
import { checkPolicies } from './policies.ts';
import { checkBoundOperations } from './not-bound.ts';
import { checkUnshownResources } from './account/unshown.ts';
import { checkDependencyConflicts } from './dependency-conflicts.ts';
import { checkProtected, tellLiftedProtection } from './protected.ts';
import { checkQuotas, noteDeletesFirst } from './account/quota.ts';
import { refuseReplacement, checkFlagAddresses, warnOfPartialPlan } from './selection.ts';
import { tellUntoldFields } from './untold.ts';
import { noteUnmanaged } from './unmanaged.ts';
import { noteWaitingForRebuild, warnOfTriedBefore } from './waiting.ts';
import { noteUnsettledResources } from './unsettled.ts';
import { checkProbes, noteUnreadyMembers } from './probes.ts';

const checks: readonly PlanCheck[] = [
  tellLiftedSafeguards,
  checkOtherAccount,
  askAboutReusedIds,
  checkBoundOperations,
  checkUnshownResources,
  warnOfPartialPlan,
  refuseReplacement,
  checkFlagAddresses,
  refuseManagedData,
  refuseImportLosses,
  checkProtected,
  checkGuards,
  checkBudget,
  checkPolicies,
  refuseIdsInConditions,
  checkNameTaken,
  refuseDoubleClaims,
  (input) => kindNames.flatMap((kind) => kinds[kind].traits.checks?.plan?.(input) ?? []),
  checkDestinations,
  checkProbes,
  checkDependencyConflicts,
  checkCatalog,
  checkNameLengths,
  (input) => kindNames.flatMap((kind) => kinds[kind].traits.checks?.room?.(input) ?? []),
  checkQuotas,
  checkDataLoss,
  checkDataChoices,
  warnOfBlockOutage,
  tellLiftedProtection,
  warnOfDisplacedBackups,
  noteDeletesFirst,
  noteDeferredFields,
  noteUnexpectedLiveFields,
  noteMovedEntries,
  tellUntoldFields,
  warnOfTriedBefore,
  noteWaitingForRebuild,
  noteUnsettledResources,
  noteUnreadyMembers,
  noteUnmanaged,
];

/** The plan with the findings of every check, the gravest first. */
export function runChecks(input: CheckInput): Plan {
  const { plan, scope } = input;
  const judged = scope && evaluateChecks(input.checks ?? [], scope, 'planned', input);
  const found = [...checks.flatMap((check) => check(input)), ...(judged?.findings ?? [])];
  const told = dropConsequences(found);
  const findings = mergeAlike(told).sort((a, b) => rankOf(a) - rankOf(b));
  const first = findings.filter(isAboutLifted);
  const rest = findings.slice(first.length);
  return {
    ...plan,
    findings: hideSecrets(showFirst([...first, ...plan.findings, ...rest]), plan.changes),
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
    const place = source ? formatPlace(source) : String(index);
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
