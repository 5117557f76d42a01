// The model of a public IP: its live record, and the commands about it.
import type { LiveRecordBase, LiveStatus } from '../../model/account/live.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';

export interface LivePublicIp extends LiveRecordBase {
  readonly kind: 'publicIp';
  readonly status: ReportedOrUntoldField<LiveStatus>;
  readonly address: ReportedOrUntoldField<string | null>;
  readonly vmId: ReportedOrUntoldField<string | null>;
}

declare module '../../model/account/live.ts' {
  interface LiveRecords {
    readonly publicIp: LivePublicIp;
  }
}

declare module '../../model/account/command.ts' {
  interface CommandFields<R> {
    readonly createPublicIp: { readonly project: R };
    readonly deletePublicIp: { readonly project: R; readonly publicIp: R };
  }
}
