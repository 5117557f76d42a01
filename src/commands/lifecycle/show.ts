import type { Runtime } from '../../model/runtime.ts';
import { graphPlanDependencies } from '../../plan/order/dependency-graph.ts';
import type { Reporter } from '../session/reporter.ts';
import { openSavedPlan } from './saved-plan.ts';

/** Shows a saved plan as it was when it was saved; reads neither the state nor the account. */
export async function showPlanFile(
  runtime: Pick<Runtime, 'cwd' | 'env' | 'execute'>,
  path: string,
  reporter: Reporter,
): Promise<void> {
  const saved = await openSavedPlan(runtime, path);
  const { directory, service } = saved;
  const { identity = { name: directory, directory } } = saved;
  await reporter.showPlan({
    ...saved,
    identity: { ...identity, account: service },
    fingerprints: () => saved.fingerprints,
    dependencies: () => graphPlanDependencies(saved.plan, saved.desired),
  });
}
