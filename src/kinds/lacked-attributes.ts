import type { KindName } from '../model/kind-places.ts';
import type { LiveSnapshot } from '../model/account/live.ts';
import { kindRegistry } from './registry.ts';

/** The attributes of a kind that no answer can have, since the service lacks the member behind them: `image` for `vm.imageId`. */
export function listLackedAttributes(
  kind: KindName,
  { lackedMembers = [] }: Pick<LiveSnapshot, 'lackedMembers'>,
): ReadonlySet<string> {
  const { attributesOf = {} } = kindRegistry[kind].traits;
  return new Set(
    lackedMembers.flatMap((one) => {
      const [record, member = ''] = one.split('.');
      if (Object.hasOwn(attributesOf, one)) return attributesOf[one] ?? [];
      return record === kind ? [member.replace(/Id(s?)$/, '$1')] : [];
    }),
  );
}
