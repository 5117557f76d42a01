import { expect, it } from 'vitest';
import { listLackedAttributes } from '../../../src/kinds/lacked-attributes.ts';
import { kindRegistry } from '../../../src/kinds/registry.ts';

it.each([
  [undefined, []],
  [
    ['vm.imageId', 'vm.sshKeyIds', 'network.cidr', 'vm'],
    ['image', 'sshKeys', ''],
  ],
  [
    Object.keys(kindRegistry.vm.traits.attributesOf ?? {}).slice(0, 1),
    Object.values(kindRegistry.vm.traits.attributesOf ?? {})[0],
  ],
])('a service that lacks %j lacks the attributes %j of VMs', (lackedMembers, attributes) =>
  expect([...listLackedAttributes('vm', { ...(lackedMembers && { lackedMembers }) })]).toEqual(
    attributes,
  ),
);
