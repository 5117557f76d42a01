import { kindRegistry } from '../../kinds/registry.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { foldNameForComparison } from '../../model/text/fold-name.ts';
import { getLiveName, type LiveResource } from '../../model/account/live.ts';
import type { Change } from '../../model/plan/plan.ts';
import { isKindOutsideProjects, type KindName } from '../../model/kind-places.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { readAttributeText } from '../../model/value.ts';
import { locateFinding } from '../../model/place-of.ts';
import type { PlanCheck, PlanCheckInput } from '../check.ts';

/**
 * Finds creates and renames that ask for the name of a live resource which is not ours: there would be two of that name. A name
 * that differs in case only is a warning, since many services tell the two apart.
 */
export const checkNameTaken: PlanCheck = ({ plan, desired, live, state, ownedProjects = [] }) => {
  const owners = new Map(ownedProjects.map(({ project, workspace }) => [project, workspace]));
  const outside = listOutside({ live, state });
  const byName = indexBy(outside, (name) => name);
  const byFoldedName = indexBy(outside, foldNameForComparison);
  const findings: Finding[] = [];
  for (const change of plan.changes) {
    const { kind, project, action, fields, address } = change;
    const resource = desired.get(address);
    const isNamed = action === 'create' || fields.some((field) => field.name === 'name');
    if (!isNamed || !resource || !('name' in kindRegistry[kind].fields)) continue;
    const name = readAttributeText(resource.attributes, 'name');
    const projectId = state.resources.get(project)?.id;
    const taken = byName.get(slot(kind, projectId, name));
    const alike = byFoldedName.get(slot(kind, projectId, foldNameForComparison(name)));
    const owner = taken && address === project ? owners.get(name) : undefined;
    if (owner !== undefined) findings.push(describeOwned(change, resource, { name, owner }));
    else if (taken) findings.push(describeTaken(change, resource, taken));
    else if (alike && name !== '') findings.push(describeAlike(change, resource, alike));
  }
  return findings;
};

/** Lists live resources of the account that no address of the state manages. */
function listOutside({ live, state }: Pick<PlanCheckInput, 'live' | 'state'>): LiveResource[] {
  const managedIds = new Set(
    [...state.resources.values()].flatMap(({ id, deposed = [] }) => [id, ...deposed]),
  );
  return [...live.projects, ...live.resources].filter(({ id }) => !managedIds.has(id));
}

/** Indexes resources by kind, place and a form of their name, such as its lower case. */
function indexBy(resources: readonly LiveResource[], formOf: (name: string) => string) {
  const index = new Map<string, LiveResource>();
  for (const resource of resources) {
    const name = getLiveName(resource);
    if (name === undefined) continue;
    const at = slot(resource.kind, resource.projectId, formOf(name));
    const other = index.get(at);
    // Among several the lowest id wins, so that the order of lists does not matter.
    if (!other || resource.id < other.id) index.set(at, resource);
  }
  return index;
}

/** Reports a name that is taken by another workspace's resource; adopting that one is no way out. */
function describeOwned(
  { address }: Change,
  resource: DesiredResource,
  { name, owner }: { readonly name: string; readonly owner: string },
): Finding {
  return {
    severity: 'error',
    code: 'project-of-workspace',
    summary: `The project "${name}" belongs to the workspace "${owner}"`,
    detail: `Both workspaces use the same account. With ${address}, each would undo the changes of the other.`,
    hint: `Remove it here, or give it another name. To move it here, remove it from "${owner}" first, with a \`removed\` entry and \`destroy: false\`, and apply that.`,
    ...locateFinding(resource, 'name'),
  };
}

function describeTaken(
  { address, kind, action }: Change,
  resource: DesiredResource,
  taken: LiveResource,
): Finding {
  return {
    severity: 'error',
    code: 'name-taken',
    summary: `Another ${kindRegistry[kind].label} named "${getLiveName(taken) ?? ''}" exists already and is not in the state`,
    detail: `The live one has the id ${taken.id}. ${action === 'create' ? 'Creating' : 'Renaming'} ${address} would make a second one of this name.`,
    hint:
      action === 'create'
        ? `Adopt it: with an imports entry ({ to: ${address}, id: ${taken.id} }), or with --adopt. Or give this one another name.`
        : 'Delete or rename that one in the account, or give this one another name.',
    ...locateFinding(resource, 'name'),
  };
}

function describeAlike(
  { address, kind, action, sensitive }: Change,
  resource: DesiredResource,
  other: LiveResource,
): Finding {
  const { label } = kindRegistry[kind];
  // A name that is sensitive is not quoted, as the taken name would reveal it.
  const quoted = sensitive.includes('name') ? '' : ` "${getLiveName(other) ?? ''}"`;
  return {
    severity: 'warning',
    code: 'name-alike',
    summary: `The name${quoted} of another ${label} differs from this one in case or white space only`,
    detail: `That ${label} has the id ${other.id} and is not in the state. A service that ignores case refuses a second one.`,
    hint:
      action === 'create'
        ? `If it is the same ${label}, adopt it with an imports entry: { to: ${address}, id: ${other.id} }. Otherwise choose another name.`
        : 'Choose another name.',
    ...locateFinding(resource, 'name'),
  };
}

/** Space in which a name is unique: one for a kind outside of projects, otherwise one for each project. */
function slot(kind: KindName, projectId: string | undefined, name: string): string {
  return JSON.stringify(isKindOutsideProjects(kind) ? [kind, name] : [kind, projectId, name]);
}
