// Names that the assertions of a step read: the plan, the account, the outputs, the variables and the diagnostics.
import type { Configuration, ConfigurationLoadResult } from '../../config/load-configuration.ts';
import { ProjectedScope } from '../../expressions/deferred/projected-scope.ts';
import type { TraceSensitivity } from '../../expressions/explain/show-value.ts';
import { NameTree, Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import type { Catalog } from '../../model/account/live.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { emptyStateOutputs, type State } from '../../model/state/state.ts';
import { evaluateOutput } from '../../plan/deferred/outputs.ts';
import { projectResourcesFromState } from '../../plan/deferred/project-state.ts';
import { viewTestedAccount, type AccountResourcesForAssertions } from './view-account.ts';
import {
  viewDiagnostic,
  viewTestedOutputs,
  viewTestPlan,
  type OnSensitiveRead,
} from './view-plan.ts';

/** Everything that the assertions of a test step can read: the configuration, the plan and the account after the step. */
export interface TestAssertionInputs {
  /** The configuration as the next step of the test would load it. */
  readonly loaded: ConfigurationLoadResult;
  /** The last plan, and the catalog at that time; undefined before the first plan. */
  readonly plan: Plan | undefined;
  readonly catalog: Catalog | undefined;
  /** The configuration that the last plan was made of, with its queries answered. */
  readonly planned: Configuration | undefined;
  /** True once that plan was applied: outputs are read from the state. */
  readonly isApplied: boolean;
  readonly state: State;
  /** Resources of the account for `account`; undefined where no assertion reads it. */
  readonly account: AccountResourcesForAssertions | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Names that the assertions of a test step can read, and a trace that notices sensitive values among them. */
export interface TestScope {
  readonly names: NameTree;
  readonly trace: TraceSensitivity;
}

/** Makes the names that the assertions of a test step can read. */
export function makeTestScope(outcome: TestAssertionInputs): TestScope {
  let isTainted = false;
  const onSensitive = () => {
    isTainted = true;
  };
  const { plan, catalog, account, diagnostics, loaded } = outcome;
  const names = NameTree.of('', {
    ...(plan && catalog && { plan: viewTestPlan(plan, catalog, onSensitive) }),
    ...(account && { account: viewTestedAccount(account, onSensitive) }),
    output: viewOutputsOf(outcome, onSensitive),
    var: viewVariables(loaded, onSensitive),
    findings: diagnostics.map(viewDiagnostic),
  });
  const trace: TraceSensitivity = (work) => {
    const before = isTainted;
    isTainted = false;
    try {
      const value = work();
      return { value, isSensitive: isTainted };
    } finally {
      isTainted ||= before;
    }
  };
  return { names, trace };
}

/** The outputs: as planned, or as they are once the plan was applied. */
function viewOutputsOf(
  { plan, planned, isApplied, state }: TestAssertionInputs,
  onSensitive: OnSensitiveRead,
): NameTree {
  if (!isApplied || !planned) return viewTestedOutputs('output', plan?.outputs ?? []);
  const { outputs = emptyStateOutputs } = state;
  const { graph, steps } = planned;
  const { resources, emptyGroups, outputs: entries = [] } = graph;
  const scope = new ProjectedScope(
    () => projectResourcesFromState(resources, state),
    emptyGroups,
    steps,
  );
  return new NameTree(
    'output',
    () => [...outputs.keys()],
    (name): ScopeValue | undefined => {
      const output = outputs.get(name);
      if (!output?.sensitive) return output?.value;
      // The value of a sensitive output is kept nowhere: it is worked out anew.
      onSensitive();
      const entry = entries.find((one) => one.name === name);
      const found = entry && evaluateOutput(entry, scope);
      return found?.kind === 'value' ? found.value : new Unknown(`output.${name}`);
    },
  );
}

function viewVariables(loaded: ConfigurationLoadResult, onSensitive: OnSensitiveRead): NameTree {
  const { values } = loaded;
  const sensitive = loaded.readable().sensitiveVariables;
  return new NameTree(
    'var',
    () => [...values.keys()],
    (name) => {
      if (sensitive.includes(name)) onSensitive();
      return values.get(name);
    },
  );
}
