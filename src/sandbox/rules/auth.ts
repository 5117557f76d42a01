import type { OperationId } from '../../api/contract/routes.ts';
import { routes } from '../../api/contract/routes.ts';
import type { WireTokenScope } from '../../api/contract/types.ts';
import type { OwnerValue } from './account.ts';
import { findOwnerToken } from './account.ts';
import { insiderToken } from './insider.ts';
import { hashToken } from '../store/ids.ts';
import { forbidden, unauthorized } from '../contract/problems.ts';
import type { TokenRow } from '../store/rows.ts';
import { tables } from '../store/rows.ts';
import type { SandboxWorld } from '../store/world.ts';

export const grantedScopes = (token: TokenRow): readonly WireTokenScope[] =>
  JSON.parse(token.scopes) as WireTokenScope[];

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

/** So seldom is the time of a token's last use written down, in ms: reading must not cost a write. */
const lastUseGrainMs = 60_000;

/** Finds the token of `Bearer <token>`. Throws the 401 (specification, section 5). */
function authenticate(
  { store, now }: SandboxWorld,
  owner: OwnerValue,
  authorization: string | undefined,
): TokenRow {
  if (authorization === undefined) throw unauthorized('The Authorization header is missing.');
  const value = /^Bearer ([\w.~+/-]+=*)$/.exec(authorization)?.[1];
  if (value === undefined) throw unauthorized('The Authorization header must be `Bearer <token>`.');
  const valueHash = hashToken(value);
  const id = valueHash === owner.valueHash ? owner.tokenId : findOwnerToken(store, valueHash);
  if (id === insiderToken.id) return insiderToken;
  const token = store.first(tables.tokens, id === undefined ? { valueHash } : { id });
  if (!token) throw unauthorized('The access token is not known.');
  if (token.expiresAt !== null && token.expiresAt <= now) {
    throw unauthorized('The access token has expired.');
  }
  return token;
}

/** The token of a request that may do this operation. Throws the 401 or the 403. */
export function authorize(
  world: SandboxWorld,
  owner: OwnerValue,
  operationId: OperationId,
  authorization: string | undefined,
): TokenRow {
  const token = authenticate(world, owner, authorization);
  const isKept = token !== insiderToken;
  if (isKept && (token.lastUsedAt === null || world.now - token.lastUsedAt >= lastUseGrainMs)) {
    world.store.update(tables.tokens, { id: token.id }, { lastUsedAt: world.now });
  }
  const scopes = grantedScopes(token);
  const opening = openingScopes(operationId);
  if (opening && !opening.some((scope) => scopes.includes(scope))) {
    throw forbidden(
      `This needs one of the scopes ${opening.join(', ')}; the token has ${scopes.join(', ')}.`,
    );
  }
  return token;
}
