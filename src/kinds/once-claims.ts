import { isKindOutsideProjects } from '../model/kind-places.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { ExclusiveClaim } from './traits.ts';
import { kindRegistry } from './registry.ts';

/** Scope in which names of a kind must differ, in words: a project, or the account. */
export function describeNameScope({ kind, project }: DesiredResource): string {
  return isKindOutsideProjects(kind) ? 'the account' : project;
}

/** Claims of a resource that no other can have: its name, and the claims of its kind. */
export function listExclusiveClaims(resource: DesiredResource): readonly ExclusiveClaim[] {
  return [
    ...claimName(resource),
    ...(kindRegistry[resource.kind].traits.claimsOnce?.(resource) ?? []),
  ];
}

function claimName(resource: DesiredResource): ExclusiveClaim[] {
  const { kind, attributes } = resource;
  const { name } = attributes;
  if (typeof name !== 'string') return [];
  const scope = describeNameScope(resource);
  return [
    {
      id: `${scope} ${kind} ${name}`,
      attribute: 'name',
      code: 'duplicate-name',
      summary: `Two ${kindRegistry[kind].label}s of ${scope} have the name \`${name}\``,
      hint: 'Give one of the two another `name`.',
      hintForInstances: 'Put `${each.index}` into the name, for example `web-${each.index}`.',
    },
  ];
}
