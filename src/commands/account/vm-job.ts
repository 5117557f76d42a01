import type { VmOperation } from '../../execute/command/run-vm-operation.ts';
import type { Backup } from '../../model/account/vm-work.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Runtime, SessionRuntime } from '../../model/runtime.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { ConfigurationSession } from '../session/session.ts';

/** The VM of an operation, with its session. */
export interface VmJobTarget {
  readonly session: ConfigurationSession;
  readonly resource: ManagedResource;
  readonly place: { readonly projectId: string; readonly vmId: string };
}

/** The part of a VM operation that differs by its verb: start, stop, backup, and so on. */
export interface VmOperationTask {
  readonly command: VmOperation['command'];
  readonly approve?: VmOperation['approve'];
  /** Asks beforehand what \`approve\` would ask, so that several are asked about before any is begun. */
  readonly confirmFirst?: () => Promise<boolean>;
  /** As `VmOperation.onSend`. */
  readonly onSend?: VmOperation['onSend'] | undefined;
  /** Finds the backup that the operation made: one that shows up proves success where no record does. */
  readonly findMade?: () => Promise<Backup | undefined>;
  /** The backup that is restored; absent for other operations than a restore. */
  readonly restored?: Backup;
  /** Notes for the user after a success. */
  readonly notes?: () => readonly Diagnostic[];
}

/** The runtime of an operation: probes may follow it where it is on several VMs. */
export type VmRuntime = SessionRuntime &
  Pick<Runtime, 'holdInterrupts' | 'openProber' | 'probePermission' | 'process' | 'allowsCommands'>;

/** An operation on one of several VMs, prepared. */
export interface PreparedVmOperation {
  readonly target: VmJobTarget;
  readonly task: VmOperationTask;
}
