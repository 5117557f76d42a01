// The model of a port forward: its live record, and the commands about it.
import type { LiveBase, LiveStatus } from '../../model/account/live.ts';
import type { ToldField } from '../../model/account/told.ts';

export interface LivePortForward extends LiveBase {
  readonly kind: 'portForward';
  readonly publicIpId: string;
  readonly status: LiveStatus;
  readonly protocol: ToldField<string>;
  readonly publicPort: ToldField<number>;
  readonly vmId: ToldField<string>;
  readonly vmPort: ToldField<number>;
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
