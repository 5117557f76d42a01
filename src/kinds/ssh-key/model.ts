// The model of an SSH key: its live record, and the commands about it.
import type { LiveBase } from '../../model/account/live.ts';
import type { ToldField } from '../../model/account/told.ts';

export interface LiveSshKey extends LiveBase {
  readonly kind: 'sshKey';
  readonly name: ToldField<string>;
  readonly publicKey: ToldField<string>;
  readonly fingerprint: ToldField<string | null>;
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
