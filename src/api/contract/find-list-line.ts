import type { Binding, ListEnvelopeLine } from '../../model/account/binding.ts';
import type { OperationId } from './routes.ts';

/**
 * The line of a list in a contract file, with what the line for all lists adds to it; `open` where nobody knows. Undefined for a
 * list that is as in the contract.
 */
export function findBoundListLine(
  { lists = {} }: Pick<Binding, 'lists'>,
  operation: OperationId,
): ListEnvelopeLine | 'open' | undefined {
  const own = lists[operation];
  const ofAll = lists.default;
  if (own === undefined || own === 'open') return own ?? ofAll;
  return ofAll === 'open' ? own : { ...ofAll, ...own };
}
