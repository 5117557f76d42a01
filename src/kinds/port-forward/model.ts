// The model of a port forward: its live record, and the commands about it.
import type { LiveRecordBase, LiveStatus } from '../../model/account/live.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';

export interface LivePortForward extends LiveRecordBase {
  readonly kind: 'portForward';
  readonly publicIpId: string;
  readonly status: LiveStatus;
  readonly protocol: ReportedOrUntoldField<string>;
  readonly publicPort: ReportedOrUntoldField<number>;
  readonly vmId: ReportedOrUntoldField<string>;
  readonly vmPort: ReportedOrUntoldField<number>;
}

declare module '../../model/account/live.ts' {
  interface LiveRecords {
    readonly portForward: LivePortForward;
  }
}

declare module '../../model/account/command.ts' {
  interface CommandFields<R> {
    readonly createPortForward: {
      readonly project: R;
      readonly publicIp: R;
      readonly protocol: string;
      readonly publicPort: number;
      readonly vm: R;
      readonly vmPort: number;
    };
    readonly updatePortForward: {
      readonly project: R;
      readonly publicIp: R;
      readonly portForward: R;
      readonly publicPort: number;
      readonly vm: R;
      readonly vmPort: number;
    };
    readonly deletePortForward: {
      readonly project: R;
      readonly publicIp: R;
      readonly portForward: R;
    };
  }
}
