// The account beside its resources: its owner, access tokens, notifications and sales. In our own names; times are
// milliseconds since the Unix epoch, and null where the service does not say.
import type { ReportedOrUntoldField } from './told.ts';

/** Facts about the account that the access token belongs to. */
export interface Account {
  readonly email: string;
  /** Language of the account as a BCP 47 tag, such as `de-CH`. */
  readonly locale: string;
  readonly createdAt: number | null;
}

/** An access token, without its value: that is shown once, when it is made. */
export interface AccessToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Expiry of the token, in milliseconds since the Unix epoch; null when it never expires. */
  readonly expiresAt: number | null;
  readonly createdAt: number | null;
  /** Time of the token's last use, in milliseconds since the Unix epoch; null when it was never used. */
  readonly lastUsedAt: number | null;
}

/** A new access token with its value, which the service tells only once. */
export interface CreatedToken {
  readonly token: AccessToken;
  /** The secret itself. It goes to the place that the user names, and nowhere else. */
  readonly value: string;
}

/** An entry of the account's notification feed. */
export interface Notification {
  readonly id: string;
  /** `makeOperationFailure`, `quotaLow`, …; not all values are published. */
  readonly type: string;
  readonly title: string;
  readonly message: string;
  readonly resourceId: string | null;
  readonly isRead: boolean;
  readonly createdAt: number | null;
}

/** Preferences by name: for each kind of notification, whether it is also delivered, or only shown in the feed. */
export type NotificationPreferences = Readonly<Record<string, boolean>>;

/** A sale: the subscription by which the account pays for a resource. */
export interface Sale {
  readonly id: string;
  readonly resourceType: string;
  /** Id of the resource that is paid for; empty where the service does not return it. */
  readonly resourceId: string;
  readonly tariffId: string;
  /** Renewal setting of the sale: `active` or `cancelled`. */
  readonly renewal: ReportedOrUntoldField<string>;
  readonly paidUntil: number | null;
}
