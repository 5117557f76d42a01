import type {
  Catalog,
  AccountLimits,
  LiveRecordOfKind,
  LiveResource,
  MaximumNameLengths,
  ResourcePlace,
} from '../model/account/live.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import type { KindName } from '../model/kind-places.ts';
import type {
  ResourceKindCodec,
  PartialAnswersCodec,
  RequestWithDecoder,
  ResourceKindCodecs,
} from './contract/codec.ts';
import type { OperationId } from './contract/routes.ts';
import type { WireRequest } from './contract/types.ts';
import { isNotFound } from './errors/classify-error.ts';
import type { ServiceCallOptions } from './wire/caller.ts';
import {
  decodeVmConfiguration,
  decodeImage,
  decodeOperation,
  decodeTariff,
} from './wire/decode.ts';
import { decodeAccountLimits, decodeNameLengthCaps } from './wire/decode-limits.ts';
import { pageSize } from './wire/paging.ts';
import type { CatalogEntryIdResolver } from './entry-ids.ts';
import type { ServiceClocks } from './service-clocks.ts';
import type { ServiceCaller } from './wire/caller.ts';
import { readServiceList, readServiceRecord } from './wire/reading.ts';

/** Number of the newest operation records that are read where the caller asks for no other number. */
export const defaultOperationRecordCount = pageSize;

/** Filter of operation records. */
export interface OperationRecordFilter {
  /** Returns only the operation records about this resource; about every resource when absent. */
  readonly resourceId?: string | undefined;
  /** Newest records to look through, at least so many; 100 unless given. */
  readonly newest?: number | undefined;
}

/** Options of reading a list. */
export interface ListOptions extends ServiceCallOptions {
  /**
   * Selects the items of the list that must be read completely, each by a single read, where the list holds only summaries; all
   * unless given.
   */
  readonly needsWhole?: ((live: LiveResource) => boolean) | undefined;
}

/** The part of the client that reads. Every method may fail as a `ServiceCall` does. */
export interface ServiceReader {
  /** Every resource of one kind in one place, each once; for projects the place means nothing. */
  list<K extends KindName>(
    kind: K,
    place: ResourcePlace,
    options?: ListOptions,
  ): Promise<readonly LiveRecordOfKind<K>[]>;

  /** When the oldest page of such a list was written, by the service's clock; undefined where it does not say. */
  servedAt(listed: readonly LiveResource[]): number | undefined;

  /** One resource; undefined when the service has none of that id (any more). */
  get<K extends KindName>(
    kind: K,
    place: ResourcePlace,
    id: string,
    options?: ServiceCallOptions,
  ): Promise<LiveRecordOfKind<K> | undefined>;

  /** The newest operation records of a project, newest first. */
  listOperations(
    projectId: string,
    filter?: OperationRecordFilter,
    options?: ServiceCallOptions,
  ): Promise<readonly LiveOperation[]>;
  /** One operation record; where the service has them in the list alone, undefined also for one that is not among the newest. */
  getOperation(
    projectId: string,
    operationId: string,
    options?: ServiceCallOptions,
  ): Promise<LiveOperation | undefined>;

  getCatalog(options?: ServiceCallOptions): Promise<Catalog>;
  getLimits(options?: ServiceCallOptions): Promise<AccountLimits>;
  getNameLengths(options?: ServiceCallOptions): Promise<MaximumNameLengths>;
}

/** Facts about the service that earlier answers gave, by which later ones are read. */
interface ReaderMemory {
  readonly clocks: ServiceClocks;
  readonly entryIds: CatalogEntryIdResolver;
}

/**
 * Reads through `caller`, with every tolerance of the contract: times by the clock of `Date`, and entries by the catalog's own
 * ids, as far as these are known.
 */
export function createServiceReader(
  caller: ServiceCaller,
  kinds: ResourceKindCodecs,
  { clocks, entryIds }: ReaderMemory,
): ServiceReader {
  const readings = new Readings(caller);
  return {
    ...readResources(readings, kinds, { clocks, entryIds }),
    ...readOperations(readings, clocks),
    getCatalog: (options) => entryIds.note(readCatalog(readings, options)),
    getLimits: (options) => {
      const request: WireRequest = { operation: 'getLimits', params: {} };
      return readings.one({ request, decode: (wire) => decodeAccountLimits(wire, kinds) }, options);
    },
    getNameLengths: (options) => {
      const request: WireRequest = { operation: 'getNameLengthLimits', params: {} };
      return readings.one(
        { request, decode: (wire) => decodeNameLengthCaps(wire, kinds) },
        options,
      );
    },
  };
}

/** The reads that a client offers, all sent through the same caller so that they share its limits. */
class Readings {
  readonly #caller: ServiceCaller;
  /** Operations whose lists came unpaged, as bare arrays, so that no second page is asked for. */
  readonly #wholeLists = new Set<OperationId>();
  readonly #servedAt = new WeakMap<object, number>();

  constructor(caller: ServiceCaller) {
    this.#caller = caller;
  }

  one<T>(reading: RequestWithDecoder<T>, options: ServiceCallOptions | undefined): Promise<T> {
    return readServiceRecord(this.#callerWith(options), reading);
  }

  /** Tells whether the contract file binds the operation of a request; unbound ones are never sent. */
  isBound({ operation }: WireRequest): boolean {
    return this.#caller.dialect?.lacks(operation) === undefined;
  }

  /** Reads an answer; undefined where the service answers that there is nothing (status 404). */
  async ifPresent<T>(
    reading: RequestWithDecoder<T>,
    options: ServiceCallOptions | undefined,
  ): Promise<T | undefined> {
    try {
      return await this.one(reading, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async list<T extends { readonly id: string }>(
    reading: RequestWithDecoder<T>,
    options: ServiceCallOptions | undefined,
    atMost?: number,
  ): Promise<T[]> {
    let oldest: number | undefined;
    const listed = await readServiceList(this.#callerWith(options), reading, {
      atMost,
      wholeLists: this.#wholeLists,
      onPage: ({ servedAt = oldest }) => {
        if (servedAt !== undefined) oldest = Math.min(servedAt, oldest ?? servedAt);
      },
    });
    if (oldest !== undefined) this.#servedAt.set(listed, oldest);
    return listed;
  }

  /** The items of a list in another reading, which was written when the list was. */
  replace<T>(listed: readonly T[], items: readonly T[]): readonly T[] {
    const servedAt = this.servedAt(listed);
    if (servedAt !== undefined) this.#servedAt.set(items, servedAt);
    return items;
  }

  servedAt(listed: readonly unknown[]): number | undefined {
    return this.#servedAt.get(listed);
  }

  #callerWith(options: ServiceCallOptions | undefined): ServiceCaller {
    const { call, dialect } = this.#caller;
    return { call: (request) => call(request, options), dialect };
  }
}

function readResources(
  readings: Readings,
  kinds: ResourceKindCodecs,
  { clocks, entryIds }: ReaderMemory,
): Pick<ServiceReader, 'list' | 'servedAt' | 'get'> {
  // The registry treats all kinds alike, so its type cannot say that a codec reads the records of its own kind.
  const codecOf = <K extends KindName>(kind: K) =>
    kinds[kind].wire as unknown as ResourceKindCodec<K>;

  /** The one record of a kind that has answers of its own. */
  const readParts = async <K extends KindName>(
    { parts }: PartialAnswersCodec<K>,
    options: ServiceCallOptions | undefined,
  ): Promise<LiveRecordOfKind<K>> => {
    const records = await Promise.all(parts.map((part) => readings.one(part, options)));
    return Object.assign({}, ...records) as LiveRecordOfKind<K>;
  };

  return {
    list: async (kind, place, options) => {
      const codec = codecOf(kind);
      if ('parts' in codec) return [await readParts(codec, options)];
      const decode = (wire: unknown) => codec.decode(wire, place);
      const listed = await readings.list({ request: codec.list(place), decode }, options);
      const unified = await entryIds.unifyAll(listed, codec.entries);
      return readings.replace(
        listed,
        unified.map((live) => clocks.readResource(live)),
      );
    },
    servedAt: (listed) => readings.servedAt(listed),
    get: async (kind, place, id, options) => {
      const codec = codecOf(kind);
      if ('parts' in codec) return readParts(codec, options);
      const decode = (wire: unknown) => codec.decode(wire, place);
      const request = codec.get(place, id);
      const live = readings.isBound(request)
        ? await readings.ifPresent({ request, decode }, options)
        : (await readings.list({ request: codec.list(place), decode }, options)).find(
            (one) => one.id === id,
          );
      return live && clocks.readResource(await entryIds.unify(live, codec.entries));
    },
  };
}

function readOperations(
  readings: Readings,
  clocks: ServiceClocks,
): Pick<ServiceReader, 'listOperations' | 'getOperation'> {
  const decode = (wire: unknown) => clocks.readOperation(decodeOperation(wire));
  return {
    listOperations: async (
      projectId,
      { resourceId, newest = defaultOperationRecordCount } = {},
      options,
    ) => {
      const query = resourceId === undefined ? {} : { resourceId };
      const request: WireRequest = { operation: 'listOperations', params: { projectId }, query };
      const records = await readings.list({ request, decode }, options, newest);
      // That the service filters is assumed: one that does not know the parameter answers all.
      return resourceId === undefined
        ? records
        : records.filter((record) => record.resourceId === resourceId);
    },
    getOperation: async (projectId, operationId, options) => {
      const params = { projectId, operationId };
      const request: WireRequest = { operation: 'getOperation', params };
      if (readings.isBound(request)) return readings.ifPresent({ request, decode }, options);
      const all: WireRequest = { operation: 'listOperations', params: { projectId } };
      const records = await readings.list(
        { request: all, decode },
        options,
        defaultOperationRecordCount,
      );
      return records.find(({ id }) => id === operationId);
    },
  };
}

async function readCatalog(
  readings: Readings,
  options: ServiceCallOptions | undefined,
): Promise<Catalog> {
  const list = <T extends { readonly id: string }>(
    operation: 'listConfigurations' | 'listImages' | 'listTariffs',
    decode: (wire: unknown) => T,
  ) => readings.list({ request: { operation, params: {} }, decode }, options);
  const [configurations, images, tariffs] = await Promise.all([
    list('listConfigurations', decodeVmConfiguration),
    list('listImages', decodeImage),
    list('listTariffs', decodeTariff),
  ]);
  return { configurations, images, tariffs };
}
