import {
  compareResourceAddresses,
  listEnclosingAddresses,
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

/** Nests resources by the module instances that contain them, in their order, with a lazy list for each module. */
export function nestResourcesByModule<T extends { readonly address: ResourceAddress }, R>(
  items: readonly T[],
  describe: (item: T) => R,
): ModuleJson<R> {
  const held = groupBy(items, ({ address }) => parseResourceAddress(address)?.module ?? '');
  // A module that contains only other modules needs an entry of its own.
  const places = new Set([...held.keys()].flatMap(listEnclosingAddresses));
  const children = groupBy(
    [...places].sort(compareResourceAddresses),
    (place) => listEnclosingAddresses(place).at(-2) ?? '',
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
