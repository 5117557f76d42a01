import type { Catalog, Limits, LiveOf, NameLengths, Place } from '../model/account/live.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import type { KindName } from '../model/kind-places.ts';
import type { Codec, PartsCodec, Reading, Codecs } from './contract/codec.ts';
import type { OperationId } from './contract/routes.ts';
import type { WireRequest } from './contract/types.ts';
import { isNotFound } from './errors/classify-error.ts';
import type { Call, CallOptions } from './transport/call.ts';
import { decodeCatalogEntry, decodeConfiguration, decodeOperation } from './wire/decode.ts';
import { decodeLimits, decodeNameLengths } from './wire/decode-limits.ts';
import { pageSize } from './wire/paging.ts';
import { readAll, readOne } from './wire/reading.ts';

/** Which operation records are wanted. */
export interface OperationFilter {
  /** Only those about this resource. */
  readonly resourceId?: string | undefined;
  /** How many of the newest records to look through, at least; 100 unless given. */
  readonly newest?: number | undefined;
}

/** The part of the client that reads. Every method may throw what a `Call` throws. */
export interface Reader {
  /** Every resource of one kind in one place, each once; for projects the place means nothing. */
  list<K extends KindName>(
    kind: K,
    place: Place,
    options?: CallOptions,
  ): Promise<readonly LiveOf<K>[]>;

  /** One resource; undefined when the service has none of that id (any more). */
  get<K extends KindName>(
    kind: K,
    place: Place,
    id: string,
    options?: CallOptions,
  ): Promise<LiveOf<K> | undefined>;

  /** The newest operation records of a project, newest first. */
  listOperations(
    projectId: string,
    filter?: OperationFilter,
    options?: CallOptions,
  ): Promise<readonly LiveOperation[]>;
  getOperation(
    projectId: string,
    operationId: string,
    options?: CallOptions,
  ): Promise<LiveOperation | undefined>;

  getCatalog(options?: CallOptions): Promise<Catalog>;
  getLimits(options?: CallOptions): Promise<Limits>;
  getNameLengths(options?: CallOptions): Promise<NameLengths>;
}

/** Reads through `call`, with every tolerance of the contract. */
export function createReader(call: Call, kinds: Codecs): Reader {
  /** Lists that were seen to come as bare arrays, whole. */
  const wholeLists = new Set<OperationId>();

  const read = <T>(reading: Reading<T>, options: CallOptions | undefined): Promise<T> =>
    readOne({ call: (request) => call(request, options) }, reading);

  const readIfPresent = async <T>(
    reading: Reading<T>,
    options: CallOptions | undefined,
  ): Promise<T | undefined> => {
    try {
      return await read(reading, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };

  const readList = <T extends { readonly id: string }>(
    reading: Reading<T>,
    options: CallOptions | undefined,
    atMost?: number,
  ): Promise<T[]> =>
    readAll({ call: (request) => call(request, options) }, reading, { atMost, wholeLists });

  /** The one record of a kind that stands in answers of its own. */
  const readParts = async <K extends KindName>(
    { parts }: PartsCodec<K>,
    options: CallOptions | undefined,
  ): Promise<LiveOf<K>> => {
    const records = await Promise.all(parts.map((one) => read(one, options)));
    return Object.assign({}, ...records) as LiveOf<K>;
  };

  // The registry treats all kinds alike, so its type cannot say that a codec reads the records of its own kind.
  const codecOf = <K extends KindName>(kind: K) => kinds[kind].wire as unknown as Codec<K>;

  return {
    list: async (kind, place, options) => {
      const codec = codecOf(kind);
      return 'parts' in codec
        ? [await readParts(codec, options)]
        : readList(
            { request: codec.list(place), decode: (wire) => codec.decode(wire, place) },
            options,
          );
    },
    get: (kind, place, id, options) => {
      const codec = codecOf(kind);
      return 'parts' in codec
        ? readParts(codec, options)
        : readIfPresent(
            { request: codec.get(place, id), decode: (wire) => codec.decode(wire, place) },
            options,
          );
    },

    listOperations: async (projectId, { resourceId, newest = pageSize } = {}, options) => {
      const query = resourceId === undefined ? {} : { resourceId };
      const request: WireRequest = { operation: 'listOperations', params: { projectId }, query };
      const records = await readList({ request, decode: decodeOperation }, options, newest);
      // That the service filters is assumed: one that does not know the parameter answers all.
      return resourceId === undefined
        ? records
        : records.filter((record) => record.resourceId === resourceId);
    },
    getOperation: (projectId, operationId, options) =>
      readIfPresent(
        {
          request: { operation: 'getOperation', params: { projectId, operationId } },
          decode: decodeOperation,
        },
        options,
      ),

    getCatalog: async (options) => {
      const [configurations, images, tariffs] = await Promise.all([
        readList(
          { request: { operation: 'listConfigurations', params: {} }, decode: decodeConfiguration },
          options,
        ),
        readList(
          { request: { operation: 'listImages', params: {} }, decode: decodeCatalogEntry },
          options,
        ),
        readList(
          { request: { operation: 'listTariffs', params: {} }, decode: decodeCatalogEntry },
          options,
        ),
      ]);
      return { configurations, images, tariffs };
    },
    getLimits: (options) =>
      read(
        {
          request: { operation: 'getLimits', params: {} },
          decode: (wire) => decodeLimits(wire, kinds),
        },
        options,
      ),
    getNameLengths: (options) =>
      read(
        {
          request: { operation: 'getNameLengthLimits', params: {} },
          decode: (wire) => decodeNameLengths(wire, kinds),
        },
        options,
      ),
  };
}
