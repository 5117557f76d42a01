// Reads single records and lists from the service, with every tolerance of the contract.
import { readWireReference, UnreadableAnswerError } from '../../model/wire/decode-fields.ts';
import { type RequestedListPage, untranslatedServiceDialect } from '../binding/dialect.ts';
import { operationPurposes } from '../contract/operation-needs.ts';
import type { ListPaging } from '../../model/account/binding.ts';
import type { RequestWithDecoder } from '../contract/codec.ts';
import type { OperationId } from '../contract/routes.ts';
import type { WireRequest } from '../contract/types.ts';
import { ForeignAnswerError, OutcomeUnknownError, UnusableAnswerError } from '../errors/errors.ts';
import type { ServiceCaller } from './caller.ts';
import { readPagedList, EndlessListError, maxShownAnswerKeys, pageSize } from './paging.ts';
import { excerptHtmlText } from './problem.ts';
import type { ServiceAnswer } from './read-answer.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Sends a request and reads the record that it answers. @throws ApiError, also for an answer that is not readable */
export async function readServiceRecord<T>(
  client: ServiceCaller,
  { request, decode }: RequestWithDecoder<T>,
): Promise<T> {
  // Reads as an answer of a service that leaves out every member.
  if (isDispensable(client, request.operation)) return decode({});
  const answer = await client.call(request);
  try {
    return decode(answer.body);
  } catch (error) {
    throw explainUnreadable(error, answer);
  }
}

/** Sends a change that is to answer the record; when it answers something else, the record is read. @throws ApiError */
export async function changeServiceRecord<T>(
  client: ServiceCaller,
  change: WireRequest,
  reading: RequestWithDecoder<T>,
): Promise<T> {
  const { body } = await client.call(change);
  try {
    return reading.decode(body);
  } catch (error) {
    if (!(error instanceof UnreadableAnswerError)) throw error;
    return readServiceRecord(client, reading);
  }
}

/** True for an operation that the service lacks and the engine can do without. */
function isDispensable({ dialect }: ServiceCaller, operation: OperationId): boolean {
  const isLacking = dialect?.lacks(operation) !== undefined;
  return isLacking && operationPurposes[operation].without !== undefined;
}

/** Bounds and hooks of the reading of a list. */
interface ListOptions {
  /** Number of items after which reading stops; the whole list is read when absent. */
  readonly atMost?: number | undefined;
  /** Lists that were seen to come as bare arrays, whole; noted here when they are. */
  readonly wholeLists?: Set<OperationId>;
  /** Called with the answer of each page of the list. */
  readonly onPage?: (answer: ServiceAnswer) => void;
}

/** Reads a list, paged or not, whole or at least `atMost` of its beginning. @throws ApiError */
export async function readServiceList<T extends { readonly id: string }>(
  client: ServiceCaller,
  { request, decode }: RequestWithDecoder<T>,
  { atMost, wholeLists, onPage }: ListOptions = {},
): Promise<T[]> {
  if (isDispensable(client, request.operation)) return [];
  let latest: ServiceAnswer | undefined;
  const { dialect = untranslatedServiceDialect } = client;
  const paging = dialect.pagingOf(request.operation);
  try {
    return await readPagedList({
      fetchPage: async (page, offset) => {
        const cursor = page === 1 ? undefined : readNext(latest);
        if (paging?.by === 'cursor' && page !== 1 && cursor === undefined) return [];
        const asked =
          page === undefined ? request : askForPage(request, paging, { page, offset, cursor });
        latest = await client.call(asked);
        onPage?.(latest);
        return latest.body;
      },
      decode,
      isPaged: paging !== undefined,
      isSequential: paging?.by === 'cursor',
      isKnownWhole: wholeLists?.has(request.operation) === true,
      onWhole: () => wholeLists?.add(request.operation),
      ...(atMost !== undefined && { atMost }),
    });
  } catch (error) {
    throw latest ? explainUnreadable(error, latest) : error;
  }
}

/**
 * The request for one page. A list that is not paged is first asked for without a page, and on by number alone when a page
 * comes nevertheless: the service's own page size then stays the same throughout.
 */
function askForPage(
  request: WireRequest,
  paging: ListPaging | undefined,
  { page, offset, cursor }: RequestedListPage,
): WireRequest {
  const by = paging?.by ?? 'page';
  const mark = by === 'page' ? { page } : by === 'offset' ? { offset } : { cursor };
  const size = paging ? { pageSize } : {};
  return { ...request, query: { ...request.query, ...mark, ...size } } as WireRequest;
}

/** The mark of the page that follows; undefined behind the last one. */
function readNext(answer: ServiceAnswer | undefined): string | undefined {
  const next = isJsonObject(answer?.body) ? readWireReference(answer.body.next) : null;
  return next ?? undefined;
}

/**
 * Error of a request whose answer does not decode; other errors pass as they are. A change that was answered a success
 * was carried out, so its outcome is unknown and not refused.
 */
function explainUnreadable(error: unknown, { request, status, body }: ServiceAnswer): unknown {
  if (error instanceof EndlessListError) {
    return new UnusableAnswerError(request, { code: 'list-too-long', seen: error.message });
  }
  if (!(error instanceof UnreadableAnswerError)) return error;
  if (request.method !== 'GET') {
    return new OutcomeUnknownError(request, { lost: 'half-answer', seen: error.message });
  }
  const all = isJsonObject(body) ? Object.keys(body) : [];
  const keys = all.length === 0 ? undefined : all.slice(0, maxShownAnswerKeys).map(excerptHtmlText);
  return new ForeignAnswerError(request, { status, seen: error.message, keys });
}
