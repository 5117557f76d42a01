import type { WireRequest, WireTokenScope } from '../../api/contract/types.ts';
import { isOutsideProjects, isProject, kindNames } from '../../model/kind-places.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { PartScope } from '../traits.ts';
import { kinds } from '../registry.ts';

const everyScope: Record<WireTokenScope, true> = {
  full: true,
  read: true,
  compute: true,
  network: true,
  account: true,
  tokens: true,
};

/** Every scope of the contract. */
export const tokenScopes: readonly string[] = Object.keys(everyScope);

// Whether such a project is there makes no difference to what the token may do.
const nowhere = { projectId: 'none' };

/** What tells of a token that may not list tokens which parts it opens: a read of each. */
export const scopeReads: readonly (readonly [PartScope, WireRequest])[] = [
  ['compute', { operation: 'listVms', params: nowhere }],
  ['network', { operation: 'listNetworks', params: nowhere }],
  ['account', { operation: 'getAccount', params: {} }],
];

/** What a token must be allowed so that a configuration can be planned and applied. */
export interface NeededScopes {
  /** To make and change what is configured. */
  readonly changes: ReadonlySet<PartScope>;
  /** To read what a plan compares. */
  readonly reads: ReadonlySet<PartScope>;
}

/** The scopes that a configuration with these resources needs. */
export function findNeededScopes(
  resources: readonly Pick<DesiredResource, 'kind' | 'attributes'>[],
): NeededScopes {
  const changes = new Set(
    resources.flatMap(({ kind, attributes }) => kinds[kind].scopes(attributes)),
  );
  // A plan reads all that the projects hold.
  const held = resources.some(({ kind }) => isProject(kind))
    ? kindNames.filter((kind) => !isOutsideProjects(kind))
    : [];
  return {
    changes,
    reads: new Set([...changes, ...held.flatMap((kind) => kinds[kind].scopes({}))]),
  };
}

/** The needed scopes that a token with these has not; none for one with full access. */
export function findMissingScopes(
  { changes, reads }: NeededScopes,
  granted: readonly string[],
): readonly PartScope[] {
  const has = new Set(granted);
  if (has.has('full')) return [];
  const toChange = [...changes].filter((scope) => !has.has(scope));
  const toRead = [...reads].filter((scope) => !has.has(scope) && !has.has('read'));
  return [...new Set([...toChange, ...toRead])].sort();
}

/** True when every one of them has a known meaning. */
export function areKnownScopes(granted: readonly string[]): boolean {
  return granted.every((scope) => tokenScopes.includes(scope));
}
