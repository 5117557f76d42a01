import configuration from './configuration.json' with { type: 'json' };
import { claimFile } from './claim-file.ts';
import { checkExpiry } from './check-expiry.ts';
import { checkTokens } from './check-tokens.ts';
import { formatLifetime, parseLifetime } from '../../model/text/lifetime.ts';
import type { ResolvedCommandOf } from '../../api/contract/codec.ts';
import type { LiveAccessToken } from './model.ts';
import type { ToldField } from '../../model/account/told.ts';
import type { ChangeReason } from '../../model/plan/plan.ts';
import { textOf, textsOf, type Attributes, type Value } from '../../model/value.ts';
import type { Kind } from '../kind.ts';
import { combineLikeness, compareToldSets, type ToldMatch } from '../told.ts';
import { tokenShownOnce } from './shown-once.ts';
import { accessTokenWire } from './wire.ts';

/** Tolerance for the end of a token that is given by a lifetime: the request takes time, and clocks differ. */
const clockToleranceMs = 24 * 3_600_000;

/** The end of a live token, spelled as in the configuration where both mean the same moment. */
function readEnd(
  { expiresAt }: LiveAccessToken,
  desired: Value | undefined,
): ToldField<string | null> {
  if (expiresAt === null || expiresAt === undefined) return expiresAt;
  const isSame = typeof desired === 'string' && Math.abs(Date.parse(desired) - expiresAt) < 1_000;
  return isSame ? desired : new Date(expiresAt).toISOString();
}

/** Lifetime of a live token, spelled as in the configuration where both mean about the same. */
function readLifetime(live: LiveAccessToken, desired: Value | undefined): ToldField<Value> {
  const { expiresAt, createdAt } = live;
  if (expiresAt === undefined) return undefined;
  if (typeof desired !== 'string' || expiresAt === null) return null;
  // Without the time of its creation the lifetime cannot be computed: the configured one is believed.
  if (createdAt === null) return desired;
  const wantedMs = parseLifetime(desired) ?? 0;
  const livesMs = expiresAt - createdAt;
  const isSame = Math.abs(livesMs - wantedMs) <= Math.min(clockToleranceMs, wantedMs / 10);
  return isSame ? desired : formatLifetime(livesMs);
}

/** Reads the expiry of a token from the state's record. */
function readRecordedEnd({ expiresAt }: Attributes): ToldField<number | null> {
  if (expiresAt === null) return null;
  return typeof expiresAt === 'string' ? Date.parse(expiresAt) : undefined;
}

/** The reason why a token has to be replaced by one like it. A fixed end is no reason: the new token would end then, too. */
function findEnd(before: Attributes, desired: Attributes, now: number): ChangeReason | undefined {
  const { expiresAt } = before;
  if (typeof expiresAt !== 'string' || typeof desired.expiresIn !== 'string') return undefined;
  const leftMs = Date.parse(expiresAt) - now;
  if (leftMs <= 0) return 'expired';
  const rotateMs = parseLifetime(textOf(desired, 'rotateBefore')) ?? 0;
  return leftMs <= rotateMs ? 'rotation-due' : undefined;
}

/** Ends of tokens that repeated requests asked for lie at most so far apart. */
const sameEndMs = 2 * 3_600_000;

function compareTokens(
  live: LiveAccessToken,
  { scopes, expiresAt }: ResolvedCommandOf<'createToken'>,
): ToldMatch {
  return combineLikeness([
    compareToldSets(live.scopes, scopes),
    compareEnds(live.expiresAt, expiresAt),
  ]);
}

function compareEnds(told: LiveAccessToken['expiresAt'], asked: string | null): ToldMatch {
  if (told === undefined) return 'untold';
  const isSame =
    asked === null || told === null
      ? asked === told
      : Math.abs(Date.parse(asked) - told) <= sameEndMs;
  return isSame ? 'same' : 'other';
}

/**
 * An access token of the account. Its value is shown once, when it is made, so a replacement is made and its value kept
 * before the old token is revoked. Rotation and the place of the value are decided here alone: the service knows nothing of
 * them.
 */
export const accessToken: Kind<'accessToken'> = {
  name: 'accessToken',
  label: 'access token',
  article: 'an',
  configuration,
  wire: accessTokenWire,
  scopes: () => ['tokens'],
  commands: {
    createToken: { procedure: tokenShownOnce, compareUnchanging: compareTokens },
    renameToken: { sets: ['name'] },
    deleteToken: {},
  },
  fields: {
    name: {
      effect: 'update',
      cap: { name: 'accessToken', at: 'maxAccessTokenNameLength', label: 'access token name' },
    },
    scopes: { effect: 'replace', isSet: true, isEssential: true, isRequired: true },
    expiresIn: { effect: 'replace' },
    // A token without a configured end never expires; another end needs another token.
    expiresAt: { effect: 'replace', initial: { value: null, unless: 'expiresIn' } },
    rotateBefore: { effect: 'update' },
    writeTo: { effect: 'update', isLocal: true, type: 'map', isRequired: true },
  },
  computed: ['id', 'expiresAt'],
  references: () => [],
  claims: ({ attributes }) => [`access token name ${textOf(attributes, 'name')}`],
  quota: () => ({ accessTokens: 1 }),
  derive: (attributes) =>
    'expiresAt' in attributes ? { expiresAt: attributes.expiresAt ?? null } : {},
  read: (live, _names, desired) => ({
    id: live.id,
    name: live.name,
    scopes: live.scopes,
    expiresIn: readLifetime(live, desired?.expiresIn),
    expiresAt: readEnd(live, desired?.expiresAt),
    rotateBefore: desired?.rotateBefore ?? null,
    writeTo: desired?.writeTo ?? null,
  }),
  fromRecord: (recorded) => ({
    name: recorded.text('name'),
    scopes: recorded.texts('scopes'),
    expiresAt: readRecordedEnd(recorded.attributes),
  }),
  create: (after) => [
    {
      kind: 'createToken',
      name: textOf(after, 'name'),
      scopes: textsOf(after, 'scopes'),
      expiresAt: typeof after.expiresAt === 'string' ? after.expiresAt : null,
      expiresIn: typeof after.expiresIn === 'string' ? after.expiresIn : null,
    },
  ],
  update: ({ fields, after }, { self }) =>
    fields.has('name')
      ? [{ kind: 'renameToken', accessToken: self, name: textOf(after, 'name') }]
      : [],
  destroy: ({ self }) => [{ kind: 'deleteToken', accessToken: self }],
  traits: {
    // Reading the account counts as a use of the token that reads.
    credential: { findEnd, withoutUse: (live) => ({ ...live, lastUsedAt: null }) },
    believedList: true,
    signs: ({ name, scopes, expiresAt }) => ({ name, scopes: scopes?.toSorted(), expiresAt }),
    identifiedBy: ['name', 'scopes'],
    attributesOf: { 'token.scopes': ['scopes'], 'token.expiresAt': ['expiresIn', 'expiresAt'] },
    quotas: {
      accessTokens: {
        label: 'access tokens',
        name: 'access tokens',
        unit: '',
        at: ['accessTokens'],
      },
    },
    checks: { fields: checkExpiry, plan: checkTokens },
    claimsOnce: claimFile,
  },
};
