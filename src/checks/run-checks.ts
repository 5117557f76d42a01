import type { Finding, Severity } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { checkCapacity } from './capacity.ts';
import { checkCatalog } from './catalog.ts';
import type { Check, CheckInput } from './check.ts';
import { warnOfDataLoss } from './data-loss.ts';
import { checkGuards } from './guards.ts';
import { checkNameLengths } from './name-length.ts';
import { checkNameTaken } from './name-taken.ts';
import { checkOtherAccount } from './other-account.ts';
import { checkProtected } from './protected.ts';
import { checkQuotas, noteDeletesFirst } from './quota.ts';
import { warnOfSelection } from './selection.ts';
import { checkSshKeyCount } from './ssh-key-count.ts';
import { noteUnmanaged } from './unmanaged.ts';
import { noteUnsettled } from './unsettled.ts';

const checks: readonly Check[] = [
  checkOtherAccount,
  warnOfSelection,
  checkProtected,
  checkGuards,
  checkNameTaken,
  checkCatalog,
  checkNameLengths,
  checkSshKeyCount,
  checkQuotas,
  checkCapacity,
  warnOfDataLoss,
  noteDeletesFirst,
  noteUnsettled,
  noteUnmanaged,
];

const rank: Record<Severity, number> = { error: 0, warning: 1, note: 2 };

/** The plan with the findings of every check, the gravest first. */
export function runChecks(input: CheckInput): Plan {
  const findings: readonly Finding[] = checks
    .flatMap((check) => check(input))
    .sort((a, b) => rank[a.severity] - rank[b.severity]);
  return { ...input.plan, findings: [...input.plan.findings, ...findings] };
}
