import type { ServiceClient } from '../client.ts';
import { UnreadableAnswer } from '../../model/wire/decode-fields.ts';
import { collectPages, isPaged } from './paging.ts';
import type { Answer } from './read-answer.ts';
import { askForPage, explainUnreadable } from '../reader.ts';
import type { WireRequest } from '../contract/types.ts';

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

/** Sends a change that is to answer the record; when it answers something else, the record is read. @throws ApiError */
export async function changeOne<T>(
  client: Caller,
  change: WireRequest,
  read: WireRequest,
  decode: (wire: unknown) => T,
): Promise<T> {
  const { body } = await client.call(change);
  try {
    return decode(body);
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return readOne(client, read, decode);
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
    return await collectPages({
      fetchPage: async (page) => {
        latest = await client.call(askForPage(request, page));
        return latest.body;
      },
      decode,
      isPaged: isPaged(request.operation),
      ...(atMost !== undefined && { atMost }),
    });
  } catch (error) {
    throw latest ? explainUnreadable(error, latest) : error;
  }
}
