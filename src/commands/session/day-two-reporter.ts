import type { ResourceAddress } from '../../model/address.ts';
import type { VmOperationProgress } from '../../model/account/vm-work.ts';
import type { Reporter } from './reporter.ts';

/** A question that the user must answer with yes before a command destroys data. */
export interface LossConfirmation {
  /** Ends with a question mark. */
  readonly question: string;
  /** Consequences of a yes: full sentences about losses and their limits. */
  readonly consequences: readonly string[];
  /** Message when the user declines, as `Restore cancelled.` */
  readonly ifDeclined: string;
  /** The flag that confirms without a question; `--auto-approve` unless given. */
  readonly skipWith?: string;
}

/** Reporter of commands on running resources (VM operations, sales, tokens). */
export interface DayTwoReporter extends Pick<Reporter, 'showDiagnostics'> {
  showProgress(progress: VmOperationProgress): void;
  /** Ends the progress display of one VM's operation; those of other VMs may go on. */
  endProgress(address: ResourceAddress): void;
  /** Asks the user whether to go on; anything but a clear yes counts as a no. */
  confirm(question: LossConfirmation): Promise<boolean>;
}
