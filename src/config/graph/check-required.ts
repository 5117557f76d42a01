import { kinds } from '../../kinds/registry.ts';
import { suggest } from '../../model/text/suggest.ts';
import { describeMissing } from '../schema/explain-keys.ts';
import type { ResourceGroup } from '../scope/resource-group.ts';
import { resolveSchema } from '../schema/shape-schema.ts';

/** Reports required fields that a resource has neither itself nor from defaults. */
export function checkRequired(group: ResourceGroup): void {
  const { kind, fields, entry, path, address, space } = group;
  const isEmpty = entry.value.kind === 'scalar' && entry.value.value === null;
  const required = Object.entries(kinds[kind].fields).filter(([, { isRequired }]) => isRequired);
  if (required.length === 0 || (entry.value.kind !== 'map' && !isEmpty)) return;
  const known = resolveSchema({ $ref: `#/$defs/${kind}` }).properties ?? {};
  // A misspelt key was reported; it is not missing too.
  const meant = [...fields.keys()]
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => suggest(key, Object.keys(known)));
  for (const [name] of required) {
    if (fields.has(name) || meant.includes(name)) continue;
    const fault = describeMissing(name, known[name] ?? {}, path, entry.key);
    space.session.faults.add({ address, ...fault });
  }
}
