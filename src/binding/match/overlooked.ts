// Operations of a document that could be one of the contract's for which no candidate was found.
import { hasUnexpectedLossWords } from '../../api/contract/check-loss.ts';
import { type OperationId, routes } from '../../api/contract/routes.ts';
import { isNameOutsideContract } from '../vocabulary/strangers.ts';
import { type BindingLexicon, findKindSense } from '../vocabulary/words.ts';
import { changingHttpMethods, contractVerbs, operationWordLikelihood } from './deeds.ts';
import { parseApiPath } from './paths.ts';
import { findContractOperationRole, type OperationRole } from './roles.ts';
import type { OperationPathView } from './views.ts';

/**
 * Tells whether an operation of the service that matched nothing may serve as an operation of the contract: it is at or below the
 * place of the contract operation's resource, its method fits, and its words mean nothing else. Then the service cannot be said
 * to lack the contract's operation.
 */
export function mayServeContractOperation(
  operation: OperationId,
  view: OperationPathView,
  lexicon: BindingLexicon,
): boolean {
  const role = findContractOperationRole(operation);
  if (!isMethodFitting(operation, view.operation.method)) return false;
  // A place that a contract file must not have for its words, as `…/reinstall` for a resize, is no question.
  if (hasUnexpectedLossWords(operation, (view.operation.route ?? view.operation).path))
    return false;
  if (isNamedSo(role, view, lexicon)) return true;
  const last = view.chain.at(-1);
  if (!last || last.isGuess || !listPlaces(role).includes(last.kind)) return false;
  // A PUT may make what is not there yet.
  if (view.extra.length === 0)
    return role.is === 'create' && view.operation.method === 'PUT' && last.param !== undefined;
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

/** True for a read, or a making, of things that the path calls as the contract does, whatever stands before them. */
function isNamedSo(
  role: OperationRole,
  { operation: { path } }: OperationPathView,
  lexicon: BindingLexicon,
): boolean {
  if (role.is !== 'list' && role.is !== 'get' && role.is !== 'create') return false;
  const segments = parseApiPath(path);
  const [name] = segments.slice(role.is === 'get' ? -2 : -1);
  if (name === undefined || name.isParam || segments.at(-1)?.isParam !== (role.is === 'get'))
    return false;
  return lexicon.likeness(findKindSense(role.kind), name.words) > sure;
}

/** Least likeness of words to a name or a verb that they surely mean. */
const sure = 0.9;
/** Least likeness of words to a verb that they may mean. */
const near = 0.6;

const ownVerbs: Readonly<Partial<Record<OperationRole['is'], string>>> = {
  reattach: 'update',
  listAttached: 'list',
};

function listPlaces(role: OperationRole): readonly string[] {
  if (!('kind' in role)) return role.is === 'read' || role.is === 'write' ? [] : ['network', 'vm'];
  return [role.kind];
}

function isMethodFitting(operation: OperationId, method: string): boolean {
  const own = routes[operation].method;
  if (own === 'GET') return method === 'GET';
  return changingHttpMethods.includes(method) || (own === 'DELETE' && method === 'DELETE');
}
