import { isDeepStrictEqual } from 'node:util';
import { rememberSafeguards } from '../checks/lifted.ts';
import { evaluateChecks } from '../checks/configured-checks.ts';
import { ProjectedScope } from '../expressions/deferred/projected-scope.ts';
import type { Catalog } from '../model/account/live.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { ApplySummary } from '../model/plan/result.ts';
import { hasSameOutputs, emptyStateOutputs } from '../model/state/state.ts';
import { resolveOutputs } from '../plan/deferred/outputs.ts';
import { projectResourcesFromState } from '../plan/deferred/project-state.ts';
import { isWholeSelection } from '../plan/order/targets.ts';
import type { StateStore } from '../state/store.ts';
import type { PlanWithSources } from './make-plan.ts';

/**
 * Evaluates the outputs after an apply against the resources in the state, stores them, and evaluates the checks of the
 * configuration. After failures, an output that cannot be evaluated keeps its old value. Stores the safeguards that the apply was
 * held to.
 */
export async function concludeApply(
  store: StateStore,
  { plan, order, live, known }: Pick<PlanWithSources, 'plan' | 'order' | 'live' | 'known'>,
  summary: ApplySummary,
): Promise<ApplySummary> {
  const { state } = store;
  const { catalog } = live;
  const { desired, planOptions, steps } = order;
  // The plan of a refresh shows no outputs, so that a refresh must not change them.
  if (plan.mode === 'refresh') return summary;
  const undone = new Set(
    summary.changes.filter(({ result }) => result.kind !== 'applied').map((one) => one.address),
  );
  const { resources, emptyGroups, outputs: entries = [], checks = [] } = desired;
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const project = (offered?: Catalog) =>
    new ProjectedScope(
      () => projectResourcesFromState(resources, state, undone, changes, offered),
      emptyGroups,
      steps,
    );
  const before = state.outputs ?? emptyStateOutputs;
  const {
    recorded,
    shown,
    findings: unresolved,
  } = resolveOutputs({
    mode: plan.mode,
    isWhole: isWholeSelection(planOptions.selection),
    entries,
    before,
    scope: project(),
  });
  if (!hasSameOutputs(recorded, before)) {
    await store.record({ kind: 'outputs', outputs: Object.fromEntries(recorded) });
  }
  if (plan.mode === 'destroy') return summary;
  const checked = evaluateChecks(checks, project(catalog), 'applied', {
    plan,
    live,
    state: known,
    desired: new Map(resources.map((one) => [one.address, one])),
  });
  const findings = [...unresolved, ...checked.findings];
  const isDone = undone.size === 0 && !summary.isInterrupted && !hasErrors(findings);
  const isAccepted = isDone && isWholeSelection(planOptions.selection);
  const safeguards = rememberSafeguards(state.safeguards, desired, isAccepted);
  if (!isDeepStrictEqual(safeguards, state.safeguards ?? {})) {
    await store.record({ kind: 'safeguards', safeguards });
  }
  return { ...summary, outputs: shown, findings: [...(summary.findings ?? []), ...findings] };
}
