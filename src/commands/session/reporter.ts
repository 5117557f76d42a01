import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import type { ApplyEvent, ApplySummary } from '../../model/plan/result.ts';
import type { DisplayedPlan } from './shown-plan.ts';

/** Shows what a command does, to people or to programs. Commands never write to a stream themselves. */
export interface Reporter {
  /** Shows diagnostics that are about no plan. */
  showDiagnostics(diagnostics: readonly Diagnostic[]): void;
  /** Shows a plan; resolves when it is written, or its output is closed. */
  showPlan(planned: DisplayedPlan): Promise<void>;
  /** Asks the user to approve the plan; anything but a clear yes counts as a no. */
  approve(planned: DisplayedPlan): Promise<boolean>;
  showEvent(event: ApplyEvent): void;
  showSummary(summary: ApplySummary, mode: PlanMode): void;
}
