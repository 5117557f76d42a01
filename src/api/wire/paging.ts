import {
  describeJsonType,
  readWireCount,
  UnreadableAnswerError,
} from '../../model/wire/decode-fields.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Items that are asked for in a page: the most that the contract allows. */
export const pageSize = 100;

/** A list of the service that is read page by page to its end. */
export interface PagedList<Item> {
  /** Asks for one page, counted from 1, and behind so many items; undefined: for the list as it comes, without any paging. */
  readonly fetchPage: (page: number | undefined, offset: number) => Promise<unknown>;
  readonly decode: (wire: unknown) => Item;
  /** Tells whether the list is known to be paged. The service may do otherwise, and both are read. */
  readonly isPaged: boolean;
  /** Tells whether a page can be asked for only once the one before it has come. */
  readonly isSequential?: boolean;
  /** Tells whether this list was seen to give everything as a bare array, whatever page was asked for. */
  readonly isKnownWhole?: boolean;
  /** Called when the list turns out to be an unpaged, bare array. */
  readonly onWhole?: () => void;
  /** Stop when so many items are known: for lists of which only the beginning is wanted. */
  readonly atMost?: number;
}

/** Most items of a list: a service that announces more is not read on. */
const mostItems = 1_000_000;
/** Pages that are asked for together, before their items are looked at. */
const pagesAtOnce = 16;
/** The most times that a list is read over again because it changed between its pages. */
const mostPasses = 3;

/** A list that has, or announces, more items than are read. The message says how many. */
export class EndlessListError extends Error {
  override readonly name = 'EndlessListError';
}

interface Page {
  readonly items: readonly unknown[];
  /** Items of the whole list, over all pages; null when the answer does not say. */
  readonly totalCount: number | null;
  readonly isBare: boolean;
}

/**
 * Reads a list whole, each item once by its id, whatever the size of its pages. An item that moves to an earlier page
 * while we read (because one before it went away) would be missed, and a missed resource would be created again:
 * when the counts do not add up, the list is read again, and what any reading showed is kept.
 * @throws UnreadableAnswerError when an answer is neither a list nor a page, EndlessListError, and what `decode` throws.
 */
export async function readPagedList<Item extends { readonly id: string }>(
  list: PagedList<Item>,
): Promise<Item[]> {
  const seen = new Map<string, Item>();
  for (let pass = 1; ; pass += 1) {
    const found = new Map<string, Item>();
    const isConsistent = await readPass(list, found);
    if (isConsistent) return [...found.values()];
    for (const [id, item] of found) seen.set(id, item);
    if (pass === mostPasses) return [...seen.values()];
  }
}

/** Reads every page once into `found`. False when the counts do not add up. */
async function readPass<Item extends { readonly id: string }>(
  list: PagedList<Item>,
  found: Map<string, Item>,
): Promise<boolean> {
  const first = await readPageOf(list, list.isPaged ? 1 : undefined, 0);
  takeItems(list, first, found);
  // A bare array is whole where the contract has arrays, and where it proved to be.
  if (first.isBare && (!list.isPaged || list.isKnownWhole === true)) return true;
  const { totalCount: total } = first;
  const most = list.atMost ?? Number.POSITIVE_INFINITY;
  const wanted = Math.min(total ?? most, most);
  // Of a list whose beginning is enough, nothing can be missed that matters.
  const isUnchecked = total === null || list.atMost !== undefined;
  if (found.size >= wanted) return true;
  if (first.items.length === 0) return isUnchecked;

  const rest = { list, found, wanted, isUnchecked, first };
  const isCounted = total !== null && !list.isSequential;
  const lastPage = isCounted ? countPages(wanted, first.items.length) : 1;
  return (await readCounted(rest, lastPage)) ?? (await readOn(rest, lastPage + 1));
}

/** State of one reading of a list, once its first page is there. */
interface Rest<Item> {
  readonly list: PagedList<Item>;
  readonly found: Map<string, Item>;
  /** Items that the remaining pages should bring, by the total that the first page gave. */
  readonly wanted: number;
  /** Set where fewer items than that are no sign that one was missed. */
  readonly isUnchecked: boolean;
  readonly first: Page;
}

/** Reads the pages that the count of the first announces, some at once. Undefined where the list may go on behind them. */
async function readCounted<Item extends { readonly id: string }>(
  { list, found, wanted, isUnchecked, first }: Rest<Item>,
  lastPage: number,
): Promise<boolean | undefined> {
  for (let next = 2; next <= lastPage; next += pagesAtOnce) {
    const count = Math.min(pagesAtOnce, lastPage - next + 1);
    const numbers = Array.from({ length: count }, (_, i) => next + i);
    const pages = await Promise.all(
      numbers.map((page) => readPageOf(list, page, (page - 1) * first.items.length)),
    );
    const isNews = pages.map((page) => takeItems(list, page, found) > 0);
    // A count that shrinks meanwhile: something went away, and what stood behind it moved up.
    const hasShrunk = pages.some(
      ({ totalCount }) => totalCount !== null && totalCount < (first.totalCount ?? 0),
    );
    if (hasShrunk && !isUnchecked) return false;
    // A page that brings nothing new ends the list, whatever its count says.
    if (isNews.includes(false)) return isUnchecked || found.size >= wanted;
  }
  return undefined;
}

/** Reads pages until one brings nothing new, for lists without a count or with overlapping pages. */
async function readOn<Item extends { readonly id: string }>(
  { list, found, wanted, isUnchecked, first }: Rest<Item>,
  from: number,
): Promise<boolean> {
  let offset = (from - 1) * first.items.length;
  for (let next = from; found.size < wanted; next += 1) {
    const page = await readPageOf(list, next, offset);
    offset += page.items.length;
    if (takeItems(list, page, found) > 0) continue;
    if (first.isBare && next === 2 && page.items.length === first.items.length) list.onWhole?.();
    return isUnchecked;
  }
  return true;
}

async function readPageOf(
  list: PagedList<unknown>,
  page: number | undefined,
  offset: number,
): Promise<Page> {
  return readPage(await list.fetchPage(page, offset));
}

/**
 * Keeps the items of a page by their id and counts the new ones. @throws EndlessListError for more items than a list may
 * have
 */
function takeItems<Item extends { readonly id: string }>(
  list: PagedList<Item>,
  { items }: Page,
  found: Map<string, Item>,
): number {
  const before = found.size;
  if (items.length > mostItems) throw new EndlessListError(`a list of ${items.length} items`);
  for (const item of items.map(list.decode)) found.set(item.id, item);
  if (found.size > mostItems) throw new EndlessListError(`a list of more than ${mostItems} items`);
  return found.size - before;
}

/** Number of pages. The size of the first counts: a service may give smaller pages than it was asked for. */
function countPages(wanted: number, size: number): number {
  if (wanted > mostItems) throw new EndlessListError(`a list of ${wanted} items`);
  return Math.ceil(wanted / size);
}

/** Number of keys at most that a message names of a JSON answer in which no list was found. */
export const maxShownAnswerKeys = 8;

/** A page, or a bare array, which is a page that does not count. */
function readPage(wire: unknown): Page {
  // Only a 204 has no body, and only that of a list comes as far as here.
  if (wire === undefined) return { items: [], totalCount: null, isBare: true };
  if (Array.isArray(wire)) return { items: wire, totalCount: null, isBare: true };
  if (!isJsonObject(wire) || !(Array.isArray(wire.items) || wire.items === null)) {
    const keys = isJsonObject(wire) && Object.keys(wire).slice(0, maxShownAnswerKeys).join(', ');
    const seen = keys ? `${describeJsonType(wire)} with ${keys}` : describeJsonType(wire);
    throw new UnreadableAnswerError(`${seen} instead of a list`);
  }
  const totalCount = readWireCount(wire.totalCount);
  // Services may send null for an empty list; null with a total above zero is a fault.
  if (wire.items === null && (totalCount ?? 0) > 0) {
    throw new UnreadableAnswerError(`nothing instead of a list of ${totalCount} items`);
  }
  return { items: wire.items ?? [], totalCount, isBare: false };
}
