import { ServiceDialect } from '../../api/binding/dialect.ts';
import { createServiceClient, type ServiceClientOptions } from '../../api/client.ts';
import type { RequestAttemptEvent } from '../../api/transport/attempt.ts';
import { exchangeByFetch } from '../../api/transport/exchange-by-fetch.ts';
import { resolveToken } from '../../api/transport/token.ts';
import type { Configuration } from '../../config/load-configuration.ts';
import type { AccountConnection } from '../../engine/account-link.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { Binding } from '../../model/account/binding.ts';
import type { ServiceSection } from '../../model/account/service.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { sandboxServerHeader, type HttpExchange } from '../../model/http.ts';
import type { ConnectingRuntime, Runtime } from '../../model/runtime.ts';
import { locateSandboxDataFile } from '../../sandbox/data-file.ts';
import {
  isSandboxOverridden,
  locateService,
  type RemoteServiceAddress,
  type SandboxServiceLocation,
  type StateServiceBinding,
} from './locate-service.ts';
import { logRequests } from './log-requests.ts';
import type { Reporter } from './reporter.ts';
import { resolveContractFile } from './resolve-contract.ts';
import { defaultMaxConnections, openServiceNetwork } from './service-network.ts';

/** A connection to the service, with its client. */
export interface ServiceConnection extends AccountConnection {
  /** Speed multiplier of a sandbox; absent for any other service. */
  readonly speed?: number;
  /** Set where the configuration names the sandbox, but the environment names another service. */
  readonly leavesSandbox?: boolean;
  close(): void;
}

/** The part of a configuration that says where the account is, and how it is reached. */
export type ConnectionSettings = Pick<Configuration, 'directory'> & ServiceSection;

type Notices = Pick<Reporter, 'showDiagnostics'>;

/** Options of the client that are the same for every service. */
type Means = Omit<ServiceClientOptions, 'baseUrl' | 'token' | 'exchange'>;

/** Callbacks of a command on its requests to the service. */
type ConnectOptions = Pick<ServiceClientOptions, 'beforeChange' | 'onRequest'>;

/**
 * Connects to the live account, if the state belongs to it. `beforeChange` may refuse each request that changes
 * something, right before it goes out; `onRequest` sees every attempt.
 * @throws DiagnosticError when there is no address, the token must not go there, or there is no usable token
 */
export async function connectToService(
  runtime: ConnectingRuntime,
  settings: ConnectionSettings,
  state: StateServiceBinding,
  reporter: Notices,
  { beforeChange, onRequest }: ConnectOptions = {},
): Promise<ServiceConnection> {
  const { place, warnings } = await locateService(runtime, settings, state);
  const { contract, warnings: moved } = await resolveContractFile(runtime, settings, state);
  const told = [...warnings, ...moved];
  if (told.length > 0) reporter.showDiagnostics(told);
  const { binding } = contract ?? {};
  const noteRetry = createRetryNotifier((note) => reporter.showDiagnostics([note]));
  const means: Means = {
    dialect: new ServiceDialect(binding, contract?.facts?.required),
    kinds: kindRegistry,
    clock: runtime.clock,
    maxConcurrency: defaultMaxConnections,
    beforeChange,
    random: () => runtime.random(),
    onRequest: (event) => {
      noteRetry(event);
      onRequest?.(event);
    },
    timeouts: settings.requestTimeouts,
  };
  const { requestsPerSecond, maxConnections } = settings;
  const connection =
    place.kind === 'sandbox'
      ? await connectSandbox(runtime, place, means, binding)
      : await connectRemote(
          runtime,
          place,
          { ...means, requestsPerSecond },
          { maxConnections, reporter },
        );
  const isLeft = isSandboxOverridden(place, settings);
  const spelled = { contract: binding, contractDigest: contract?.sha256 };
  return { ...connection, ...spelled, ...(isLeft && { leavesSandbox: true }) };
}

async function connectRemote(
  runtime: Pick<
    Runtime,
    'clock' | 'env' | 'execute' | 'openBudget' | 'openNetwork' | 'stderr' | 'tokenCommand'
  >,
  place: RemoteServiceAddress,
  means: Means,
  { maxConnections, reporter }: { maxConnections: number | undefined; reporter: Notices },
): Promise<ServiceConnection> {
  const token = await resolveToken(runtime);
  const network = await openServiceNetwork(runtime, place, maxConnections);
  if (network.warnings.length > 0) reporter.showDiagnostics(network.warnings);
  const { baseUrl, tls, givenBy } = place;
  const { exchange, isSandbox } = recogniseSandbox(logRequests(runtime, network.exchange));
  const maxConcurrency = network.maxConnections;
  const sharedBudget = runtime.openBudget?.(baseUrl);
  const client = createServiceClient({
    ...means,
    maxConcurrency,
    baseUrl,
    token,
    exchange,
    sharedBudget,
  });
  return {
    client,
    service: baseUrl,
    isSandbox,
    ...(givenBy === 'service.baseUrl' && { authorities: tls?.authorities?.fingerprints ?? [] }),
    close: () => {
      client.close();
      sharedBudget?.close();
      network.close();
    },
  };
}

async function connectSandbox(
  runtime: Pick<Runtime, 'clock' | 'env' | 'stderr'>,
  { name, dataDirectory, speed, seed, catalog }: SandboxServiceLocation,
  means: Means,
  binding: Binding | undefined,
): Promise<ServiceConnection> {
  const { openSandbox } = await import('../../sandbox/sandbox.ts');
  const sandbox = await openSandbox({
    dataFile: locateSandboxDataFile(dataDirectory),
    isNamedByConfiguration: true,
    now: () => runtime.clock.now(),
    speed,
    seed,
    catalog,
    binding,
  });
  const exchange = sandbox.openExchange(exchangeByFetch(sandbox.fetch, runtime.clock));
  const client = createServiceClient({
    ...means,
    baseUrl: 'http://sandbox/v1',
    token: sandbox.token,
    exchange: logRequests(runtime, exchange),
  });
  return {
    client,
    service: name,
    isSandbox: () => true,
    speed,
    close: () => {
      client.close();
      sandbox.close();
    },
  };
}

/** An exchange, and whether the sandbox has answered by it: it can be served over the network, too. */
interface RecognisedExchange {
  readonly exchange: HttpExchange;
  readonly isSandbox: () => boolean;
}

/** Watches who answers. What the sandbox makes up, as its prices are, is said to be assumed. */
function recogniseSandbox(exchange: HttpExchange): RecognisedExchange {
  let isSandbox = false;
  return {
    exchange: async (request) => {
      const answer = await exchange(request);
      isSandbox ||= answer.headers.get('server') === sandboxServerHeader;
      return answer;
    },
    isSandbox: () => isSandbox,
  };
}

/** Shortest trouble that is noted: a shorter retry is not worth a line. */
const patienceMs = 4_000;
/** Silence after a note, however many requests are retried meanwhile. */
const silenceMs = 30_000;

/**
 * Makes a listener to request attempts that tells the user why a command seems to hang: requests are retried for long, or the
 * service has asked for a wait. To be called with every attempt of a client.
 */
export function createRetryNotifier(
  tell: (note: Diagnostic) => void,
): (event: RequestAttemptEvent) => void {
  let troubleSince: number | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  let heldUntil = Number.NEGATIVE_INFINITY;
  return (event) => {
    const { method, url, attempt, startedAt, elapsedMs, retryAfterMs, failure, holdMs } = event;
    const endedAt = startedAt + elapsedMs;
    if (holdMs !== null && holdMs >= patienceMs) {
      // Requests that were under way together are refused together, and a hold is reported once.
      const isTold = endedAt < heldUntil;
      heldUntil = Math.max(heldUntil, endedAt + holdMs);
      if (isTold) return;
      toldAt = endedAt;
      tell(describeHold(event, holdMs));
      return;
    }
    if (retryAfterMs === null) {
      if (failure === null) troubleSince = undefined;
      return;
    }
    troubleSince ??= startedAt;
    const isShort = endedAt + retryAfterMs - troubleSince < patienceMs;
    if (isShort || endedAt - toldAt < silenceMs) return;
    toldAt = endedAt;
    tell({
      severity: 'note',
      code: 'service-retried',
      summary: 'Unexpected response of the service: trying again',
      detail: `${method} ${url}: ${failure ?? 'no answer'}. Attempt ${attempt + 1} follows in ${Math.ceil(retryAfterMs / 1_000)} s.`,
    });
  };
}

function describeHold({ method, url, status }: RequestAttemptEvent, holdMs: number): Diagnostic {
  return {
    severity: 'note',
    code: 'service-hold',
    summary: `The service asked to wait ${Math.ceil(holdMs / 1_000)} s before the next request`,
    detail: `${method} ${url} answered ${status ?? 'nothing'}. Nothing is sent to the service until then.`,
  };
}
