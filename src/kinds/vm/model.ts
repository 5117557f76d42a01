// The model of a VM: its live record, and the commands about it.
import type { LiveRecordBase, LiveStatus } from '../../model/account/live.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';

export interface LiveAttachment {
  readonly networkId: string;
  readonly internalIp: ReportedOrUntoldField<string | null>;
}

export interface LiveVm extends LiveRecordBase {
  readonly kind: 'vm';
  readonly name: ReportedOrUntoldField<string>;
  readonly status: ReportedOrUntoldField<LiveStatus>;
  /** Operation that the service is carrying out on the VM, for messages only. */
  readonly operation: string | null;
  readonly operationStatus: string | null;
  readonly bootStatus: ReportedOrUntoldField<string>;
  readonly configurationId: ReportedOrUntoldField<string>;
  readonly imageId: ReportedOrUntoldField<string>;
  readonly tariffId: ReportedOrUntoldField<string>;
  /** Number of CPU cores of the VM. */
  readonly cpu: ReportedOrUntoldField<number>;
  /** RAM of the VM in gigabytes. */
  readonly ram: ReportedOrUntoldField<number>;
  /** Disk size of the VM in gigabytes. */
  readonly disk: ReportedOrUntoldField<number>;
  readonly networks: ReportedOrUntoldField<readonly LiveAttachment[]>;
  readonly publicIpId: ReportedOrUntoldField<string | null>;
  readonly sshKeyIds: ReportedOrUntoldField<readonly string[]>;
  readonly plugins: ReportedOrUntoldField<readonly string[]>;
  /** Renewal of the VM's sale, in the service's word; absent where sales were not read, or the VM has none. */
  readonly renewal?: ReportedOrUntoldField<string>;
}

/** Ids or addresses that a command about a VM's sale names. */
interface OfSale<R> {
  readonly project: R;
  readonly vm: R;
  /** The id of the sale: sales have no address. Null until it is looked up, right before the request. */
  readonly sale: string | null;
}

declare module '../../model/account/live.ts' {
  interface LiveRecords {
    readonly vm: LiveVm;
  }
}

declare module '../../model/account/command.ts' {
  interface CommandFields<R> {
    readonly createVm: {
      readonly project: R;
      readonly name: string;
      readonly imageId: string;
      readonly configurationId: string;
      readonly tariffId: string;
      readonly sshKeys: readonly R[];
      readonly publicIp: 'new' | 'none' | R;
      readonly plugins: readonly string[];
    };
    readonly renameVm: { readonly project: R; readonly vm: R; readonly name: string };
    readonly startVm: { readonly project: R; readonly vm: R };
    readonly stopVm: { readonly project: R; readonly vm: R };
    readonly rebootVm: { readonly project: R; readonly vm: R };
    readonly createBackup: {
      readonly project: R;
      readonly vm: R;
      /** Given for one that is due, and made where the newest is older, in milliseconds; absent for all others. */
      readonly maxAgeMs?: number;
    };
    readonly restoreBackup: {
      readonly project: R;
      readonly vm: R;
      /** Id of a backup at the service: backups have no address. */
      readonly backup: string;
    };
    readonly rebuildVm: {
      readonly project: R;
      readonly vm: R;
      readonly imageId: string;
      /** SSH keys that the rebuild installs; absent where the VM keeps its keys. */
      readonly sshKeys?: readonly R[];
      readonly deleteBackups: boolean;
    };
    readonly attachVm: { readonly project: R; readonly vm: R; readonly network: R };
    readonly detachVm: { readonly project: R; readonly vm: R; readonly network: R };
    readonly resumeSaleRenewal: OfSale<R>;
    readonly cancelSaleRenewal: OfSale<R>;
    readonly deleteVm: { readonly project: R; readonly vm: R };
  }
}
