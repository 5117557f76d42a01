import type { Planned } from '../../engine/make-plan.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { Explanation } from '../../render/explain/view-explanation.ts';

/** A plan as it can be shown. */
export interface ShownPlan extends Pick<
  Planned,
  'plan' | 'plannedAt' | 'fingerprints' | 'dependencies'
> {
  /** Whose plan it is; absent where nobody asked for it. */
  readonly identity?: PlanIdentity;
  /** The account, where the configuration names the sandbox and the environment leads there. */
  readonly insteadOfSandbox?: string;
  /** How it was rehearsed, where that was asked for. */
  readonly rehearsal?: Rehearsal;
  /** Given where resources are to be explained in place of the whole plan. */
  readonly explained?: readonly Explanation[];
}
