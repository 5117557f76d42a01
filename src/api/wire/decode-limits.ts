import {
  quotaNames,
  type AccountLimits,
  type MaximumNameLengths,
  type Quota,
} from '../../model/account/live.ts';
import {
  readWireCount,
  readWireNumber,
  readWireRecord,
  UnreadableAnswerError,
} from '../../model/wire/decode-fields.ts';
import type { ResourceKindCodecs, QuotaFieldPath } from '../contract/codec.ts';
import type { WireLimits, WireNameLengthLimits, WireResourceQuota } from '../contract/types.ts';
import { isJsonObject } from '../../model/json-object.ts';

/**
 * The caps of the account. A quota that is missing or unreadable is left out and will not be checked.
 * @throws UnreadableAnswerError for a record of something else, with none of their fields
 */
export function decodeAccountLimits(wire: unknown, kinds: ResourceKindCodecs): AccountLimits {
  const record = readWireRecord<WireLimits>(wire, 'the limits');
  const fields = new Map(
    Object.values(kinds).flatMap(({ traits: { quotas = {} } }) =>
      Object.entries(quotas).map(([name, { at }]) => [name, at]),
    ),
  );
  const known = ['maxSshKeysPerProject', ...[...fields.values()].map(([first]) => first)];
  const names = Object.keys(record);
  if (names.length > 0 && !names.some((name) => known.includes(name))) {
    throw new UnreadableAnswerError('an object without any limit');
  }
  const found = quotaNames.map(
    (name) => [name, decodeQuota(findField(record, fields.get(name)))] as const,
  );
  const ofKeys: QuotaFieldPath = ['maxSshKeysPerProject'];
  const belowZero = [ofKeys, ...fields.values()].flatMap((path) => {
    const limit = readLimitBelowZero(findField(record, path));
    return limit === null ? [] : [[path.join('.'), limit] as const];
  });
  return {
    quotas: Object.fromEntries(found.filter(([, quota]) => quota !== null)),
    maxSshKeysPerProject: readWireCount(record.maxSshKeysPerProject),
    ...(belowZero.length > 0 && { belowZero: Object.fromEntries(belowZero) }),
  };
}

/** A limit below zero; null for any other, and for -1, by which many services say that there is none. */
function readLimitBelowZero(wire: unknown): number | null {
  const limit = readWireNumber(isJsonObject(wire) ? wire.limit : wire);
  return limit !== null && limit < 0 && limit !== -1 ? limit : null;
}

function findField(record: unknown, path: QuotaFieldPath | undefined): unknown {
  return path?.reduce<unknown>(
    (within, name) => (isJsonObject(within) ? within[name] : null),
    record,
  );
}

/** A quota object, or a plain number that is its limit; null when there is no limit in it. */
function decodeQuota(wire: unknown): Quota | null {
  const plain = readWireCount(wire);
  if (plain !== null) return { limit: plain, used: null, remaining: null };
  if (!isJsonObject(wire)) return null;
  const record = readWireRecord<WireResourceQuota>(wire, 'a quota');
  const limit = readWireCount(record.limit);
  if (limit === null) return null;
  return { limit, used: readWireCount(record.used), remaining: readWireCount(record.remaining) };
}

/** The longest names that the service takes, in its own order; null for each that it does not say. */
export function decodeNameLengthCaps(wire: unknown, kinds: ResourceKindCodecs): MaximumNameLengths {
  const record = readWireRecord<WireNameLengthLimits>(wire, 'the name lengths');
  const names = new Map<string, string>(
    Object.values(kinds).flatMap(({ fields }) =>
      Object.values(fields).flatMap(({ cap }) => (cap ? [[cap.at, cap.name]] : [])),
    ),
  );
  const lengths: Record<string, number | null> = {};
  const belowZero: Record<string, number> = {};
  for (const [field, length] of Object.entries(record)) {
    const name = names.get(field);
    if (name === undefined) continue;
    // No name has a length of 0: that means that there is no limit.
    lengths[name] = readWireCount(length) || null;
    const below = readLimitBelowZero(length);
    if (below !== null) belowZero[field] = below;
  }
  for (const name of names.values()) lengths[name] ??= null;
  // The kinds together name every length: each of their caps is typed as a key of it.
  const told = lengths as unknown as MaximumNameLengths;
  return Object.keys(belowZero).length > 0 ? { ...told, belowZero } : told;
}
