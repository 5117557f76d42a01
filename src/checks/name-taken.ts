import { kinds } from '../kinds/registry.ts';
import type { Finding } from '../model/diagnostic.ts';
import { nameOf, type LiveResource } from '../model/live.ts';
import { isOutsideProjects, type KindName } from '../model/resource.ts';
import { textOf } from '../model/value.ts';
import { placeOf, type Check } from './check.ts';

/** Creates and renames to a name that a live resource has which is not ours: there would be two of that name. */
export const checkNameTaken: Check = ({ plan, desired, live, state }) => {
  const managedIds = new Set(
    [...state.resources.values()].flatMap(({ id, deposed = [] }) => [id, ...deposed]),
  );
  const outside = new Map<string, LiveResource>();
  for (const resource of [...live.projects, ...live.resources]) {
    const name = nameOf(resource);
    if (name === undefined || managedIds.has(resource.id)) continue;
    const at = slot(resource.kind, resource.projectId, name);
    const other = outside.get(at);
    // Of several, the same one whatever the order of the lists.
    if (!other || resource.id < other.id) outside.set(at, resource);
  }
  const findings: Finding[] = [];
  for (const { address, kind, project, action, fields } of plan.changes) {
    const resource = desired.get(address);
    const isNamed = action === 'create' || fields.some((field) => field.name === 'name');
    if (!isNamed || !resource || !('name' in kinds[kind].fields)) continue;
    const name = textOf(resource.attributes, 'name');
    const taken = outside.get(slot(kind, state.resources.get(project)?.id, name));
    if (!taken) continue;
    findings.push({
      severity: 'error',
      code: 'name-taken',
      summary: `Another ${kinds[kind].label} named "${name}" exists already and is not in the state`,
      detail: `The live one has the id ${taken.id}. ${action === 'create' ? 'Creating' : 'Renaming'} ${address} would make a second one of this name.`,
      hint:
        action === 'create'
          ? `Adopt it: with an imports entry ({ to: ${address}, id: ${taken.id} }), or with --adopt. Or give this one another name.`
          : 'Delete or rename that one in the account, or give this one another name.',
      ...placeOf(resource, 'name'),
    });
  }
  return findings;
};

/** What lies in no project shares one space of names; everything else has one in each project. */
function slot(kind: KindName, projectId: string | undefined, name: string): string {
  return JSON.stringify(isOutsideProjects(kind) ? [kind, name] : [kind, projectId, name]);
}
