// The model of the account's settings: their live record, and the commands about them.
import type { LiveRecordBase } from '../../model/account/live.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';

/** The settings of the account itself, which every account has once. */
export interface LiveAccount extends LiveRecordBase {
  readonly kind: 'account';
  /** Language of the account as a BCP 47 tag, such as `de-CH`. */
  readonly locale: ReportedOrUntoldField<string>;
  /** Delivery of notifications, on or off, by name. */
  readonly notifications: Readonly<Record<string, boolean>>;
}

declare module '../../model/account/live.ts' {
  interface LiveRecords {
    readonly account: LiveAccount;
  }
}

declare module '../../model/account/command.ts' {
  interface CommandFields<R> {
    readonly updateAccountLocale: { readonly account: R; readonly locale: string };
    readonly updateNotificationPreferences: {
      readonly account: R;
      /** Only the preferences that are to change; the others stay as they are when the request is sent. */
      readonly preferences: Readonly<Record<string, boolean>>;
    };
  }
}
