import { suggest } from '../model/suggest.ts';
import { describeMissing } from './explain-keys.ts';
import type { ResourceGroup } from './resource-group.ts';
import { resolveSchema } from './shape-schema.ts';

/** What a VM must have, in its own body or from defaults: the schema cannot tell, for it sees one body at a time. */
const requiredOfVm = ['image', 'configuration', 'tariff'];

/** Reports what a VM has neither itself nor from defaults. */
export function checkRequired(group: ResourceGroup): void {
  const { kind, fields, entry, path, address, space } = group;
  const isEmpty = entry.value.kind === 'scalar' && entry.value.value === null;
  if (kind !== 'vm' || (entry.value.kind !== 'map' && !isEmpty)) return;
  const known = resolveSchema({ $ref: '#/$defs/vm' }).properties ?? {};
  // A misspelt key was reported; it is not missing too.
  const meant = [...fields.keys()]
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => suggest(key, Object.keys(known)));
  for (const name of requiredOfVm) {
    if (fields.has(name) || meant.includes(name)) continue;
    const fault = describeMissing(name, known[name] ?? {}, path, entry.key);
    space.session.faults.add({ address, ...fault });
  }
}
