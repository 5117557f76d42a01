import { Unknown } from '../../expressions/values/scope.ts';
import { kinds } from '../../kinds/registry.ts';
import { listInstanceKeys } from '../scope/each.ts';
import type { ResourceGroup } from '../scope/resource-group.ts';
import { toSourceRange } from '../source/source-file.ts';
import { readNodeText } from '../source/read-fields.ts';

/** Reports the faults that the kind finds in the fields of a group, once for all instances. */
export function checkFields(group: ResourceGroup): void {
  const { fields, entry, address, space } = group;
  const { checks } = kinds[group.kind].traits;
  if (!checks?.fields) return;
  const [instance] = listInstanceKeys(group.instances);
  const placeOf = (name: string) => fields.get(name)?.value ?? entry.key;
  const found = checks.fields({
    has: (name) => fields.has(name),
    textOf: (name) => {
      const node = group.readField(name, instance);
      return node instanceof Unknown ? undefined : readNodeText(node);
    },
    sourceOf: (name) => toSourceRange(placeOf(name)),
  });
  for (const { field, ...fault } of found) {
    space.session.faults.add({ ...fault, address, place: placeOf(field) });
  }
}
