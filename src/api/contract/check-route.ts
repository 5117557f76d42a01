// Routes that a binding may name: paths that stay below the base address, and that destroy no more than the operation itself.
import { operationIds } from './operation-ids.ts';
import { type OperationId, type Route, routes } from './routes.ts';
import { operationShapes } from './shapes.ts';

/**
 * Pattern for a segment of a path: plain characters and parameters. Percent-encoding is refused, since it could decode to
 * `..`.
 */
const segmentPattern = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|\{[A-Za-z_][A-Za-z0-9_-]*\})+$/;

/** Why a contract file must not bind an operation to a line; undefined where it may. */
export function findRefusedRoute(operation: OperationId, line: string): string | undefined {
  return findRouteFault(operation, line) ?? findRouteLossFault(operation, line);
}

/** Why a line leads where no request of the engine goes; undefined where it does not. */
function findRouteFault(operation: OperationId, line: string): string | undefined {
  const [method = '', path = ''] = line.split(' ');
  if (path.startsWith('//')) return 'it names a host';
  const segments = path
    .slice(1)
    .replace(/(.)\/$/, '$1')
    .split('/');
  if (segments.some((segment) => /^\.{1,2}$/.test(segment))) {
    return 'its path leads out of the base address';
  }
  if (path.includes('%')) return 'its path is encoded, and could lead out of the base address';
  if (!segments.every((segment) => segmentPattern.test(segment))) {
    return 'its path has an empty part or a character that no path has';
  }
  const isRead = routes[operation].method === 'GET';
  if (isRead && method !== 'GET') return 'it only reads, and a read is a GET';
  if (!isRead && method === 'GET') return 'it changes something, and a GET only reads';
  return undefined;
}

/** The loss by an operation: the more is lost for good, the higher. */
function lossOf(operation: OperationId): number {
  if (operation === 'deleteProject') return 3;
  if (routes[operation].method === 'DELETE') return operation === 'detachVm' ? 1 : 2;
  return operation === 'rebuildVm' || operation === 'restoreBackup' ? 2 : 0;
}

const losingWords = new RegExp(
  String.raw`(?:^|[^a-z])(?:${[
    ...['delete', 'destroy', 'erase', 'purge', 'rebuild', 'reimage', 'reinstall', 'terminate'],
    ...['wipe', 'loesch', 'lösch', 'entfernen', 'vernicht', 'zerstoer', 'zerstör', 'neuaufsetz'],
    ...['neuinstall', 'supprim', 'detrui', 'détrui', 'effac', 'elimin', 'borra', 'destrui'],
    ...['reinstal', 'réinstal', 'reconstru', 'ricostru', 'distrugg'],
  ].join('|')})`,
  'i',
);

/**
 * True for words of a request, as a part of its path or a constant, that tell of a loss that the operation does not have. A GET
 * is held to it as well: there are services that delete by one.
 */
export function mentionsUnexpectedLoss(operation: OperationId, words: string): boolean {
  const spaced = words
    .split(/[/{}]/)
    .join(' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2');
  return lossOf(operation) === 0 && losingWords.test(spaced);
}

/** The fault of a line that would destroy more than its operation; undefined for a safe one. */
function findRouteLossFault(operation: OperationId, line: string): string | undefined {
  const loss = lossOf(operation);
  const shape = removeRouteParameterNames(line);
  const same = operationIds.find((one) => one !== operation && findOwnRouteShape(one) === shape);
  if (same !== undefined && lossOf(same) > loss) return `that is ${same}, which loses more`;
  if (loss > 0) return undefined;
  if (line.startsWith('DELETE ')) return 'it loses nothing, and a DELETE does';
  return mentionsUnexpectedLoss(operation, line)
    ? 'it loses nothing, and this path says that it does'
    : undefined;
}

function writeRoute({ method, path }: Route): string {
  return `${method} ${path}`;
}

/** The contract's own routes, without the names of their parameters: each line of a file is compared with all. */
const ownShapes = new Map<OperationId, string>();

/** The contract's own route of an operation, without the names of its parameters. */
export function findOwnRouteShape(operation: OperationId): string {
  const known = ownShapes.get(operation);
  if (known !== undefined) return known;
  const shape = removeRouteParameterNames(writeRoute(routes[operation]));
  ownShapes.set(operation, shape);
  return shape;
}

/** A route with the names of its parameters left out, and without a slash at its end: `GET /vms/{}`. */
export function removeRouteParameterNames(line: string): string {
  const shape = line.replaceAll(/\{[^{}]*\}/g, '{}');
  return shape.endsWith('/') ? shape.slice(0, -1) : shape;
}

/** The parameters of a path, and which of the contract's are sent nowhere. */
export function findRouteParameterPlaces(
  operation: OperationId,
  line: string | undefined,
  places: Readonly<Record<string, string>>,
): { readonly inPath: readonly string[]; readonly unplaced: readonly string[] } {
  const route = line ?? writeRoute(routes[operation]);
  const inPath = [...route.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name = '']) => [name]);
  const unplaced = operationShapes[operation].params.filter(
    (name) => !inPath.includes(name) && places[name] === undefined,
  );
  return { inPath, unplaced };
}
