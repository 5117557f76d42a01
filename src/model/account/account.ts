// What an account has beside its resources: who it is, its tokens, its feed, what it pays for. In our own names; times
// are milliseconds since the Unix epoch, and null where the service does not say.
import type { Told } from './told.ts';

/** The account itself. */
export interface Account {
  readonly email: string;
  /** A BCP 47 language tag. */
  readonly locale: string;
  readonly createdAt: number | null;
}

/** An access token, without its value: that is shown once, when it is made. */
export interface AccessToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Null when it never expires. */
  readonly expiresAt: number | null;
  readonly createdAt: number | null;
  /** Null when it was never used. */
  readonly lastUsedAt: number | null;
}

/** A token just made, with its value. */
export interface CreatedToken {
  readonly token: AccessToken;
  /** The secret itself. It goes to one place, and nowhere else. */
  readonly value: string;
}

/** Something the service tells the account. */
export interface Notification {
  readonly id: string;
  /** `operationFailed`, `quotaLow`, …; not all values are published. */
  readonly type: string;
  readonly title: string;
  readonly message: string;
  readonly resourceId: string | null;
  readonly isRead: boolean;
  readonly createdAt: number | null;
}

/** Which notifications are delivered besides standing in the feed, by name. */
export type NotificationPreferences = Readonly<Record<string, boolean>>;

/** What the account pays for a resource. */
export interface Sale {
  readonly id: string;
  readonly resourceType: string;
  /** Empty where the service does not tell it. */
  readonly resourceId: string;
  readonly tariffId: string;
  /** `active` or `cancelled`. */
  readonly renewal: Told<string>;
  readonly paidUntil: number | null;
}
