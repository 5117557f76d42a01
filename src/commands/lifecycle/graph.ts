import type { DependencyGraph } from '../../model/plan/graph.ts';
import type { ReadingRuntime, Runtime } from '../../model/runtime.ts';
import {
  graphConfigurationDependencies,
  graphPlanDependencies,
} from '../../plan/order/dependency-graph.ts';
import type { Reporter } from '../session/reporter.ts';
import { openSavedPlan } from './saved-plan.ts';
import { readConfiguration } from '../session/session.ts';

/** Reads the dependency graph of a configuration, or of a saved plan, without a request to the account. */
export async function readDependencyGraph(
  runtime: ReadingRuntime & Pick<Runtime, 'execute'>,
  { directory, planFile }: { readonly directory: string; readonly planFile: string | undefined },
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<DependencyGraph> {
  if (planFile !== undefined) {
    const { plan, desired } = await openSavedPlan(runtime, planFile);
    return graphPlanDependencies(plan, desired);
  }
  const options = { isEnvironmentOptional: true };
  const { graph } = await readConfiguration(runtime, directory, reporter, options);
  return graphConfigurationDependencies(graph);
}
