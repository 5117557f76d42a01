import type { AccessToken } from '../../model/account/account.ts';

/** How sure it is that a token is the one that asks. */
export type TokenUse = 'certain' | 'likely' | 'unlikely';

interface UsedToken extends Pick<AccessToken, 'id' | 'lastUsedAt'> {
  readonly expiresAt?: number | null | undefined;
}

/**
 * Whether a token is the one that asks. The service does not say: it is the only one that works, or the one that was
 * used last, since listing the tokens was just now.
 */
export function classifyUse(token: UsedToken, tokens: readonly UsedToken[], now: number): TokenUse {
  const working = tokens.filter(
    ({ expiresAt }) => typeof expiresAt !== 'number' || expiresAt > now,
  );
  if (working.length === 1 && working[0]?.id === token.id) return 'certain';
  const lastUse = Math.max(...working.map(({ lastUsedAt }) => lastUsedAt ?? 0));
  return lastUse === 0 || (token.lastUsedAt ?? 0) >= lastUse - lastUseGrainMs
    ? 'likely'
    : 'unlikely';
}

/** How coarsely a service may note the last use of a token. */
const lastUseGrainMs = 5 * 60_000;
