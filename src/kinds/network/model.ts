// The model of a network: its live record, and the commands about it.
import type { LiveRecordBase, LiveStatus } from '../../model/account/live.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';

export interface LiveNetwork extends LiveRecordBase {
  readonly kind: 'network';
  readonly name: ReportedOrUntoldField<string>;
  readonly status: ReportedOrUntoldField<LiveStatus>;
  readonly cidr: ReportedOrUntoldField<string | null>;
}

declare module '../../model/account/live.ts' {
  interface LiveRecords {
    readonly network: LiveNetwork;
  }
}

declare module '../../model/account/command.ts' {
  interface CommandFields<R> {
    readonly createNetwork: { readonly project: R; readonly name: string };
    readonly renameNetwork: { readonly project: R; readonly network: R; readonly name: string };
    readonly deleteNetwork: { readonly project: R; readonly network: R };
  }
}
