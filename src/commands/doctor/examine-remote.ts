// Checks of `doctor` on a service that is reached over the network.
import { ServiceDialect } from '../../api/binding/dialect.ts';
import type { BoundContractFile } from '../../model/account/service.ts';
import { findContractFile } from '../session/resolve-contract.ts';
import { createNoRetryCaller } from '../../api/transport/ask-once.ts';
import { classifyRefusal } from '../../api/errors/classify-error.ts';
import { describeError } from '../../api/errors/describe-error.ts';
import { ApiError, ServiceError } from '../../api/errors/errors.ts';
import { decodeAccountLimits } from '../../api/wire/decode-limits.ts';
import {
  findServiceOpenApiFile,
  contractOperationCount,
  type ServiceOpenApiFile,
} from '../../api/wire/published-contract.ts';
import type { ServiceCaller } from '../../api/wire/caller.ts';
import { readServiceRecord } from '../../api/wire/reading.ts';
import { resolveToken } from '../../api/transport/token.ts';
import { noteServiceClockDifference } from '../../kinds/recognise/create-findings.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { DoctorCheckUp } from '../../model/account/check-up.ts';
import type { HttpExchange } from '../../model/http.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { lostCreateSearchBounds } from '../../model/state/evidence.ts';
import type { Runtime } from '../../model/runtime.ts';
import { attemptCheckUp, type CheckUpAttempt } from './attempt.ts';
import { examineToken } from './examine-token.ts';
import { makeFailedCheckUp, makeSkippedCheckUp } from './make-check-up.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { isUnencryptedAddress, type RemoteServiceAddress } from '../session/locate-service.ts';
import { logRequests } from '../session/log-requests.ts';
import { openServiceNetwork, type ServiceNetwork } from '../session/service-network.ts';

/**
 * Results of the checks of a service that could not be reached: the token where it is wrong in itself, and the others as skipped.
 */
export function reportUnreachableService(
  token: CheckUpAttempt<string>,
  why: string,
): DoctorCheckUp[] {
  return [
    'fault' in token
      ? makeFailedCheckUp('token', 'failure', token.fault)
      : makeSkippedCheckUp('token', `A token is set, and could not be tried: ${lower(why)}`),
    makeSkippedCheckUp('scopes', why),
    makeSkippedCheckUp('clock', why),
    makeSkippedCheckUp('contract', why),
  ];
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A request of `doctor`, answered or failed, with its measurements. */
interface Probe {
  readonly error: ApiError | undefined;
  readonly elapsedMs: number;
  /** Lead of the service's clock over ours; undefined where its answer has no `Date` header. */
  readonly aheadMs: number | undefined;
}

/** The connection to the service, and the resources that are wanted there. */
interface RemoteSubject {
  readonly maxConnections?: number | undefined;
  /** Resources of the configuration; undefined where it could not be read. */
  readonly resources: readonly DesiredResource[] | undefined;
  /** The service's spelling of the contract; absent where the contract file could not be read. */
  readonly contract?: BoundContractFile | 'unusable' | undefined;
}

/** Checks address, token, scopes, clock and contract of a remote service. */
export async function examineRemote(
  runtime: Pick<
    Runtime,
    'clock' | 'cwd' | 'env' | 'execute' | 'openNetwork' | 'stderr' | 'tokenCommand'
  >,
  place: RemoteServiceAddress,
  { maxConnections, resources, contract }: RemoteSubject,
): Promise<readonly DoctorCheckUp[]> {
  const opened = await attemptCheckUp(() => openServiceNetwork(runtime, place, maxConnections));
  if ('fault' in opened) {
    const token = await attemptCheckUp(() => resolveToken(runtime));
    const why = 'The connection cannot be secured';
    return [
      makeFailedCheckUp('address', 'failure', opened.fault),
      ...reportUnreachableService(token, why),
    ];
  }
  const network = opened.value;
  try {
    const exchange = logRequests(runtime, network.exchange);
    const way = describeWay(place, network, maxConnections !== undefined);
    const bound = await attemptCheckUp(() => findContractFile(runtime, { contract }));
    if ('fault' in bound) return [makeFailedCheckUp('contract', 'failure', bound.fault)];
    const dialect = new ServiceDialect(bound.value?.binding);
    const asked = { baseUrl: place.baseUrl, way, exchange, resources, dialect };
    const found = await askService(runtime, asked);
    return [
      ...network.warnings.map((one) => makeFailedCheckUp('address', 'warning', one)),
      ...found,
    ];
  } finally {
    network.close();
  }
}

/** Describes the connection beside its address: settings that differ from the usual ones. */
function describeWay(
  { tls, leavesTlsOut }: RemoteServiceAddress,
  { maxConnections, identity }: ServiceNetwork,
  isLimited: boolean,
): string {
  const { authorities } = tls ?? {};
  const until = identity && new Date(identity.validUntil).toISOString().slice(0, 10);
  return [
    ...(isLimited ? [`At most ${formatCountWithNoun('connection', maxConnections)}.`] : []),
    ...(authorities
      ? [`Trusts the certificate authorities in ${authorities.file} besides the known ones.`]
      : []),
    ...(identity
      ? [`Shows the client certificate ${identity.certFile}, valid until ${until}.`]
      : []),
    ...(leavesTlsOut
      ? ['HOSTWRIGHT_BASE_URL gives the address, so `service.tls` is not used.']
      : []),
  ].join(' ');
}

interface Asked extends Pick<RemoteSubject, 'resources'> {
  readonly baseUrl: string;
  readonly dialect: ServiceDialect;
  /** Description of the way to the service, such as its proxy; may be empty. */
  readonly way: string;
  readonly exchange: HttpExchange;
}

async function askService(
  runtime: Pick<Runtime, 'clock' | 'env' | 'execute' | 'tokenCommand'>,
  { baseUrl, way, exchange, resources, dialect }: Asked,
): Promise<readonly DoctorCheckUp[]> {
  const { clock } = runtime;
  const token = await attemptCheckUp(() => resolveToken(runtime));
  let aheadMs: number | undefined;
  let recordsAheadMs = 0;
  const caller = createNoRetryCaller(baseUrl, {
    clock,
    dialect,
    // Without a token, a refusal still proves that the service is there.
    token: 'value' in token ? token.value : 'none',
    exchange: async (request) => {
      const sentAt = clock.now();
      const response = await exchange(request);
      const date = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(date)) {
        aheadMs = date - (sentAt + clock.now()) / 2;
        recordsAheadMs = Math.max(recordsAheadMs, findYoungest(response.text) - date);
      }
      return response;
    },
  });
  const startedAt = clock.now();
  const error = await probe(caller);
  const elapsedMs = clock.now() - startedAt;
  const address = tellWay(examineAddress(baseUrl, { error, elapsedMs, aheadMs }), way);
  if (address.outcome === 'failure') {
    return [address, ...reportUnreachableService(token, 'The service does not answer')];
  }
  const [ofToken, published] = await Promise.all([
    'fault' in token
      ? [
          makeFailedCheckUp('token', 'failure', token.fault),
          makeSkippedCheckUp('scopes', 'There is no token that could be tried'),
        ]
      : examineToken({ runtime, caller, error, resources }),
    findServiceOpenApiFile(baseUrl, { exchange, clock }),
  ]);
  return [
    address,
    ...ofToken,
    examineClock(aheadMs),
    ...examineRecordClock(recordsAheadMs),
    examineContract(published),
  ];
}

function tellWay(address: DoctorCheckUp, way: string): DoctorCheckUp {
  if (way === '') return address;
  return { ...address, detail: address.detail === undefined ? way : `${address.detail} ${way}` };
}

/** Sends a request that every access token may make, to see whether the service answers. */
async function probe(caller: ServiceCaller): Promise<ApiError | undefined> {
  try {
    await readServiceRecord(caller, {
      request: { operation: 'getLimits', params: {} },
      decode: (wire) => decodeAccountLimits(wire, kindRegistry),
    });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function examineAddress(baseUrl: string, { error, elapsedMs }: Probe): DoctorCheckUp {
  const name = 'address';
  const meaning = error instanceof ServiceError ? classifyRefusal(error) : undefined;
  if (error && meaning !== 'unauthorized' && meaning !== 'forbidden') {
    const outcome = meaning === 'rateLimited' ? 'warning' : 'failure';
    return makeFailedCheckUp(name, outcome, describeError(error));
  }
  const summary = `${baseUrl} answered within ${Math.max(1, Math.ceil(elapsedMs))} ms`;
  if (isUnencryptedAddress(baseUrl)) {
    return makeFailedCheckUp(name, 'warning', {
      code: 'unencrypted',
      summary,
      detail: 'The connection is not encrypted: who is on the way can read the access token.',
      hint: 'Use an address that begins with https://.',
    });
  }
  return { name, outcome: 'ok', summary };
}

/** The latest time at which a record of an answer says that something has happened. */
function findYoungest(text: string): number {
  const times = text.matchAll(/"(?:createdAt|completedAt|lastUsedAt)"\s*:\s*"([^"]+)"/g);
  return [...times].reduce(
    (youngest, [, time = '']) => Math.max(youngest, Date.parse(time) || 0),
    Number.NEGATIVE_INFINITY,
  );
}

/** The clock of the service's records: `aheadMs` is how far it is ahead of its `Date` headers. */
export function examineRecordClock(aheadMs: number | undefined = 0): DoctorCheckUp[] {
  if (Math.abs(aheadMs) <= lostCreateSearchBounds.clockSkewMs) return [];
  return [makeFailedCheckUp('clock', 'warning', noteServiceClockDifference(aheadMs))];
}

const smallSkewMs = 30_000;
const largeSkewMs = 300_000;

function examineClock(aheadMs: number | undefined): DoctorCheckUp {
  const name = 'clock';
  if (aheadMs === undefined)
    return makeSkippedCheckUp(name, 'The service does not say what time it is');
  const skewMs = Math.abs(aheadMs);
  const off = `${Math.round(skewMs / 1_000)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the service's`;
  if (skewMs <= smallSkewMs) {
    // Differences below two seconds are within the precision of the `Date` header.
    const summary = skewMs < 2_000 ? "The same time as the service's" : `It is ${off}`;
    return { name, outcome: 'ok', summary };
  }
  return makeFailedCheckUp(name, skewMs > largeSkewMs ? 'failure' : 'warning', {
    code: 'clock-skew',
    summary: `The clock of this machine is ${off}`,
    detail: 'The clock decides when access tokens expire and which operations are older.',
    hint: 'Synchronize the clock with a time server.',
  });
}

const listedAtMost = 5;

/** Compares the OpenAPI file that the service publishes with the operations that Hostwright uses. */
function examineContract(published: ServiceOpenApiFile | undefined): DoctorCheckUp {
  const name = 'contract';
  if (!published) {
    const summary = 'The service publishes no OpenAPI file where one is looked for';
    return { name, outcome: 'skipped', summary };
  }
  const { difference } = published;
  const { pathname } = new URL(published.url);
  const { missing, unknown } = difference;
  const more = unknown.length > 0 ? `It has ${unknown.length} that are not used here.` : '';
  if (missing.length === 0) {
    const summary = `All ${contractOperationCount} operations are in its ${pathname}`;
    return { name, outcome: 'ok', summary, ...(more !== '' && { detail: more }) };
  }
  const listed = missing.slice(0, listedAtMost).join(', ');
  const rest = missing.length - listedAtMost;
  return makeFailedCheckUp(name, 'warning', {
    code: 'contract-differs',
    summary: `${missing.length} of ${contractOperationCount} operations are not in its ${pathname}`,
    detail: `${listed}${rest > 0 ? ` and ${rest} more` : ''}. ${more}`.trim(),
    hint: 'Bind the service to a contract file: save its document, and run "hostwright contract bind FILE". Requests that use these will fail.',
  });
}
