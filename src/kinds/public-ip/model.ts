// The model of a public IP: its live record, and the commands about it.
import type { LiveBase, LiveStatus } from '../../model/account/live.ts';
import type { ToldField } from '../../model/account/told.ts';

export interface LivePublicIp extends LiveBase {
  readonly kind: 'publicIp';
  readonly status: ToldField<LiveStatus>;
  readonly address: ToldField<string | null>;
  readonly vmId: ToldField<string | null>;
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
