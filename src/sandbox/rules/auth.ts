import type { OperationId } from '../../api/contract/routes.ts';
import { routes } from '../../api/contract/routes.ts';
import type { WireTokenScope } from '../../api/contract/types.ts';
import type { OwnerTokenValue } from './account.ts';
import { findOwnerTokenId } from './account.ts';
import { allScopesToken } from './insider.ts';
import { hashToken } from '../store/ids.ts';
import { createForbiddenRefusal, createUnauthorizedRefusal } from '../contract/problems.ts';
import type { SandboxTokenRow } from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxContext } from '../store/world.ts';

export const listGrantedScopes = (
  token: Pick<SandboxTokenRow, 'scopes'>,
): readonly WireTokenScope[] => JSON.parse(token.scopes) as WireTokenScope[];

/** Token scope that a path needs, by the first pattern that fits. */
const areas: readonly { readonly pattern: RegExp; readonly scope: WireTokenScope }[] = [
  { pattern: /^\/projects\/[^/]+\/(?:networks|public-ips)(?:\/|$)/, scope: 'network' },
  { pattern: /^\/projects\/[^/]+\/(?:vms|ssh-keys)(?:\/|$)/, scope: 'compute' },
  { pattern: /^\/tokens(?:\/|$)/, scope: 'tokens' },
  { pattern: /^\/(?:account|notifications|sales|projects)(?:\/|$)/, scope: 'account' },
];

/** Limits, the catalog, projects and operations are readable with any scope. */
const openToRead =
  /^\/(?:limits|configurations|images|tariffs|projects(?:\/\{projectId\}(?:\/operations.*)?)?$)/;

/** The scopes any one of which opens an operation; undefined: any scope does. */
function openingScopes(operationId: OperationId): readonly WireTokenScope[] | undefined {
  const { method, path } = routes[operationId];
  const isRead = method === 'GET';
  if (isRead && openToRead.test(path)) return undefined;
  const area = areas.find(({ pattern }) => pattern.test(path))?.scope;
  return ['full', ...(isRead ? ['read' as const] : []), ...(area ? [area] : [])];
}

/** Least time between two records of a token's last use, in milliseconds: reading must not cost a write each time. */
const lastUseGrainMs = 60_000;

/** Finds the token of `Bearer <token>`. Throws the 401 (specification, section 5). */
function authenticate(
  { store, now }: SandboxContext,
  owner: OwnerTokenValue,
  authorization: string | undefined,
): SandboxTokenRow {
  if (authorization === undefined)
    throw createUnauthorizedRefusal('The Authorization header is missing.');
  const value = /^Bearer ([\w.~+/-]+=*)$/.exec(authorization)?.[1];
  if (value === undefined)
    throw createUnauthorizedRefusal('The Authorization header must be `Bearer <token>`.');
  const valueHash = hashToken(value);
  const id = valueHash === owner.valueHash ? owner.tokenId : findOwnerTokenId(store, valueHash);
  if (id === allScopesToken.id) return allScopesToken;
  const token = store.first(sandboxTables.tokens, id === undefined ? { valueHash } : { id });
  if (!token) throw createUnauthorizedRefusal('The access token is not known.');
  if (token.expiresAt !== null && token.expiresAt <= now) {
    throw createUnauthorizedRefusal('The access token has expired.');
  }
  return token;
}

/** Authorizes a request: finds its token and checks the token's scopes. Throws the refusal with status 401 or 403. */
export function authorizeSandboxRequest(
  world: SandboxContext,
  owner: OwnerTokenValue,
  operationId: OperationId,
  authorization: string | undefined,
): SandboxTokenRow {
  const token = authenticate(world, owner, authorization);
  const isKept = token !== allScopesToken;
  if (isKept && (token.lastUsedAt === null || world.now - token.lastUsedAt >= lastUseGrainMs)) {
    world.store.update(sandboxTables.tokens, { id: token.id }, { lastUsedAt: world.now });
  }
  const scopes = listGrantedScopes(token);
  const opening = openingScopes(operationId);
  if (opening && !opening.some((scope) => scopes.includes(scope))) {
    throw createForbiddenRefusal(
      `This needs one of the scopes ${opening.join(', ')}; the token has ${scopes.join(', ')}.`,
    );
  }
  return token;
}
