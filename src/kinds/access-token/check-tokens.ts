import { classifyTokenUse } from './token-use.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { LiveAccessToken } from './model.ts';
import type { Change } from '../../model/plan/plan.ts';
import { placeOf } from '../../model/place-of.ts';
import type { KindCheck, KindCheckInput } from '../kind-check.ts';

/** Faults of planned access tokens: the token in use is revoked, an end is in the past, a value is written nowhere. */
export const checkTokens: KindCheck = (input) =>
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
  const use = token ? classifyTokenUse(token, tokens, plannedAt) : 'unlikely';
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
      ...placeOf(desired.get(address)),
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
      ...placeOf(resource, 'expiresAt'),
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
      ...placeOf(desired.get(address), 'writeTo'),
    },
  ];
}
