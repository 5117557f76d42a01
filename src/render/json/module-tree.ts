import {
  compareResourceAddresses,
  listAddressSegments,
  parseResourceAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import { mapLazily, type LazyList } from '../../model/text/json-parts.ts';

/** A module as Terraform's representation holds it: its own resources, and the modules within. The root has no address. */
export interface ModuleJson<R> {
  readonly address?: ResourceAddress;
  readonly resources: LazyList<R>;
  readonly child_modules?: readonly ModuleJson<R>[];
}

/** Resources by the instance of the module that each stands in, in their order, with a lazy list of each. */
export function nestResourcesByModule<T extends { readonly address: ResourceAddress }, R>(
  items: readonly T[],
  describe: (item: T) => R,
): ModuleJson<R> {
  const held = groupBy(items, ({ address }) => parseResourceAddress(address)?.module ?? '');
  // A module that contains only other modules needs an entry of its own.
  const places = new Set([...held.keys()].flatMap(listAddressSegments));
  const children = groupBy(
    [...places].sort(compareResourceAddresses),
    (place) => listAddressSegments(place).at(-2) ?? '',
  );
  const describeModule = (place: ResourceAddress): ModuleJson<R> => {
    const within = children.get(place);
    return {
      ...(place !== '' && { address: place }),
      resources: mapLazily(held.get(place) ?? [], describe),
      ...(within && { child_modules: within.map(describeModule) }),
    };
  };
  return describeModule('');
}
