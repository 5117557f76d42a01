import { listAccessTokens } from '../account/access-tokens.ts';
import { classifyRefusal } from '../../api/errors/classify-error.ts';
import { describeError } from '../../api/errors/describe-error.ts';
import { ApiError, ServiceError } from '../../api/errors/errors.ts';
import type { ServiceCaller } from '../../api/wire/caller.ts';
import {
  areKnownTokenScopes,
  findMissingTokenScopes,
  findNeededTokenScopes,
  tokenScopeCheckRequests,
} from '../../kinds/access-token/token-scopes.ts';
import { classifyOwnToken } from '../../kinds/access-token/token-use.ts';
import type { AccessToken } from '../../model/account/account.ts';
import type { DoctorCheckUp } from '../../model/account/check-up.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { Runtime } from '../../model/runtime.ts';
import { formatTime } from '../../render/format/moment.ts';
import { makeFailedCheckUp, makeSkippedCheckUp } from './make-check-up.ts';

/** Input of the check of a token: the token, a client that uses it, and the first answer. */
export interface TokenToExamine {
  readonly runtime: Pick<Runtime, 'clock'>;
  readonly caller: ServiceCaller;
  /** Refusal of a request with the token; undefined for a request that succeeded. */
  readonly error: ApiError | undefined;
  readonly resources: readonly DesiredResource[] | undefined;
}

/** Permissions of a token, as far as the service tells them. */
type Granted =
  | { readonly kind: 'told'; readonly candidates: readonly AccessToken[] }
  | { readonly kind: 'tried'; readonly scopes: readonly string[] }
  | { readonly kind: 'unknown'; readonly error: ApiError };

/** Checks that the service accepts the token, when it expires, and that it has the scopes that the configuration needs. */
export async function examineToken(subject: TokenToExamine): Promise<readonly DoctorCheckUp[]> {
  const { error, caller, runtime } = subject;
  if (error instanceof ServiceError && classifyRefusal(error) === 'unauthorized') {
    return [
      makeFailedCheckUp('token', 'failure', describeError(error)),
      { name: 'scopes', outcome: 'skipped', summary: 'The service does not accept the token' },
    ];
  }
  const now = runtime.clock.now();
  const granted = await findGranted(caller, now);
  // Neither answer tells whether the token is accepted: it was asked too often.
  if (error && !isForbidden(error) && granted.kind === 'unknown') {
    return [
      makeSkippedCheckUp(
        'token',
        'A token is set, and could not be tried: the service asks for fewer requests',
      ),
      makeSkippedCheckUp('scopes', 'The service asks for fewer requests'),
    ];
  }
  return [examineEnd(granted, now), examineScopes(granted, subject.resources)];
}

async function findGranted(caller: ServiceCaller, now: number): Promise<Granted> {
  try {
    const tokens = await listAccessTokens(caller);
    const candidates = tokens.filter((one) => classifyOwnToken(one, tokens, now) !== 'unlikely');
    return { kind: 'told', candidates };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!isForbidden(error)) return { kind: 'unknown', error };
    return { kind: 'tried', scopes: await tryReads(caller) };
  }
}

function isForbidden(error: ApiError): boolean {
  return error instanceof ServiceError && classifyRefusal(error) === 'forbidden';
}

/** Tries one read for each scope, for a token that may not list tokens. */
async function tryReads(caller: ServiceCaller): Promise<readonly string[]> {
  const tried = await Promise.all(
    tokenScopeCheckRequests.map(async ([scope, request]) => {
      try {
        await caller.call(request);
        return [scope];
      } catch (error) {
        if (error instanceof ApiError) return isForbidden(error) ? [] : [scope];
        throw error;
      }
    }),
  );
  return tried.flat();
}

const soonMs = 7 * 86_400_000;

function examineEnd(granted: Granted, now: number): DoctorCheckUp {
  const name = 'token';
  const accepted = { name, outcome: 'ok', summary: 'The service accepts it' } as const;
  if (granted.kind !== 'told') return accepted;
  const [only, another] = granted.candidates;
  if (!only || another || only.expiresAt === null) return accepted;
  const summary = `The service accepts it, until ${formatTime(only.expiresAt)}`;
  if (only.expiresAt - now > soonMs) return { ...accepted, summary };
  return makeFailedCheckUp(name, 'warning', {
    code: 'token-ends',
    summary,
    detail: 'That is less than a week away.',
    hint: 'Make another one in time: hostwright tokens create NAME --scopes full --out FILE.',
  });
}

function examineScopes(
  granted: Granted,
  resources: readonly DesiredResource[] | undefined,
): DoctorCheckUp {
  const name = 'scopes';
  if (granted.kind === 'unknown') {
    const { detail } = describeError(granted.error);
    const summary = 'The service does not report the scopes of the token';
    return makeFailedCheckUp(name, 'warning', {
      code: 'scopes-unknown',
      summary,
      ...(detail !== undefined && { detail }),
    });
  }
  const sets =
    granted.kind === 'told' ? granted.candidates.map((one) => one.scopes) : [granted.scopes];
  const has = [...new Set(sets.map((scopes) => [...scopes].sort().join(', ') || 'none'))].join(
    '; or ',
  );
  if (!resources) {
    const summary = `It has ${has}; what it needs, the configuration cannot tell`;
    return { name, outcome: 'skipped', summary };
  }
  const needed = findNeededTokenScopes(resources);
  const missing = sets.map((scopes) => findMissingTokenScopes(needed, scopes));
  if (missing.length > 0 && missing.every((one) => one.length === 0)) {
    return { name, outcome: 'ok', summary: `${has}: all that the configuration needs` };
  }
  const isSure =
    sets.length > 0 && missing.every((one) => one.length > 0) && sets.every(areKnownTokenScopes);
  const lacks = [...new Set(missing.flat())].join(', ');
  return makeFailedCheckUp(name, isSure ? 'failure' : 'warning', {
    code: 'scopes-missing',
    summary: isSure ? `The token lacks ${lacks}` : `The token may lack ${lacks}`,
    detail: isSure
      ? `It has ${has}. The configuration also needs ${lacks}.`
      : `Which token of the account this one is, or what its scopes mean, is not certain: it has ${has}.`,
    hint: 'Use a token with these scopes, or one with full access.',
  });
}
