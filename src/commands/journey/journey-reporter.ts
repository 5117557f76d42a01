import type { JourneyPurchases, JourneyStep } from '../../model/account/journey.ts';
import type { DayTwoReporter } from '../session/day-two-reporter.ts';

/** Shows the progress of a journey: the trial of all operations of a contract on a live account. */
export interface JourneyReporter extends Pick<DayTwoReporter, 'showDiagnostics' | 'confirm'> {
  /** Shows the order, before the user is asked and anything is changed. */
  showOrder(order: JourneyPurchases): void;
  /** Shows that a step of the journey begins. */
  startStep(title: string): void;
  showStep(step: JourneyStep): void;
}
