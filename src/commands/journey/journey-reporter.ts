import type { JourneyOrder, JourneyStep } from '../../model/account/journey.ts';
import type { DayTwoReporter } from '../session/day-two-reporter.ts';

/** Reporter of a journey's progress. */
export interface JourneyReporter extends Pick<DayTwoReporter, 'showDiagnostics' | 'confirm'> {
  /** Shows the order, before the user is asked and anything is changed. */
  showOrder(order: JourneyOrder): void;
  /** Shows that a step of the journey begins. */
  startStep(title: string): void;
  showStep(step: JourneyStep): void;
}
