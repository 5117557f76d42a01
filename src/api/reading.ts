import type { ServiceClient } from './client.ts';
import { collectPages, isPaged } from './paging.ts';
import type { Answer } from './read-answer.ts';
import { askForPage, explainUnreadable } from './reader.ts';
import type { WireRequest } from './request.ts';

/** All that a reading needs of the client. */
export type Caller = Pick<ServiceClient, 'call'>;

/** Sends a request and reads the record that it answers. @throws ApiError, also for an answer that is not readable */
export async function readOne<T>(
  client: Caller,
  request: WireRequest,
  decode: (wire: unknown) => T,
): Promise<T> {
  const answer = await client.call(request);
  try {
    return decode(answer.body);
  } catch (error) {
    throw explainUnreadable(error, answer);
  }
}

/** Reads a list, paged or not, whole or at least `atMost` of its beginning. @throws ApiError */
export async function readAll<T extends { readonly id: string }>(
  client: Caller,
  request: WireRequest,
  decode: (wire: unknown) => T,
  atMost?: number,
): Promise<T[]> {
  let latest: Answer | undefined;
  try {
    const items = await collectPages({
      fetchPage: async (page) => {
        latest = await client.call(askForPage(request, page));
        return latest.body;
      },
      decode,
      isPaged: isPaged(request.operation),
      ...(atMost !== undefined && { atMost }),
    });
    return atMost === undefined ? items : items.slice(0, atMost);
  } catch (error) {
    throw latest ? explainUnreadable(error, latest) : error;
  }
}
