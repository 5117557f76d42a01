import configuration from './configuration.json' with { type: 'json' };
import { claimFile } from './claim-file.ts';
import { checkExpiry } from './check-expiry.ts';
import { checkTokens } from './check-tokens.ts';
import { formatLifetime, parseLifetime } from './lifetime.ts';
import type { ResolvedCommandOf } from '../../api/contract/codec.ts';
import type { LiveAccessToken } from './model.ts';
import type { Told } from '../../model/account/told.ts';
import type { ChangeReason } from '../../model/plan/plan.ts';
import { textOf, textsOf, type Attributes, type Value } from '../../model/value.ts';
import type { Kind } from '../kind.ts';
import { combineLikeness, compareToldSets, type ToldMatch } from '../told.ts';
import { tokenShownOnce } from './shown-once.ts';
import { accessTokenWire } from './wire.ts';

/** So far a lifetime may be off by the time that a request took and by clocks that differ, and be the same. */
const clockToleranceMs = 24 * 3_600_000;

/** The end as the configuration writes it, when it means the same moment. */
function readEnd({ expiresAt }: LiveAccessToken, desired: Value | undefined): Told<string | null> {
  if (expiresAt === null || expiresAt === undefined) return expiresAt;
  const isSame = typeof desired === 'string' && Math.abs(Date.parse(desired) - expiresAt) < 1_000;
  return isSame ? desired : new Date(expiresAt).toISOString();
}

/** How long it was made for, as the configuration writes it when it means about the same. */
function readLifetime(live: LiveAccessToken, desired: Value | undefined): Told<Value> {
  const { expiresAt, createdAt } = live;
  if (expiresAt === undefined) return undefined;
  if (typeof desired !== 'string' || expiresAt === null) return null;
  // Without the time of its creation nobody can tell: then it is believed to be as it was asked for.
  if (createdAt === null) return desired;
  const wantedMs = parseLifetime(desired) ?? 0;
  const livesMs = expiresAt - createdAt;
  const isSame = Math.abs(livesMs - wantedMs) <= Math.min(clockToleranceMs, wantedMs / 10);
  return isSame ? desired : formatLifetime(livesMs);
}

/** When it ends, by what the state recorded. */
function readRecordedEnd({ expiresAt }: Attributes): Told<number | null> {
  if (expiresAt === null) return null;
  return typeof expiresAt === 'string' ? Date.parse(expiresAt) : undefined;
}

/** Why it has to give way to a new one of the same kind. A fixed end is no reason: a new one would end then, too. */
function findEnd(before: Attributes, desired: Attributes, now: number): ChangeReason | undefined {
  const { expiresAt } = before;
  if (typeof expiresAt !== 'string' || typeof desired.expiresIn !== 'string') return undefined;
  const leftMs = Date.parse(expiresAt) - now;
  if (leftMs <= 0) return 'expired';
  const rotateMs = parseLifetime(textOf(desired, 'rotateBefore')) ?? 0;
  return leftMs <= rotateMs ? 'rotation-due' : undefined;
}

/** So far apart the ends of tokens may lie that were asked for again and again. */
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
 * An access token of the account. Its value is shown once, when it is made, so a replacement is made and its value
 * kept before the old one is revoked. Where the value goes and when it is rotated is decided here alone: the service knows
 * nothing of it.
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
    // Without an end it never ends, and one that has an end is another.
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
    // Reading the account is a use of the token that reads.
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
