// What the model holds of an access token: its live record, and what can be asked of the service about it.
import type { LiveBase } from '../../model/account/live.ts';
import type { Told } from '../../model/account/told.ts';
import type { AccessToken } from '../../model/account/account.ts';

/** An access token. Its value is shown once, when it is made, and is no part of it. Times as in `AccessToken`. */
export interface LiveAccessToken extends LiveBase, Pick<AccessToken, 'lastUsedAt'> {
  readonly kind: 'accessToken';
  readonly name: Told<string>;
  readonly scopes: Told<readonly string[]>;
  readonly expiresAt: Told<number | null>;
  readonly createdAt: number | null;
}

declare module '../../model/account/live.ts' {
  interface LiveRecords {
    readonly accessToken: LiveAccessToken;
  }
}

declare module '../../model/account/command.ts' {
  interface CommandFields<R> {
    readonly createToken: {
      readonly name: string;
      readonly scopes: readonly string[];
      /** When it ends, in ISO 8601; null for never, or for as `expiresIn` says. */
      readonly expiresAt: string | null;
      /** How long it lives, counted from when it is asked for, e.g. `90d`; null where `expiresAt` says. */
      readonly expiresIn: string | null;
    };
    readonly renameToken: { readonly accessToken: R; readonly name: string };
    readonly deleteToken: { readonly accessToken: R };
  }
}
