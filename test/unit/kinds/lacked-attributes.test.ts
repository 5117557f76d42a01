import { expect, it } from 'vitest';
import { listLackedAttributes } from '../../../src/kinds/lacked-attributes.ts';
import { kinds } from '../../../src/kinds/registry.ts';

it.each([
  [undefined, []],
  [
    ['vm.imageId', 'vm.sshKeyIds', 'network.cidr', 'vm'],
    ['image', 'sshKeys', ''],
  ],
  [
    Object.keys(kinds.vm.traits.attributesOf ?? {}).slice(0, 1),
    Object.values(kinds.vm.traits.attributesOf ?? {})[0],
  ],
])('a service that lacks %j lacks the attributes %j of VMs', (lackedMembers, attributes) =>
  expect([...listLackedAttributes('vm', { ...(lackedMembers && { lackedMembers }) })]).toEqual(
    attributes,
  ),
);
