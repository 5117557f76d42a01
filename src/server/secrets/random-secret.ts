import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Makes a secret of 32 random bytes, with a prefix that tells people and scanners the kind of secret. */
export function makeSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/** Hash of a secret, for the database. The secret is random and long, so that one round is enough. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares two secrets, in the same time whatever they have in common. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hashSecret(one), hashSecret(other));
}
