import type { ApprovalDifference, ApprovedPart } from '../../model/plan/approval.ts';
import type { Runtime } from '../../model/runtime.ts';
import { listApprovedParts } from '../../plan/approved-parts.ts';
import { compareWithApprovedPlan } from '../../plan/compare-approved.ts';
import { hashCanonicalJson } from '../../state/hash-canonical.ts';
import { openSavedPlan } from './saved-plan.ts';

/** The differences between a saved plan and an older one that was approved. @throws DiagnosticError */
export async function compareSavedPlans(
  runtime: Pick<Runtime, 'cwd' | 'env' | 'execute'>,
  path: string,
  older: string,
): Promise<readonly ApprovalDifference[]> {
  const before = await openSavedPlan(runtime, older);
  const now = await openSavedPlan(runtime, path);
  return compareWithApprovedPlan(before, now);
}

/** Tells whether the configuration of a saved plan limits the age of a VM's newest backup. @throws DiagnosticError */
export async function keepsBackupsFresh(
  runtime: Pick<Runtime, 'cwd' | 'env' | 'execute'>,
  path: string,
): Promise<boolean> {
  const { desired } = await openSavedPlan(runtime, path);
  return desired.resources.some(({ maxBackupAgeMs }) => maxBackupAgeMs !== undefined);
}

/** The parts of a saved plan that a person approves, each with a digest of its content. @throws DiagnosticError */
export async function digestApprovablePlanParts(
  runtime: Pick<Runtime, 'cwd' | 'env' | 'execute'>,
  path: string,
): Promise<readonly ApprovedPart<string>[]> {
  const saved = await openSavedPlan(runtime, path);
  return listApprovedParts(saved).map((part) => ({
    ...part,
    content: hashCanonicalJson([part.content]),
  }));
}
