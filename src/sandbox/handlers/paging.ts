import type { WirePage } from '../../api/contract/types.ts';
import type { SandboxContext } from '../store/world.ts';

const defaultPageSize = 20;

/** One page of a list. A page size over the cap is cut to the cap; a page past the end is empty. */
export function representListPage<Item>(
  { rules }: SandboxContext,
  query: { readonly page?: number; readonly pageSize?: number },
  totalCount: number,
  load: (limit: number, offset: number) => Item[],
): WirePage<Item> {
  const page = query.page ?? 1;
  const pageSize = Math.min(query.pageSize ?? defaultPageSize, rules.maxPageSize);
  const offset = (page - 1) * pageSize;
  return { items: offset < totalCount ? load(pageSize, offset) : [], page, pageSize, totalCount };
}
