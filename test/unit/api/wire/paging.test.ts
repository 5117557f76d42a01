import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { readPagedList } from '../../../../src/api/wire/paging.ts';

interface Item {
  readonly id: string;
}
const decode = (wire: unknown) => wire as Item;
const items = (from: number, to: number): Item[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: `i${from + index}` }));
const idsOf = (list: readonly Item[]) => list.map(({ id }) => id);

/** Reads a list from a function that answers pages; what was asked is kept. */
async function collect(
  answer: (page: number, count: number) => unknown,
  options: { isPaged?: boolean; isKnownWhole?: boolean; atMost?: number } = {},
) {
  const asked: (number | undefined)[] = [];
  let isWhole = false;
  const list = await readPagedList<Item>({
    fetchPage: (page) => {
      asked.push(page);
      return Promise.resolve(answer(page ?? 1, asked.length));
    },
    decode,
    isPaged: true,
    onWhole: () => {
      isWhole = true;
    },
    ...options,
  });
  return { ids: idsOf(list), asked, isWhole };
}

/** A page of `size` items out of `total`. */
const paged = (total: number, size: number, page: number) =>
  items((page - 1) * size, Math.min(total, page * size));

describe('a page list', () => {
  test.each<[string, number, number, object, number[]]>([
    ['empty', 0, 100, {}, [1]],
    ['one page', 5, 100, {}, [1]],
    ['a full page', 100, 100, {}, [1]],
    ['smaller pages than asked for', 20, 7, {}, [1, 2, 3]],
    ['exact pages', 21, 7, {}, [1, 2, 3]],
    ['pages that lie about their size', 20, 7, { pageSize: 100 }, [1, 2, 3]],
    ['no count', 20, 7, { totalCount: undefined }, [1, 2, 3, 4]],
    ['no count, one page', 5, 7, { totalCount: undefined }, [1, 2]],
    ['no count, empty', 0, 7, { totalCount: undefined }, [1]],
    ['a count that is none', 5, 7, { totalCount: 'many' }, [1, 2]],
  ])('%s', async (_, total, size, fields, asked) => {
    const result = await collect((page) => ({
      items: paged(total, size, page),
      page,
      pageSize: size,
      totalCount: total,
      ...fields,
    }));
    expect(result).toEqual({ ids: idsOf(items(0, total)), asked, isWhole: false });
  });

  test('an array instead is read on until nothing is new, and known as whole from then', async () => {
    const all = items(0, 5);
    expect(await collect(() => all)).toEqual({ ids: idsOf(all), asked: [1, 2], isWhole: true });
    expect(await collect(() => all, { isKnownWhole: true })).toMatchObject({ asked: [1] });
  });

  test('an array of one page each is read to its end', async () => {
    const result = await collect((page) => paged(20, 7, page));
    expect(result).toEqual({ ids: idsOf(items(0, 20)), asked: [1, 2, 3, 4], isWhole: false });
    expect(await collect((page) => paged(7, 7, page))).toMatchObject({ isWhole: false });
  });

  test('an array is whole where the contract has arrays', async () => {
    const result = await collect(() => items(0, 5), { isPaged: false });
    expect(result).toEqual({ ids: idsOf(items(0, 5)), asked: [undefined], isWhole: false });
  });

  test('pages where the contract has an array', async () => {
    const answer = (page: number) => ({ items: paged(45, 20, page), totalCount: 45 });
    const result = await collect(answer, { isPaged: false });
    expect(result).toEqual({ ids: idsOf(items(0, 45)), asked: [undefined, 2, 3], isWhole: false });
  });

  test('only its beginning', async () => {
    const answer = (page: number) => ({ items: paged(50, 7, page), totalCount: 50 });
    expect((await collect(answer, { atMost: 10 })).asked).toEqual([1, 2]);
    expect((await collect(answer, { atMost: 7 })).asked).toEqual([1]);
    expect((await collect(answer, { atMost: 60 })).ids).toHaveLength(50);
    expect((await collect((page) => paged(9, 7, page), { atMost: 10 })).asked).toEqual([1, 2, 3]);
    const short = () => ({ items: items(0, 5), totalCount: 5 });
    expect((await collect(short, { atMost: 100 })).asked).toEqual([1]);
    const lagging = (page: number) => ({ items: page === 1 ? items(0, 3) : [], totalCount: 5 });
    expect((await collect(lagging, { atMost: 100 })).asked).toEqual([1, 2]);
    expect((await collect(() => ({ items: [], totalCount: 5 }), { atMost: 9 })).asked).toEqual([1]);
  });

  test('doubles on one page count once', async () => {
    const answer = (page: number) => ({
      items: page === 1 ? [...items(0, 3), ...items(0, 1)] : items(3, 4),
      totalCount: 4,
    });
    expect(await collect(answer)).toMatchObject({ ids: ['i0', 'i1', 'i2', 'i3'], asked: [1, 2] });
  });
});

describe('a list that changes meanwhile', () => {
  test('is read again, so that nothing that moved up is missed', async () => {
    let all = items(0, 20);
    const result = await collect((page, count) => {
      if (count === 2) all = all.slice(1);
      return { items: all.slice((page - 1) * 10, page * 10), totalCount: all.length };
    });
    expect(result).toEqual({ ids: idsOf(items(1, 20)), asked: [1, 2, 1, 2], isWhole: false });
  });

  test('without end is given as far as any reading showed it', async () => {
    let total = 30;
    const result = await collect((page) => {
      total -= 1;
      return { items: items((page - 1) * 10, page * 10).slice(0, 10), totalCount: total };
    });
    expect(new Set(result.ids)).toEqual(new Set(idsOf(items(0, 30))));
    expect(result.asked).toHaveLength(9);
  });

  test('and counts what it does not show, is asked three times', async () => {
    const result = await collect((page) => ({
      items: page === 1 ? items(0, 3) : [],
      totalCount: 5,
    }));
    expect(result.ids).toEqual(['i0', 'i1', 'i2']);
    expect(result.asked).toHaveLength(6);
    expect((await collect(() => ({ items: [], totalCount: 5 }))).asked).toEqual([1, 1, 1]);
  });
});

test.each([
  ['an object', { data: [] }, 'an object with data instead of a list'],
  [
    'null where something is counted',
    { items: null, totalCount: 2 },
    'instead of a list of 2 items',
  ],
  ['a text', 'x', 'a string instead of a list'],
  ['a nonsense count', { items: [{ id: 'a' }], totalCount: 1e12 }, 'a list of 1000000000000 items'],
])('%s is no list', (_, answer, message) => expect(collect(() => answer)).rejects.toThrow(message));

test.each([{ items: null }, { items: null, totalCount: 0 }])(
  '%j is an empty list',
  async (answer) => expect(await collect(() => answer)).toMatchObject({ ids: [] }),
);

test('a total below zero means that nobody counts: all pages are read', async () => {
  const answer = (page: number) => ({
    items: items(0, 25).slice((page - 1) * 10, page * 10),
    totalCount: -1,
  });
  expect(await collect(answer)).toMatchObject({ ids: idsOf(items(0, 25)) });
});

test('an answer without a body is an empty list that nobody takes for a whole one', async () => {
  expect(await collect(() => undefined)).toMatchObject({ ids: [], isWhole: false });
});

property.prop([
  fc.nat(60),
  fc.integer({ min: 1, max: 25 }),
  fc.nat(10),
  fc.constantFrom('count', 'no count', 'arrays'),
])('any page size and overlap gives every item once', async (total, size, overlap, form) => {
  const step = Math.max(1, size - overlap);
  const result = await collect((page) => {
    const from = (page - 1) * step;
    const part = items(from, Math.min(total, from + size));
    if (form === 'arrays') return part;
    return { items: part, ...(form === 'count' && { totalCount: total }) };
  });
  expect(result.ids).toHaveLength(total);
  expect(new Set(result.ids)).toEqual(new Set(idsOf(items(0, total))));
});
