import type { DependencyGraph } from '../../model/plan/graph.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { Explanation } from '../../render/explain/view-explanation.ts';
import type { Plan } from '../../model/plan/plan.ts';

/** A plan as it can be shown. */
export interface ShownPlan {
  readonly plan: Plan;
  /** When it was made; milliseconds since the Unix epoch. */
  readonly plannedAt: number;
  /** Whose plan it is; absent where nobody asked for it. */
  readonly identity?: PlanIdentity;
  /** How it was rehearsed, where that was asked for. */
  readonly rehearsal?: Rehearsal;
  /** Given where resources are to be explained in place of the whole plan. */
  readonly explained?: readonly Explanation[];
  /** Hashes of what it was made from, by name: equal where nothing moved. */
  fingerprints(): Readonly<Record<string, string>>;
  /** What needs what, with what happens to each. */
  dependencies(): DependencyGraph;
}
