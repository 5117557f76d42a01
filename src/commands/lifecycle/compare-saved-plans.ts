import type { Runtime } from '../../model/runtime.ts';
import { comparePlans } from '../../plan/compare-plans.ts';
import { openSavedPlan } from './saved-plan.ts';

/** How a saved plan differs from an older one, a line each; none where both do the same. @throws DiagnosticError */
export async function compareSavedPlans(
  runtime: Runtime,
  path: string,
  older: string,
): Promise<readonly string[]> {
  const before = await openSavedPlan(runtime, older);
  const now = await openSavedPlan(runtime, path);
  return comparePlans(before.plan, now.plan);
}
