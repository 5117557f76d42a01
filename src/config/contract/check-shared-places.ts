// Places of a contract file that two operations have: one of them must not be a way to the loss of the other.
import { findOperationLossWeight, hasLossWords } from '../../api/contract/check-loss.ts';
import { removeRouteParameterNames } from '../../api/contract/check-route.ts';
import {
  findPathSubjectWord,
  findContractParameterName,
  isDeletedResourceNoun,
} from '../../api/contract/check-subject.ts';
import { operationIds } from '../../api/contract/operation-ids.ts';
import { type OperationId, routes } from '../../api/contract/routes.ts';
import { operationShapes } from '../../api/contract/shapes.ts';
import type { Binding } from '../../model/account/binding.ts';

/** A route of a contract file. */
interface NamedRoute {
  /** With the contract's names of parameters. */
  readonly route: string;
  /** Without any names of parameters. */
  readonly shape: string;
}

/** The routes of a contract file: each operation is compared with all others. */
const routesOf = new WeakMap<Binding, ReadonlyMap<OperationId, NamedRoute>>();

/** The routes of all operations that have one. */
function nameRoutes(binding: Binding): ReadonlyMap<OperationId, NamedRoute> {
  const known = routesOf.get(binding);
  if (known) return known;
  const named = operationIds.flatMap((operation): (readonly [OperationId, NamedRoute])[] => {
    const { method, path } = routes[operation];
    const line = binding.operations?.[operation] ?? `${method} ${path}`;
    if (line === 'none' || line === 'open') return [];
    const places = binding.parameters?.[operation] ?? {};
    const name = (_: string, part: string) => `{${findContractParameterName(places, part)}}`;
    const route = line.replaceAll(/\{([^{}]*)\}/g, name).replace(/\/$/, '');
    return [[operation, { route, shape: removeRouteParameterNames(route) }]];
  });
  const found = new Map(named);
  routesOf.set(binding, found);
  return found;
}

/** A path as servers compare it: without its method and the names of its parameters. */
function foldPath(route: string): string {
  return removeRouteParameterNames(route.slice(route.indexOf('/'))).toLowerCase();
}

/** Places in a contract file of one resource of a kind, each with the operation that it is known by. */
function listPlacesOf(binding: Binding, end: OperationId): ReadonlyMap<string, OperationId> {
  const { params } = operationShapes[end];
  const one = new RegExp(`^.*\\{${params.at(-1)}\\}[^/]*`);
  const find = (verb: string) =>
    operationIds.find((one) => one === end.replace(/^delete/, verb)) ?? end;
  const { answer } = operationShapes[find('get')];
  const places = new Map<string, OperationId>();
  for (const [operation, { route }] of nameRoutes(binding)) {
    const shape = operationShapes[operation];
    const isOfAll =
      operation === find('create') || (shape.isList === true && shape.answer === answer);
    const [found = ''] = one.exec(route) ?? [];
    // A VM below a network is a member of it, and a network below a VM an attachment: both are less than the thing itself.
    const names = [...found.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
    const isOfOne = found !== '' && names.every((name) => params.includes(name));
    const place = isOfAll ? `${route}/{}` : found;
    if (isOfAll || isOfOne) places.set(foldPath(place), operation);
  }
  return places;
}

/**
 * Finds the operation of a heavier kind of resource at whose path another operation deletes; undefined where there is
 * none. The path of a list or of a create is enough, since the resources are below it even where the contract file
 * binds no read of them.
 */
export function findHeavierOperationAtPath(
  binding: Binding,
  operation: OperationId,
): OperationId | undefined {
  const loss = findOperationLossWeight(operation);
  const route = nameRoutes(binding).get(operation)?.route;
  const isBound = binding.operations?.[operation] !== undefined;
  if (route === undefined || !isBound || routes[operation].method !== 'DELETE') return undefined;
  const isDelete = route.startsWith('DELETE ');
  // The words of its path decide on a detachment by POST.
  if (!isDelete && !operation.startsWith('delete')) return undefined;
  const [, whole = '', name] = /^(.*\{([^{}]*)\}[^/]*)/.exec(route) ?? [];
  const isAtPlace = isDelete || name === operationShapes[operation].params.at(-1);
  const place = foldPath(isDelete ? route : whole);
  const told = hasLossWords(route) ? findPathSubjectWord(foldPath(route)) : undefined;
  // Many a line has an id of a VM behind the word for its backups.
  const word =
    told === undefined || isDeletedResourceNoun(operation, told) ? undefined : foldPlural(told);
  return operationIds
    .filter((one) => one.startsWith('delete') && findOperationLossWeight(one) > loss)
    .flatMap((one) => [...listPlacesOf(binding, one)])
    .find(([one]) =>
      isAtPlace
        ? one === place
        : word !== undefined && word === foldPlural(findPathSubjectWord(one)),
    )?.[1];
}

/**
 * Tells whether a word is the name that a contract file has for the collection of a deleted resource: `box` in `GET
 * /boxes/{vmId}`.
 */
export function isWordOfOperationPath(binding: Binding, end: OperationId, word: string): boolean {
  const places = [...listPlacesOf(binding, end).keys()];
  return places.some((place) => foldPlural(findPathSubjectWord(place)) === foldPlural(word));
}

/** A word for resources of a kind in the singular, or near it: `box` of `boxes`. */
function foldPlural(word: string | undefined): string | undefined {
  return word?.replace(/e?s?$/, '');
}

/**
 * Finds the fault of two operations with one path; undefined where a constant tells them apart. Where one loses more
 * than the other, the constant must be in the body: a service may ignore the query, while one that ignores the type of
 * an action does nothing. Paths alone must distinguish a DELETE, and operations on different subjects.
 */
export function findSharedPathFault(
  binding: Binding,
  operation: OperationId,
  other: OperationId,
): { readonly summary: string; readonly hint: string } | undefined {
  const [one, another] = [operation, other].map((name) => nameRoutes(binding).get(name));
  if (!one || !another || one.shape.toLowerCase() !== another.shape.toLowerCase()) return undefined;
  const { route, shape } = one;
  const isAlike = findOperationLossWeight(operation) === findOperationLossWeight(other);
  const isDeletion = [operation, other].some((one) => routes[one].method === 'DELETE');
  const isSameSubject = !shape.startsWith('DELETE ') && route === another.route;
  const mayBeTold = isAlike || !isDeletion || isSameSubject;
  if (mayBeTold && areToldApart(binding, operation, other, isAlike)) return undefined;
  return {
    summary: `${other} and ${operation} are bound to one place, ${shape}${isAlike ? '' : ', and one loses more than the other'}`,
    hint: mayBeTold
      ? `Bind each to a place of its own, or tell them apart by \`constants\`${isAlike ? '' : ' of their bodies'} with another value for each.`
      : 'Bind each to a place of its own.',
  };
}

/** Tells whether a constant has different values in the two requests, or each has a constant where the other has none. */
function areToldApart(
  { constants }: Binding,
  one: OperationId,
  other: OperationId,
  isQueryEnough: boolean,
): boolean {
  const [mine, theirs] = [one, other].map((name) => constants?.[name]);
  const differs = (a: object = {}, b: object = {}) => {
    const known = new Map<string, unknown>(Object.entries(b));
    return Object.entries(a).some(
      ([key, value]) => known.has(key) && JSON.stringify(known.get(key)) !== JSON.stringify(value),
    );
  };
  const areApart = (a: object = {}, b: object = {}) =>
    differs(a, b) || (hasOwnKey(a, b) && hasOwnKey(b, a));
  return (
    areApart(mine?.body, theirs?.body) || (isQueryEnough && differs(mine?.query, theirs?.query))
  );
}

/** Tells whether a body has a member at its root that the other lacks, such as the type of an action as a member's name. */
function hasOwnKey(body: object, other: object): boolean {
  const roots = (one: object) => new Set(Object.keys(one).map((pointer) => pointer.split('/')[1]));
  return [...roots(body)].some((root) => !roots(other).has(root));
}
