// The operations of a document that people have named in a contract file.
import { removeRouteParameterNames } from '../../api/contract/check-route.ts';
import { operationIds } from '../../api/contract/operation-ids.ts';
import type { OperationId } from '../../api/contract/routes.ts';
import type { Binding } from '../../model/account/binding.ts';
import type { OperationPathView } from './views.ts';

/** Operations whose lines a person has already filled in by hand, which are kept. */
export function findManuallyBoundOperations(
  views: readonly OperationPathView[],
  former: Binding | undefined,
): ReadonlyMap<OperationId, OperationPathView> {
  const found = new Map<OperationId, OperationPathView>();
  for (const operation of operationIds) {
    const line = former?.operations?.[operation];
    if (line === undefined || line === 'none' || line === 'open') continue;
    const [method, path = ''] = line.split(' ');
    const view = views.find(({ operation: one }) => {
      const theirs = one.route ?? one;
      return (
        theirs.method === method &&
        removeRouteParameterNames(theirs.path) === removeRouteParameterNames(path)
      );
    });
    if (view) found.set(operation, view);
  }
  return found;
}
