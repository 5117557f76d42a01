// The object that a service wraps its lists in, by the lines of a contract file.
import type { ListEnvelopeLine, ListPaging } from '../../model/account/binding.ts';
import type { OperationId } from '../contract/routes.ts';
import { operationShapes } from '../contract/shapes.ts';
import { type JsonPointerSteps, parseJsonPointer } from './pointer.ts';

/** The object that the service wraps a list in, with the JSON Pointers to its parts parsed. */
export interface ListEnvelope {
  readonly items: JsonPointerSteps;
  readonly total: JsonPointerSteps | undefined;
  readonly next: JsonPointerSteps | undefined;
  readonly paging: ListPaging;
}

/** The paging of the contract's own lists. */
export const contractPaging: ListPaging = { by: 'page', page: 'page', size: 'pageSize' };

/** The envelope of a list: what a line does not say is as in the contract. */
export function parseListEnvelope(
  operation: OperationId,
  { items, total, page }: ListEnvelopeLine,
): ListEnvelope {
  const isPaged = operationShapes[operation].query.includes('page');
  const paging = page ?? (isPaged ? contractPaging : ({ by: 'none' } as const));
  return {
    items: parseJsonPointer(items ?? (isPaged ? '/items' : '')),
    total:
      total === undefined
        ? isPaged && items === undefined
          ? ['totalCount']
          : undefined
        : parseJsonPointer(total),
    next: paging.by === 'cursor' ? parseJsonPointer(paging.next) : undefined,
    paging,
  };
}
