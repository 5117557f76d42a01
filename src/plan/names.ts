import { allocatedPublicIpOf } from '../kinds/allocated-ip.ts';
import type { Names } from '../kinds/kind.ts';
import type { Address } from '../model/address.ts';
import type { LiveResource } from '../model/live.ts';
import type { KindName } from '../model/resource.ts';
import { parseKnown } from './account-index.ts';
import type { Surroundings } from './decision.ts';

/**
 * Spells ids as local keys, for the resource at `own`. What is replaced, or made again after it was deleted outside,
 * gets another id, so what points at it does change: its old id is spelled as an outside one, unless `all` asks for
 * every id that is ours.
 */
export function namesFor(
  own: Address,
  live: LiveResource,
  { index, catalog, decided }: Surroundings,
  all: boolean,
): Names {
  const allocated = allocatedPublicIpOf(index.managed.get(own), live);
  const isReplaced = (id: string) => {
    const action = decided.get(index.addressOf(id) ?? '')?.change.action;
    return !all && (action === 'replace' || action === 'create');
  };
  return {
    catalog,
    isReplaced,
    localKey(kind: KindName, id: string) {
      if (kind === 'publicIp' && id === allocated) return 'new';
      const address = index.addressOf(id);
      if (address === undefined || isReplaced(id)) return undefined;
      const parsed = parseKnown(address);
      return parsed.kind === kind ? parsed.local : undefined;
    },
  };
}
