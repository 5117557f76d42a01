import type { WireRequest, WireTokenScope } from '../../api/contract/types.ts';
import { isKindOutsideProjects, isProject, kindNames } from '../../model/kind-places.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { TokenScopePart } from '../traits.ts';
import { kindRegistry } from '../registry.ts';

const everyScope: Record<WireTokenScope, true> = {
  full: true,
  read: true,
  compute: true,
  network: true,
  account: true,
  tokens: true,
};

/** Every scope that an access token can have in the contract. */
export const tokenScopes: readonly string[] = Object.keys(everyScope);

// A project that does not exist: the answer shows a missing scope all the same.
const nowhere = { projectId: 'none' };

/** A read for each part of the service, which shows whether a token opens that part: it may not be allowed to list tokens. */
export const tokenScopeCheckRequests: readonly (readonly [TokenScopePart, WireRequest])[] = [
  ['compute', { operation: 'listVms', params: nowhere }],
  ['network', { operation: 'listNetworks', params: nowhere }],
  ['account', { operation: 'getAccount', params: {} }],
];

/** Scopes that a token needs so that a configuration can be planned and applied. */
export interface NeededTokenScopes {
  /** Scopes that a token needs to create and change the configured resources. */
  readonly changes: ReadonlySet<TokenScopePart>;
  /** Scopes that a token needs to read the resources that a plan compares. */
  readonly reads: ReadonlySet<TokenScopePart>;
}

/** Finds the scopes that a token needs for a configuration with these resources. */
export function findNeededTokenScopes(
  resources: readonly Pick<DesiredResource, 'kind' | 'attributes'>[],
): NeededTokenScopes {
  const changes = new Set(
    resources.flatMap(({ kind, attributes }) => kindRegistry[kind].scopes(attributes)),
  );
  // A plan reads all resources of its projects, so a token needs the scopes of all kinds there.
  const held = resources.some(({ kind }) => isProject(kind))
    ? kindNames.filter((kind) => !isKindOutsideProjects(kind))
    : [];
  return {
    changes,
    reads: new Set([...changes, ...held.flatMap((kind) => kindRegistry[kind].scopes({}))]),
  };
}

/** The needed scopes that a token lacks; none for a token with full access. */
export function findMissingTokenScopes(
  { changes, reads }: NeededTokenScopes,
  granted: readonly string[],
): readonly TokenScopePart[] {
  const has = new Set(granted);
  if (has.has('full')) return [];
  const toChange = [...changes].filter((scope) => !has.has(scope));
  const toRead = [...reads].filter((scope) => !has.has(scope) && !has.has('read'));
  return [...new Set([...toChange, ...toRead])].sort();
}

/** Tells whether the meaning of every granted scope is known. */
export function areKnownTokenScopes(granted: readonly string[]): boolean {
  return granted.every((scope) => tokenScopes.includes(scope));
}
