// What the model holds of the settings of the account: its live record, and what can be asked of the service about it.
import type { LiveBase } from '../../model/account/live.ts';
import type { Told } from '../../model/account/told.ts';

/** The settings of the account itself. There is always one. */
export interface LiveAccount extends LiveBase {
  readonly kind: 'account';
  /** A BCP 47 language tag. */
  readonly locale: Told<string>;
  /** Which notifications are delivered, by name. */
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
      /** Only those that are to change; the others stay as they are when it is sent. */
      readonly preferences: Readonly<Record<string, boolean>>;
    };
  }
}
