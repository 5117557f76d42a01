import type { LiveOf, Place } from '../model/account/live.ts';
import type { KindName } from '../model/resource.ts';
import type { Call, CallOptions } from './transport/call.ts';
import { classifyRefusal } from './errors/classify-error.ts';
import type { ServiceClient } from './client.ts';
import type { OperationId } from './contract/routes.ts';
import {
  decodeCatalogEntry,
  decodeConfiguration,
  decodeLiveToken,
  decodeNetwork,
  decodeOperation,
  decodePortForward,
  decodeProject,
  decodePublicIp,
  decodeSshKey,
  decodeVm,
} from './wire/decode.ts';
import { UnreadableAnswer } from '../model/wire/decode-fields.ts';
import { decodeLimits, decodeNameLengths } from './wire/decode-limits.ts';
import {
  NotTheServiceError,
  OutcomeUnknownError,
  ServiceError,
  UnusableAnswerError,
} from './errors/errors.ts';
import { collectPages, EndlessList, isPaged, pageSize } from './wire/paging.ts';
import type { Answer } from './wire/read-answer.ts';
import type { WireRequest } from './contract/types.ts';

/** Which operation records are wanted. */
export interface OperationFilter {
  /** Only those about this resource. */
  readonly resourceId?: string | undefined;
  /** How many of the newest records to look through, at least; 100 unless given. */
  readonly newest?: number | undefined;
}

/** A kind whose records stand in lists. The account's settings stand in two answers of their own: see account.ts. */
export type ListedKind = Exclude<KindName, 'account'>;

/** How one kind is read. */
interface KindReader<K extends ListedKind> {
  list(place: Place): WireRequest;
  get(place: Place, id: string): WireRequest;
  decode(wire: unknown, place: Place): LiveOf<K>;
}

const readers: { readonly [K in ListedKind]: KindReader<K> } = {
  project: {
    list: () => ({ operation: 'listProjects', params: {} }),
    get: (_, projectId) => ({ operation: 'getProject', params: { projectId } }),
    decode: decodeProject,
  },
  sshKey: {
    list: ({ projectId }) => ({ operation: 'listSshKeys', params: { projectId } }),
    get: ({ projectId }, sshKeyId) => ({ operation: 'getSshKey', params: { projectId, sshKeyId } }),
    decode: decodeSshKey,
  },
  network: {
    list: ({ projectId }) => ({ operation: 'listNetworks', params: { projectId } }),
    get: ({ projectId }, networkId) => ({
      operation: 'getNetwork',
      params: { projectId, networkId },
    }),
    decode: decodeNetwork,
  },
  publicIp: {
    list: ({ projectId }) => ({ operation: 'listPublicIps', params: { projectId } }),
    get: ({ projectId }, publicIpId) => ({
      operation: 'getPublicIp',
      params: { projectId, publicIpId },
    }),
    decode: decodePublicIp,
  },
  vm: {
    list: ({ projectId }) => ({ operation: 'listVms', params: { projectId } }),
    get: ({ projectId }, vmId) => ({ operation: 'getVm', params: { projectId, vmId } }),
    decode: decodeVm,
  },
  portForward: {
    list: ({ projectId, publicIpId = '' }) => ({
      operation: 'listPortForwards',
      params: { projectId, publicIpId },
    }),
    get: ({ projectId, publicIpId = '' }, portForwardId) => ({
      operation: 'getPortForward',
      params: { projectId, publicIpId, portForwardId },
    }),
    decode: decodePortForward,
  },
  accessToken: {
    list: () => ({ operation: 'listTokens', params: {} }),
    get: (_, tokenId) => ({ operation: 'getToken', params: { tokenId } }),
    decode: decodeLiveToken,
  },
};

/** The live record that an answer holds. @throws UnreadableAnswer when it holds none. */
export function decodeResource<K extends ListedKind>(
  kind: K,
  wire: unknown,
  place: Place,
): LiveOf<K> {
  return readers[kind].decode(wire, place);
}

/** The part of the client that reads. */
export interface Reader extends Pick<
  ServiceClient,
  'listOperations' | 'getOperation' | 'getCatalog' | 'getLimits' | 'getNameLengths'
> {
  list<K extends ListedKind>(kind: K, place: Place, options?: CallOptions): Promise<LiveOf<K>[]>;
  get<K extends ListedKind>(
    kind: K,
    place: Place,
    id: string,
    options?: CallOptions,
  ): Promise<LiveOf<K> | undefined>;
}

/** Reads through `call`, with every tolerance of the contract. */
export function createReader(call: Call): Reader {
  /** Lists that were seen to come as bare arrays, whole. */
  const wholeLists = new Set<OperationId>();

  const readOne = async <T>(
    request: WireRequest,
    decode: (wire: unknown) => T,
    options: CallOptions | undefined,
  ): Promise<T> => {
    const answer = await call(request, options);
    try {
      return decode(answer.body);
    } catch (error) {
      throw explainUnreadable(error, answer);
    }
  };

  const readIfPresent = async <T>(
    request: WireRequest,
    decode: (wire: unknown) => T,
    options: CallOptions | undefined,
  ): Promise<T | undefined> => {
    try {
      return await readOne(request, decode, options);
    } catch (error) {
      if (error instanceof ServiceError && classifyRefusal(error) === 'notFound') return undefined;
      throw error;
    }
  };

  const readList = async <T extends { readonly id: string }>(
    request: WireRequest,
    decode: (wire: unknown) => T,
    options: CallOptions | undefined,
    atMost?: number,
  ): Promise<T[]> => {
    let latest: Answer | undefined;
    try {
      return await collectPages({
        fetchPage: async (page) => {
          latest = await call(askForPage(request, page), options);
          return latest.body;
        },
        decode,
        isPaged: isPaged(request.operation),
        isKnownWhole: wholeLists.has(request.operation),
        onWhole: () => wholeLists.add(request.operation),
        ...(atMost !== undefined && { atMost }),
      });
    } catch (error) {
      throw latest ? explainUnreadable(error, latest) : error;
    }
  };

  return {
    list: (kind, place, options) =>
      readList(readers[kind].list(place), (wire) => decodeResource(kind, wire, place), options),
    get: (kind, place, id, options) =>
      readIfPresent(
        readers[kind].get(place, id),
        (wire) => decodeResource(kind, wire, place),
        options,
      ),

    listOperations: async (projectId, { resourceId, newest = pageSize } = {}, options) => {
      const query = resourceId === undefined ? {} : { resourceId };
      const request: WireRequest = { operation: 'listOperations', params: { projectId }, query };
      const records = await readList(request, decodeOperation, options, newest);
      // That the service filters is assumed: one that does not know the parameter answers all.
      return resourceId === undefined
        ? records
        : records.filter((record) => record.resourceId === resourceId);
    },
    getOperation: (projectId, operationId, options) =>
      readIfPresent(
        { operation: 'getOperation', params: { projectId, operationId } },
        decodeOperation,
        options,
      ),

    getCatalog: async (options) => {
      const [configurations, images, tariffs] = await Promise.all([
        readList({ operation: 'listConfigurations', params: {} }, decodeConfiguration, options),
        readList({ operation: 'listImages', params: {} }, decodeCatalogEntry, options),
        readList({ operation: 'listTariffs', params: {} }, decodeCatalogEntry, options),
      ]);
      return { configurations, images, tariffs };
    },
    getLimits: (options) => readOne({ operation: 'getLimits', params: {} }, decodeLimits, options),
    getNameLengths: (options) =>
      readOne({ operation: 'getNameLengthLimits', params: {} }, decodeNameLengths, options),
  };
}

/**
 * The request for one page. A list that the contract does not page is first asked for without a page, and on by number
 * alone when a page comes nevertheless: the service's own page size then stays the same throughout.
 */
export function askForPage(request: WireRequest, page: number | undefined): WireRequest {
  if (page === undefined) return request;
  const size = isPaged(request.operation) ? { pageSize } : {};
  return { ...request, query: { ...request.query, page, ...size } } as WireRequest;
}

/**
 * What an answer that does not decode means for whoever asked; any other error as it is. A change that was answered a
 * success was carried out, whoever may read what came of it.
 */
export function explainUnreadable(error: unknown, { request, status }: Answer): unknown {
  if (error instanceof EndlessList) {
    return new UnusableAnswerError(request, { code: 'list-too-long', seen: error.message });
  }
  if (!(error instanceof UnreadableAnswer)) return error;
  if (request.method !== 'GET') {
    return new OutcomeUnknownError(request, { lost: 'half-answer', seen: error.message });
  }
  return new NotTheServiceError(request, { status, seen: error.message });
}
