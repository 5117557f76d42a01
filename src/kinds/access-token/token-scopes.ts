import type { WireTokenScope } from '../../api/contract/types.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { DesiredResource } from '../../model/resource.ts';

/** The scopes that open a part of the service each. */
export type PartScope = 'compute' | 'network' | 'account' | 'tokens';

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

const scopeOf: Readonly<Record<KindName, PartScope>> = {
  project: 'account',
  sshKey: 'compute',
  vm: 'compute',
  network: 'network',
  publicIp: 'network',
  portForward: 'network',
  account: 'account',
  accessToken: 'tokens',
};

/** What a token must be allowed so that a configuration can be planned and applied. */
export interface NeededScopes {
  /** To make and change what is configured; with the kinds that need it. */
  readonly changes: ReadonlyMap<PartScope, ReadonlySet<KindName>>;
  /** To read what a plan compares. */
  readonly reads: ReadonlySet<PartScope>;
}

/** The scopes that a configuration with these resources needs. */
export function findNeededScopes(
  resources: readonly Pick<DesiredResource, 'kind' | 'attributes'>[],
): NeededScopes {
  const changes = new Map<PartScope, Set<KindName>>();
  const need = (scope: PartScope, kind: KindName) => {
    const kinds = changes.get(scope) ?? new Set();
    changes.set(scope, kinds.add(kind));
  };
  for (const { kind, attributes } of resources) {
    need(scopeOf[kind], kind);
    if (kind !== 'vm') continue;
    // It is attached below the network, and renewed by its sale.
    if (Array.isArray(attributes.networks) && attributes.networks.length > 0) need('network', kind);
    if (attributes.renewal !== undefined) need('account', kind);
  }
  const reads = new Set<PartScope>(changes.keys());
  // A plan reads all that the projects hold.
  if (resources.some(({ kind }) => kind === 'project')) reads.add('compute').add('network');
  return { changes, reads };
}

/** The needed scopes that a token with these has not; none for one with full access. */
export function findMissingScopes(
  { changes, reads }: NeededScopes,
  granted: readonly string[],
): readonly PartScope[] {
  const has = new Set(granted);
  if (has.has('full')) return [];
  const toChange = [...changes.keys()].filter((scope) => !has.has(scope));
  const toRead = [...reads].filter((scope) => !has.has(scope) && !has.has('read'));
  return [...new Set([...toChange, ...toRead])].sort();
}

/** True when every one of them has a known meaning. */
export function areKnownScopes(granted: readonly string[]): boolean {
  return granted.every((scope) => tokenScopes.includes(scope));
}
