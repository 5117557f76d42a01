import type { PlanWithSources } from '../../engine/make-plan.ts';
import type { DriftChoice } from '../../model/plan/drift-choice.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { Value } from '../../model/value.ts';
import type { ChangeExplanation } from '../../render/explain/view-explanation.ts';

/** A plan with all that its text, JSON and page show beside it. */
export interface DisplayedPlan extends Pick<
  PlanWithSources,
  'plan' | 'plannedAt' | 'fingerprints' | 'dependencies'
> {
  /** Values of the variables of the configuration that are not sensitive, by name. */
  readonly variables: Readonly<Record<string, Value>>;
  /** Identity of the plan, by which a later apply recognises it; absent where no output needs it. */
  readonly identity?: PlanIdentity;
  /** The account, where the configuration names the sandbox and the environment leads there. */
  readonly insteadOfSandbox?: string;
  /** Result of the plan's rehearsals; absent when none were asked for. */
  readonly rehearsal?: Rehearsal;
  /** Drift with its three ways, for the formats that show it; absent where the configuration is not at hand. */
  readonly offerChoices?: () => Promise<readonly DriftChoice[]>;
  /** Explanations of single resources (`--explain`), shown in place of the whole plan. */
  readonly explained?: readonly ChangeExplanation[];
}
