// The model of an SSH key: its live record, and the commands about it.
import type { LiveRecordBase } from '../../model/account/live.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';

export interface LiveSshKey extends LiveRecordBase {
  readonly kind: 'sshKey';
  readonly name: ReportedOrUntoldField<string>;
  readonly publicKey: ReportedOrUntoldField<string>;
  readonly fingerprint: ReportedOrUntoldField<string | null>;
}

declare module '../../model/account/live.ts' {
  interface LiveRecords {
    readonly sshKey: LiveSshKey;
  }
}

declare module '../../model/account/command.ts' {
  interface CommandFields<R> {
    readonly createSshKey: {
      readonly project: R;
      readonly name: string;
      readonly publicKey: string;
    };
    readonly renameSshKey: { readonly project: R; readonly sshKey: R; readonly name: string };
    readonly deleteSshKey: { readonly project: R; readonly sshKey: R };
  }
}
