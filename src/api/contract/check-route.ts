// Routes that a binding may name: paths that stay below the base address, and that destroy no more than the operation itself.
import { findOperationLossWeight, hasUnexpectedLossWords } from './check-loss.ts';
import {
  type BoundParameterPlaces,
  findMistakenlyDeletedHolder,
  findContractParameterName,
} from './check-subject.ts';
import { operationIds } from './operation-ids.ts';
import { type OperationId, type Route, routes } from './routes.ts';
import { operationShapes } from './shapes.ts';

/**
 * Pattern for a segment of a path: plain characters and parameters. Percent-encoding is refused, since it could decode to
 * `..`, and a semicolon, since servers leave out what follows it.
 */
const segmentPattern = /^(?:[A-Za-z0-9._~!$&'()*+,=:@-]|\{[A-Za-z_][A-Za-z0-9_-]*\})+$/;

/**
 * Reason why a contract file must not bind an operation to a route, such as one that destroys more than the operation; undefined
 * where it may.
 */
export function explainRefusedRoute(
  operation: OperationId,
  line: string,
  places: BoundParameterPlaces = {},
): string | undefined {
  return findRouteFault(operation, line) ?? findRouteLossFault(operation, line, places);
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

/** The fault of a line that would destroy more than its operation; undefined for a safe one. */
function findRouteLossFault(
  operation: OperationId,
  line: string,
  places: BoundParameterPlaces,
): string | undefined {
  const loss = findOperationLossWeight(operation);
  const shape = removeRouteParameterNames(line).toLowerCase();
  const other = operationIds.find(
    (one) =>
      findContractRouteShape(one).toLowerCase() === shape && findOperationLossWeight(one) > loss,
  );
  if (other !== undefined) return `that is ${other}, which loses more`;
  const isDelete = line.startsWith('DELETE ');
  if (isDelete && loss === 0) return 'it loses nothing, and a DELETE does';
  if (isDelete && routes[operation].method !== 'DELETE') {
    return 'it deletes nothing, and a DELETE does';
  }
  if (hasUnexpectedLossWords(operation, line.slice(line.indexOf('/')))) {
    return loss === 0
      ? 'it loses nothing, and this path says that it does'
      : 'it loses less than this path says';
  }
  return loss === 0 ? undefined : findOtherSubject(operation, line, places);
}

/** A part of a path that is a parameter, also as some services write it: `{id}.json`, `Servers({id})`. */
const wholeParameter = /^(?:[A-Za-z]+\()?\{([^{}]+)\}\)?(?:\.(?:json|xml))?$/;

/** Why a line ends another resource than the operation; undefined where it does not. */
function findOtherSubject(
  operation: OperationId,
  line: string,
  places: BoundParameterPlaces,
): string | undefined {
  if (routes[operation].method !== 'DELETE') return undefined;
  const { params } = operationShapes[operation];
  // An attachment is known by its network and its VM together, in either order.
  const subject = params.slice(operation === 'detachVm' ? -2 : -1);
  if (!line.startsWith('DELETE ')) {
    const ended = findMistakenlyDeletedHolder(operation, line, places);
    return ended === undefined ? undefined : `its path ends ${ended}`;
  }
  const segments = line.slice(line.indexOf('/')).split('/');
  const last = segments.findLast((segment) => segment.includes('{')) ?? '';
  const name = /.*\{([^{}]+)\}/.exec(last)?.[1] ?? '';
  const isOwn = subject.includes(findContractParameterName(places, name));
  const whole = segments.map((part) =>
    findContractParameterName(places, wholeParameter.exec(part)?.[1] ?? ''),
  );
  return isOwn && subject.every((one) => whole.includes(one))
    ? undefined
    : `a path of DELETE ends with ${subject.map((one) => `{${one}}`).join(' and ')}`;
}

function writeRoute({ method, path }: Route): string {
  return `${method} ${path}`;
}

/** The contract's own routes, without the names of their parameters: each line of a file is compared with all. */
const ownShapes = new Map<OperationId, string>();

/** The contract's own route of an operation, without the names of its parameters. */
export function findContractRouteShape(operation: OperationId): string {
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
  places: BoundParameterPlaces,
): { readonly inPath: readonly string[]; readonly unplaced: readonly string[] } {
  const route = line ?? writeRoute(routes[operation]);
  const inPath = [...route.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name = '']) => [name]);
  const unplaced = operationShapes[operation].params.filter(
    (name) => !inPath.includes(name) && places[name] === undefined,
  );
  return { inPath, unplaced };
}
