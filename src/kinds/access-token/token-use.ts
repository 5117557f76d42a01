import type { AccessToken } from '../../model/account/account.ts';

/** Certainty that a token of the account is the one that this run itself uses. */
export type OwnTokenCertainty = 'certain' | 'likely' | 'unlikely';

interface UsedToken extends Pick<AccessToken, 'id' | 'lastUsedAt'> {
  readonly expiresAt?: number | null | undefined;
}

/**
 * Classifies whether a token is the one that this run uses. The service does not say: it is the only one that works, or the
 * one that was used last, since listing the tokens was just now.
 */
export function classifyOwnToken(
  token: UsedToken,
  tokens: readonly UsedToken[],
  now: number,
): OwnTokenCertainty {
  const working = tokens.filter(
    ({ expiresAt }) => typeof expiresAt !== 'number' || expiresAt > now,
  );
  if (working.length === 1 && working[0]?.id === token.id) return 'certain';
  const lastUse = Math.max(...working.map(({ lastUsedAt }) => lastUsedAt ?? 0));
  return lastUse === 0 || (token.lastUsedAt ?? 0) >= lastUse - lastUseGrainMs
    ? 'likely'
    : 'unlikely';
}

/** Steps in which a service may note the last use of a token; milliseconds. */
const lastUseGrainMs = 5 * 60_000;
