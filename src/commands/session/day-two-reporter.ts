import type { WorkProgress } from '../../model/account/vm-work.ts';
import type { Reporter } from './reporter.ts';

/** A question that stands between the user and a loss. */
export interface Question {
  /** Ends with a question mark. */
  readonly question: string;
  /** What is lost, and what is not; full sentences. */
  readonly consequences: readonly string[];
  /** What the user sees when the answer is no: `Restore cancelled.` */
  readonly ifDeclined: string;
  /** The flag that answers it; `--auto-approve` unless given. */
  readonly skipWith?: string;
}

/** Whoever shows what a day-two command does. */
export interface DayTwoReporter extends Pick<Reporter, 'showDiagnostics'> {
  showProgress(progress: WorkProgress): void;
  /** Asks whether to go on; false for anything but a clear yes. */
  confirm(question: Question): Promise<boolean>;
}
