import type { WireListPage } from '../../api/contract/types.ts';
import type { SandboxContext } from '../store/world.ts';

const defaultPageSize = 20;

/** Builds one page of a list. A page size over the maximum is cut to it; a page past the end is empty. */
export function representListPage<Item>(
  { rules }: SandboxContext,
  query: { readonly page?: number; readonly pageSize?: number },
  totalCount: number,
  load: (limit: number, offset: number) => Item[],
): WireListPage<Item> {
  const page = query.page ?? 1;
  const pageSize = Math.min(query.pageSize ?? defaultPageSize, rules.maxPageSize);
  const offset = (page - 1) * pageSize;
  return { items: offset < totalCount ? load(pageSize, offset) : [], page, pageSize, totalCount };
}
