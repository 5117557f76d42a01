import type { ValueOrigin } from '../../model/provenance.ts';
import type { SourceRange } from '../../model/source.ts';
import { describeResourceCost } from '../json/cost-json.ts';
import { describeDiagnostic } from '../json/diagnostics-json.ts';
import type { ChangeExplanation } from './view-explanation.ts';

/** Describes the explanation of a change as JSON. */
export function describeChangeExplanation(explanation: ChangeExplanation): object {
  const { address, source, change, reason, findings, origins, costs, ...rest } = explanation;
  return {
    address,
    ...(source && { source: describePlace(source) }),
    action: change?.action ?? 'no-op',
    ...(reason !== undefined && { reason: reason.replace(/^\((.*)\)$/, '$1') }),
    ...rest,
    costs: costs.map(describeResourceCost),
    values: origins.map(describeOrigin),
    findings: findings.map(describeDiagnostic),
  };
}

function describeOrigin({ source, reads, ...rest }: ValueOrigin): object {
  return {
    ...rest,
    ...(source && { source: describePlace(source) }),
    ...(reads.length > 0 && { reads: reads.map(describeOrigin) }),
  };
}

function describePlace({ file, line, column }: SourceRange) {
  return { file, line, column };
}
