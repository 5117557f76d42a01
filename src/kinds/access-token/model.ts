// The model of an access token: its live record, and the commands about it.
import type { LiveRecordBase } from '../../model/account/live.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';
import type { AccessToken } from '../../model/account/account.ts';

/** An access token. Its value is no part of the record: it is shown once, when the token is made. Times as in `AccessToken`. */
export interface LiveAccessToken extends LiveRecordBase, Pick<AccessToken, 'lastUsedAt'> {
  readonly kind: 'accessToken';
  readonly name: ReportedOrUntoldField<string>;
  readonly scopes: ReportedOrUntoldField<readonly string[]>;
  readonly expiresAt: ReportedOrUntoldField<number | null>;
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
      /** End of the token, in ISO 8601; null for a token that never ends, or that has `expiresIn`. */
      readonly expiresAt: string | null;
      /** Lifetime of the token, counted from the request, e.g. `90d`; null for a token that has `expiresAt`. */
      readonly expiresIn: string | null;
    };
    readonly renameToken: { readonly accessToken: R; readonly name: string };
    readonly deleteToken: { readonly accessToken: R };
  }
}
