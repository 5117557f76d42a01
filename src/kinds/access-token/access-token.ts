import type { ResolvedCommandOf } from '../../api/contract/codec.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { locateFinding } from '../../model/place-of.ts';
import type { ChangeReason, Change } from '../../model/plan/plan.ts';
import { formatSourcePlace } from '../../model/source.ts';
import { formatLifetime, parseLifetime } from '../../model/text/lifetime.ts';
import {
  readAttributeText,
  readAttributeTextList,
  type Attributes,
  type Value,
} from '../../model/value.ts';
import type { OneTimeSecretCreate } from '../command-facts.ts';
import type { KindCheck, KindCheckInput } from '../kind-check.ts';
import type { ResourceKind } from '../kind.ts';
import { combineToldMatches, compareToldSets, type ToldValueMatch } from '../told.ts';
import type { FieldFault, EvaluatedFields, ExclusiveClaim } from '../traits.ts';
import configuration from './configuration.json' with { type: 'json' };
import type { LiveAccessToken } from './model.ts';
import { classifyOwnToken } from './token-use.ts';
import { accessTokenWireFormat, decodeCreatedAccessToken, decodeLiveAccessToken } from './wire.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { readSecretDestination } from '../../model/write-to.ts';

/** Faults of planned access tokens: the token in use is revoked, an end is in the past, a value is written nowhere. */
export const checkAccessTokens: KindCheck = (input) =>
  input.plan.changes.flatMap((change) =>
    change.kind === 'accessToken'
      ? [...guardOwnToken(change, input), ...checkEnd(change, input), ...noteAdopted(change, input)]
      : [],
  );

/**
 * Finds a change to the token that this run uses. The service does not say which token asks: it is the only one that works,
 * or the one that was used last.
 */
function guardOwnToken(
  { address, action, id }: Change,
  { live, desired, planOptions, plannedAt }: KindCheckInput,
): Finding[] {
  if (plannedAt === undefined || (action !== 'delete' && action !== 'replace')) return [];
  const tokens = live.resources.filter((one): one is LiveAccessToken => one.kind === 'accessToken');
  const token = tokens.find((one) => one.id === id);
  const use = token ? classifyOwnToken(token, tokens, plannedAt) : 'unlikely';
  if (use === 'unlikely') return [];
  const isSure = use === 'certain';
  const isForced = planOptions?.isForced === true;
  return [
    {
      severity: isSure && !isForced ? 'error' : 'warning',
      code: 'own-token',
      summary: `${address} ${isSure ? 'is' : 'may be'} the token that Hostwright itself is using, and this plan revokes it`,
      detail: isSure
        ? 'It is the only valid token. The service would refuse all changes after its revocation.'
        : 'It was used within the last minutes. If it is the one, the service refuses all changes after its revocation.',
      hint:
        isSure && !isForced
          ? 'Run with another token, or use --force.'
          : 'Make sure that HOSTWRIGHT_TOKEN is another one.',
      address,
      ...locateFinding(desired.get(address)),
    },
  ];
}

/** A fixed end in the past: the service would refuse to make the token, and an existing one no longer works. */
function checkEnd({ address, action }: Change, input: KindCheckInput): Finding[] {
  const { plannedAt, desired } = input;
  const resource = desired.get(address);
  const end = resource?.attributes.expiresAt;
  if (plannedAt === undefined || typeof end !== 'string' || Date.parse(end) > plannedAt) return [];
  const isMade = action === 'create' || action === 'replace';
  return [
    {
      severity: isMade ? 'error' : 'warning',
      code: 'expiry-past',
      summary: isMade ? 'The token would have expired already' : 'The token has expired',
      detail: `Its expiresAt is ${end}.`,
      hint: 'Give a time in the future, or expiresIn.',
      ...locateFinding(resource, 'expiresAt'),
    },
  ];
}

function noteAdopted(
  { address, isImported, action }: Change,
  { desired }: KindCheckInput,
): Finding[] {
  if (!isImported || action === 'replace') return [];
  return [
    {
      severity: 'note',
      code: 'value-unknown',
      summary: `The value of ${address} cannot be written again: the service shows it only once`,
      hint: 'Keep your copy of the value, or create a new token with --replace.',
      address,
      ...locateFinding(desired.get(address), 'writeTo'),
    },
  ];
}

const code = 'invalid-expiry';

function readLifetimeMs(fields: EvaluatedFields, name: string): number | undefined {
  const text = fields.textOf(name);
  return text === undefined ? undefined : parseLifetime(text);
}

function checkEnds(fields: EvaluatedFields): FieldFault[] {
  if (!fields.has('expiresIn') || !fields.has('expiresAt')) return [];
  return [
    {
      field: 'expiresAt',
      code,
      summary: 'A token has either `expiresIn` or `expiresAt`',
      detail: `Its \`expiresIn\` is at ${formatSourcePlace(fields.sourceOf('expiresIn'))}.`,
      hint: 'Remove one of the two.',
    },
  ];
}

function checkLifetime(fields: EvaluatedFields): FieldFault[] {
  if (readLifetimeMs(fields, 'expiresIn') !== 0) return [];
  return [
    {
      field: 'expiresIn',
      code,
      summary: 'The lifetime of a token cannot be zero',
      detail: 'Got nothing.',
      hint: 'Write for example 90d.',
    },
  ];
}

function checkRotation(fields: EvaluatedFields): FieldFault[] {
  const rotatesMs = readLifetimeMs(fields, 'rotateBefore');
  const livesMs = readLifetimeMs(fields, 'expiresIn');
  if (rotatesMs === undefined) return [];
  if (!fields.has('expiresIn')) {
    return [
      {
        field: 'rotateBefore',
        code,
        summary: '`rotateBefore` needs `expiresIn`',
        detail: 'A new token would end at the same time as the old one, or neither of them would.',
        hint: 'Use `expiresIn` to set the lifetime of each token.',
      },
    ];
  }
  if (livesMs === undefined || rotatesMs < livesMs) return [];
  return [
    {
      field: 'rotateBefore',
      code,
      summary: '`rotateBefore` is not shorter than `expiresIn`',
      detail: 'Every plan would replace the token.',
      hint: 'Shorten it, for example to a tenth of the lifetime.',
    },
  ];
}

/** Faults of the ends that the configuration gives tokens: ends that no token can have. */
export function checkTokenExpiry(fields: EvaluatedFields): readonly FieldFault[] {
  return [...checkEnds(fields), ...checkLifetime(fields), ...checkRotation(fields)];
}

/** The procedure of a token's create: only its answer has the token's value. */
export const accessTokenCreateProcedure: OneTimeSecretCreate<'accessToken', 'createToken'> = {
  kind: 'shown-once',
  sendAt(command, now) {
    const { expiresIn } = command;
    const livesMs = expiresIn === null ? undefined : parseLifetime(expiresIn);
    if (livesMs === undefined) return command;
    return { ...command, expiresAt: new Date(now + livesMs).toISOString() };
  },
  decode(wire) {
    return { live: decodeLiveAccessToken(wire), secret: decodeCreatedAccessToken(wire).value };
  },
  describeLost: ({ why, isRevoked }, sink) => ({
    severity: 'error',
    code: 'token-not-saved',
    summary: `The value of the new token could not be passed to ${sink}`,
    detail: `${why} ${
      isRevoked
        ? 'The new token was revoked again; one from before still works.'
        : 'The new token could not be revoked; the next run does so.'
    }`,
    hint: 'Fix the target of writeTo, then apply again.',
  }),
};

/** Tolerance for the end of a token that is given by a lifetime: the request takes time, and clocks differ. */
const clockToleranceMs = 24 * 3_600_000;

/** The end of a live token, spelled as in the configuration where both mean the same moment. */
function readEnd(
  { expiresAt }: LiveAccessToken,
  desired: Value | undefined,
): ReportedOrUntoldField<string | null> {
  if (expiresAt === null || expiresAt === undefined) return expiresAt;
  const isSame = typeof desired === 'string' && Math.abs(Date.parse(desired) - expiresAt) < 1_000;
  return isSame ? desired : new Date(expiresAt).toISOString();
}

/** Lifetime of a live token, spelled as in the configuration where both mean about the same. */
function readLifetime(
  live: LiveAccessToken,
  desired: Value | undefined,
): ReportedOrUntoldField<Value> {
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
function readRecordedEnd({ expiresAt }: Attributes): ReportedOrUntoldField<number | null> {
  if (expiresAt === null) return null;
  return typeof expiresAt === 'string' ? Date.parse(expiresAt) : undefined;
}

/** The reason why a token has to be replaced by one like it. A fixed end is no reason: the new token would end then, too. */
function findEnd(before: Attributes, desired: Attributes, now: number): ChangeReason | undefined {
  const { expiresAt } = before;
  if (typeof expiresAt !== 'string' || typeof desired.expiresIn !== 'string') return undefined;
  const leftMs = Date.parse(expiresAt) - now;
  if (leftMs <= 0) return 'expired';
  const rotateMs = parseLifetime(readAttributeText(desired, 'rotateBefore')) ?? 0;
  return leftMs <= rotateMs ? 'rotation-due' : undefined;
}

/** Ends of tokens that repeated requests asked for lie at most so far apart. */
const sameEndMs = 2 * 3_600_000;

function compareTokens(
  live: LiveAccessToken,
  { scopes, expiresAt }: ResolvedCommandOf<'createToken'>,
): ToldValueMatch {
  return combineToldMatches([
    compareToldSets(live.scopes, scopes),
    compareEnds(live.expiresAt, expiresAt),
  ]);
}

function compareEnds(told: LiveAccessToken['expiresAt'], asked: string | null): ToldValueMatch {
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
export const accessTokenKind: ResourceKind<'accessToken'> = {
  name: 'accessToken',
  label: 'access token',
  article: 'an',
  configuration,
  wire: accessTokenWireFormat,
  scopes: () => ['tokens'],
  commands: {
    createToken: { procedure: accessTokenCreateProcedure, compareUnchanging: compareTokens },
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
  claims: ({ attributes }) => [`access token name ${readAttributeText(attributes, 'name')}`],
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
      name: readAttributeText(after, 'name'),
      scopes: readAttributeTextList(after, 'scopes'),
      expiresAt: typeof after.expiresAt === 'string' ? after.expiresAt : null,
      expiresIn: typeof after.expiresIn === 'string' ? after.expiresIn : null,
    },
  ],
  update: ({ fields, after }, { self }) =>
    fields.has('name')
      ? [{ kind: 'renameToken', accessToken: self, name: readAttributeText(after, 'name') }]
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
    checks: { fields: checkTokenExpiry, plan: checkAccessTokens },
    claimsOnce: claimTokenFile,
  },
};

/** The file that a configured token's value is written to: only one token can claim it. */
function claimTokenFile({ attributes }: DesiredResource): readonly ExclusiveClaim[] {
  const { file } = readSecretDestination(attributes);
  if (file === undefined) return [];
  return [
    {
      id: file,
      isPath: true,
      attribute: 'writeTo',
      code: 'duplicate-file',
      summary: `Two access tokens are written to \`${file}\``,
      hint: 'Give each a file of its own, for example `secrets/${each.key}.token`.',
    },
  ];
}
