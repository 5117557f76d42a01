// Operations of a document that could be one of the contract's for which no candidate was found.
import { type OperationId, routes } from '../../api/contract/routes.ts';
import { isNameOutsideContract } from '../vocabulary/strangers.ts';
import { type BindingLexicon, findKindSense } from '../vocabulary/words.ts';
import { changingHttpMethods, contractVerbs, operationWordLikelihood } from './deeds.ts';
import { findContractOperationRole, type OperationRole } from './roles.ts';
import type { OperationPathView } from './views.ts';

/**
 * True for an operation at or below the place of a contract operation's resource, with a method that fits and with words
 * that mean nothing else: a service that has it cannot be said to lack the contract's.
 */
export function mayBeOverlooked(
  operation: OperationId,
  view: OperationPathView,
  lexicon: BindingLexicon,
): boolean {
  const role = findContractOperationRole(operation);
  const last = view.chain.at(-1);
  if (!last || last.isGuess || !listPlaces(role).includes(last.kind)) return false;
  if (!isMethodFitting(operation, view.operation.method)) return false;
  if (view.extra.length === 0) return false;
  const isOfPair = !('kind' in role);
  if (view.strangers.length > (isOfPair ? 1 : 0)) return false;
  // An action on all resources of a collection says in its words, or in its body, which one it means.
  const isOfAll = 'of' in role ? role.of === 'all' : role.is === 'list' || role.is === 'create';
  if (isOfAll && last.param !== undefined) return false;
  const said = operationWordLikelihood(lexicon, view.extra);
  const own = new Set<string>('sense' in role ? role.sense : [ownVerbs[role.is] ?? role.is]);
  if ([...own].some((verb) => said(verb) > sure)) return true;
  if (role.is === 'rename' && lexicon.likeness(findKindSense('name'), view.extra) > near)
    return true;
  const isOther = contractVerbs.some((verb) => !own.has(verb) && said(verb) > near);
  return !isOther && !isNameOutsideContract(view.extra);
}

/** Least likeness of words to a verb that they surely mean. */
const sure = 0.9;
/** Least likeness of words to a verb that they may mean. */
const near = 0.6;

const ownVerbs: Readonly<Partial<Record<OperationRole['is'], string>>> = {
  reattach: 'update',
  listAttached: 'list',
};

function listPlaces(role: OperationRole): readonly string[] {
  if (!('kind' in role)) return role.is === 'read' || role.is === 'write' ? [] : ['network', 'vm'];
  return role.kind === undefined ? [] : [role.kind];
}

function isMethodFitting(operation: OperationId, method: string): boolean {
  const own = routes[operation].method;
  if (own === 'GET') return method === 'GET';
  return changingHttpMethods.includes(method) || (own === 'DELETE' && method === 'DELETE');
}
