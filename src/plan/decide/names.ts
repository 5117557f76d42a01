import { findCompanionResourceId } from '../../kinds/relations/brought.ts';
import type { LiveIdTranslator } from '../../kinds/names.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Attributes, Value } from '../../model/value.ts';
import { parseKnownAddress } from '../account-index.ts';
import type { DecisionContext } from './decision.ts';

/** Keys of referenced resources that are being replaced, by the id that `read` has in place of the key that `held` has. */
export function listReplacedResourceKeys(
  read: Attributes,
  held: Attributes,
): Pick<Change, 'replacedKeys'> {
  const differing = Object.keys(read).filter((name) => read[name] !== held[name]);
  const pairs = differing.flatMap((name) => {
    const value = read[name] ?? null;
    const key = held[name];
    if (Array.isArray(value) && Array.isArray(key)) return zip(value, key);
    return [[value, key ?? null] as const];
  });
  const keys = pairs.filter(
    (pair): pair is [string, string] =>
      typeof pair[0] === 'string' && typeof pair[1] === 'string' && pair[0] !== pair[1],
  );
  return keys.length > 0 ? { replacedKeys: Object.fromEntries(keys) } : {};
}

function zip(left: readonly Value[], right: readonly Value[]) {
  return left.map((one, at) => [one, right[at] ?? null] as const);
}

/**
 * Makes the translator of live ids into local keys for the resource at `own`. A resource that is replaced, or made again after it
 * was deleted outside, gets another id, so that references to it do change: its old id is spelled as that of an unmanaged
 * resource, unless `all` asks for the keys of all managed resources.
 */
export function createPlanIdTranslator(
  own: ResourceAddress,
  live: LiveResource,
  { index, catalog, decided }: DecisionContext,
  all: boolean,
): LiveIdTranslator {
  const { brings } = kindRegistry[live.kind].traits;
  const brought = findCompanionResourceId(index.managed.get(own), live);
  const isReplaced = (id: string) =>
    !all && isRecreatedResource(index.addressOf(id) ?? '', decided);
  return {
    catalog,
    isReplaced,
    localKey(kind: KindName, id: string) {
      if (kind === brings?.kind && id === brought) return brings.key;
      const address = index.addressOf(id);
      if (address === undefined || isReplaced(id)) return undefined;
      const parsed = parseKnownAddress(address);
      return parsed.kind === kind ? parsed.local : undefined;
    },
  };
}

/** Tells whether a resource gets another id, because it is replaced, or was deleted outside. */
export function isRecreatedResource(
  address: ResourceAddress,
  decided: DecisionContext['decided'],
): boolean {
  const action = decided.get(address)?.change.action;
  return action === 'replace' || action === 'create';
}
