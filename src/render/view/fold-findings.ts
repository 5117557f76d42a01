import { isDataLossDiagnostic, isShortenedFinding, type Finding } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/group-by.ts';
import { formatNameList } from '../../model/text/suggest.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { minFoldedInstances } from './fold-instances.ts';
import { joinAddresses } from './instance-texts.ts';
import { viewPlan, type PlanView } from './view.ts';

const mostNamed = 10;

/** Prepares a plan for readers: with its findings folded, unless each is to be shown. */
export function viewFoldedPlan(plan: Plan, isVerbose = false): PlanView {
  const view = viewPlan(plan);
  if (isVerbose) return view;
  const findings = view.findings.map((one) => (isShortenedFinding(one) ? shorten(one, plan) : one));
  return { ...view, findings: foldFindings(findings) };
}

/** A finding that every plan repeats until the configuration changes, cut to its summary and the command for its details. */
function shorten({ severity, code, summary, address }: Finding, { changes }: Plan): Finding {
  const [first] = changes.filter(({ waiting }) => waiting !== undefined);
  const whose = address ?? first?.address;
  const way = whose === undefined ? '' : ` (details: --explain '${whose}')`;
  return { severity, code, summary: summary + way };
}

/**
 * Folds equal findings of one policy, or of one line of the configuration, about many resources into the first of them.
 * A finding about lost data is kept for each resource.
 */
export function foldFindings(findings: readonly Finding[]): readonly Finding[] {
  const groups = groupBy(findings, keyOf);
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    return first && group.length >= minFoldedInstances ? [foldGroup(first, others)] : group;
  });
}

/** Key that is equal for findings with one cause in the configuration; the finding itself where there is no such cause. */
function keyOf(finding: Finding): unknown {
  const { severity, code, address, source } = finding;
  if (!source || address === undefined || isDataLossDiagnostic(finding)) return finding;
  const { file, line, column } = source;
  return JSON.stringify([severity, code, file, line, column]);
}

function foldGroup(first: Finding, others: readonly Finding[]): Finding {
  const addresses = [first, ...others].flatMap(({ address = [] }) => address);
  const joined = joinAddresses(addresses, minFoldedInstances).map(({ address }) => address);
  const affected = `Affected: ${formatNameList(joined, mostNamed)}.`;
  const { severity, code, detail, hint, source } = first;
  const [whole, ...parts] = joined;
  return {
    severity,
    code,
    summary: `${first.summary}, and ${others.length} more`,
    detail: detail === undefined ? affected : `${detail}\n${affected}`,
    ...(hint !== undefined && { hint }),
    ...(source && { source }),
    ...(whole !== undefined && parts.length === 0 && { address: whole }),
  };
}
