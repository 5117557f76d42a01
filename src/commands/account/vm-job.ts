import type { VmOperation } from '../../execute/command/run-vm-operation.ts';
import type { Backup } from '../../model/account/vm-work.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Runtime, SessionRuntime } from '../../model/runtime.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { ConfigurationSession } from '../session/session.ts';

/** The VM that an operation is about, with the open session. */
export interface VmJobTarget {
  readonly session: ConfigurationSession;
  readonly resource: ManagedResource;
  readonly place: { readonly projectId: string; readonly vmId: string };
}

/** The parts of a VM operation that differ by its verb: start, stop, backup, and so on. */
export interface VmOperationTask {
  readonly command: VmOperation['command'];
  readonly approve?: VmOperation['approve'];
  /** Asks the question of `approve` in advance, so that for several VMs all questions come before the first operation. */
  readonly confirmFirst?: () => Promise<boolean>;
  /** As `VmOperation.onSend`. */
  readonly onSend?: VmOperation['onSend'] | undefined;
  /**
   * Finds the backup that the operation made. Where the service has no record of the operation, such a backup proves its success.
   */
  readonly findMade?: () => Promise<Backup | undefined>;
  /** The backup that is restored; absent for other operations than a restore. */
  readonly restored?: Backup;
  /** Notes for the user after a success. */
  readonly notes?: () => readonly Diagnostic[];
}

/** The runtime of VM operations. It can send probes, which follow operations on several VMs. */
export type VmOperationRuntime = SessionRuntime &
  Pick<Runtime, 'holdInterrupts' | 'openProber' | 'probePermission' | 'process' | 'allowsCommands'>;

/** An operation on one of several VMs, ready to be sent. */
export interface PreparedVmOperation {
  readonly target: VmJobTarget;
  readonly task: VmOperationTask;
}
