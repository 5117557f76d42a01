import type { Address } from '../../model/address.ts';
import type { WorkProgress } from '../../model/account/vm-work.ts';
import type { Reporter } from './reporter.ts';

/** A question that the user must confirm before a loss. */
export interface LossConfirmation {
  /** Ends with a question mark. */
  readonly question: string;
  /** Consequences of a yes: full sentences about losses and their limits. */
  readonly consequences: readonly string[];
  /** Message after a no: `Restore cancelled.` */
  readonly ifDeclined: string;
  /** The flag that answers it; `--auto-approve` unless given. */
  readonly skipWith?: string;
}

/** Reporter of commands on running resources (VM operations, sales, tokens). */
export interface DayTwoReporter extends Pick<Reporter, 'showDiagnostics'> {
  showProgress(progress: WorkProgress): void;
  /** The operation on this VM has ended; others may go on. */
  endProgress(address: Address): void;
  /** Asks whether to go on; false for anything but a clear yes. */
  confirm(question: LossConfirmation): Promise<boolean>;
}
