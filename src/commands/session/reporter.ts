import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import type { ApplyEvent, ApplySummary } from '../../model/plan/result.ts';
import type { ShownPlan } from './shown-plan.ts';

/** Reporter of a command while it runs. Commands never write to a stream themselves. */
export interface Reporter {
  /** Something that the user should know, outside of a plan. */
  showDiagnostics(diagnostics: readonly Diagnostic[]): void;
  /** Resolves once the plan is out, or nobody reads it any more. */
  showPlan(planned: ShownPlan): Promise<void>;
  /** Asks whether to go on; false for anything but a clear yes. */
  approve(planned: ShownPlan): Promise<boolean>;
  showEvent(event: ApplyEvent): void;
  showSummary(summary: ApplySummary, mode: PlanMode): void;
}
