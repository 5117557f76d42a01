// Words on the operation of a document that an operation of the contract is bound to, or may be.
import { explainRefusedRoute, removeRouteParameterNames } from '../../api/contract/check-route.ts';
import { type OperationId, routes } from '../../api/contract/routes.ts';
import type { BoundOperation } from '../match/match-operations.ts';
import { findContractOperationRole } from '../match/roles.ts';
import { splitWords } from '../vocabulary/words.ts';

/** Describes an operation of the document: `POST /vms/{vmId}/actions with /type "start"`. */
export function describeBoundOperation({ placed, constant }: BoundOperation): string {
  return constant
    ? `${placed.line} with ${constant.pointer} ${JSON.stringify(constant.value)}`
    : placed.line;
}

/** Why a contract file must not bind an operation to a place of the document; undefined where it may. */
export function explainRefusedOperation(
  operation: OperationId,
  { line, parameters }: BoundOperation['placed'],
): string | undefined {
  return explainRefusedRoute(operation, line, parameters);
}

/** Explains why an operation stays open, whatever could be it. */
export function explainOpenOperation(
  operation: OperationId,
  candidates: readonly BoundOperation[],
): string {
  if (candidates.length === 0) return 'the place of its collection is open';
  const problems = candidates.flatMap(({ placed }) => placed.problems);
  if (candidates.length === 1 && problems.length > 0) return problems.join(', ');
  const faults = candidates.map(({ placed }) => explainRefusedOperation(operation, placed));
  // A candidate that a contract file must not have is no answer.
  if (faults.every((one) => one !== undefined))
    return `${candidates[0]?.placed.line} cannot be it: ${faults[0]}`;
  if (candidates.length > 1) return 'more than one may be it';
  return findContractOperationRole(operation).is === 'delete' || routes[operation].method !== 'GET'
    ? 'nothing proves that it does the same'
    : 'it may be it';
}

/** Explains by what an operation was recognised. */
export function explainRecognisedOperation(
  operation: OperationId,
  { view, constant }: BoundOperation,
): string {
  const { path } = routes[operation];
  if (
    removeRouteParameterNames((view.operation.route ?? view.operation).path) ===
    removeRouteParameterNames(path)
  )
    return 'the same path';
  const fold = (name = '') => splitWords(name).toSorted().join(' ');
  if (fold(view.operation.id) === fold(operation)) return 'the same id';
  return constant ? 'the words of its body' : 'its path and what it answers';
}
