// Lists in every envelope and paging that a contract file can name, read whole whatever the size of their pages.
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { ServiceDialect } from '../../../src/api/binding/dialect.ts';
import type { ServiceAnswer } from '../../../src/api/wire/read-answer.ts';
import { readServiceList } from '../../../src/api/wire/reading.ts';
import type { WireRequest } from '../../../src/api/contract/types.ts';
import type { ListPaging } from '../../../src/model/account/binding.ts';

const pagings: readonly ListPaging[] = [
  { by: 'page', page: 'no', first: 0 },
  { by: 'page', page: 'no', size: 'per' },
  { by: 'offset', offset: 'skip', size: 'take' },
  { by: 'cursor', cursor: 'after', next: '/meta/next' },
];

test.prop([
  fc.constantFrom(...pagings),
  fc.integer({ min: 0, max: 130 }),
  fc.integer({ min: 1, max: 40 }),
  fc.boolean(),
])('every item of a list, once', async (page, total, size, isCounted) => {
  const items = Array.from({ length: total }, (_, index) => ({ id: `i${index}` }));
  const line = { items: '/data', ...(isCounted && { total: '/meta/count' }), page };
  const dialect = new ServiceDialect({ version: 1, lists: { default: line } });
  const answer = (request: WireRequest): unknown => {
    const { searchParams } = new URL(dialect.write('http://x/v1', request).url);
    const mark = (name: string, first: number) => Number(searchParams.get(name) ?? first);
    const from =
      page.by === 'page'
        ? (mark(page.page, page.first ?? 1) - (page.first ?? 1)) * size
        : mark(page.by === 'offset' ? page.offset : 'after', 0);
    const next = from + size < total ? String(from + size) : null;
    return { data: items.slice(from, from + size), meta: { count: total, next } };
  };
  const call = (request: WireRequest) =>
    Promise.resolve({ body: dialect.read(request.operation, answer(request)) } as ServiceAnswer);
  const request = { operation: 'listVms', params: { projectId: 'p' } } as const;
  const decode = (wire: unknown) => wire as { readonly id: string };
  expect(await readServiceList({ call, dialect }, { request, decode })).toEqual(items);
});
