import type { JourneyOrder, JourneyStep } from '../../model/account/journey.ts';
import type { DayTwoReporter } from '../session/day-two-reporter.ts';

/** Reporter of a journey's progress. */
export interface JourneyReporter extends Pick<DayTwoReporter, 'showDiagnostics' | 'confirm'> {
  /** Before anything is asked or changed. */
  showOrder(order: JourneyOrder): void;
  /** A step begins. */
  startStep(title: string): void;
  showStep(step: JourneyStep): void;
}
