import { join, resolve } from 'node:path';
import { parseBaseUrl } from '../api/base-url.ts';
import { createClient, type ClientOptions, type ServiceClient } from '../api/client.ts';
import { resolveToken } from '../api/token.ts';
import type { Configuration } from '../config/load-configuration.ts';
import type { Runtime } from '../model/runtime.ts';
import { refuse } from './refuse.ts';
import { logRequests } from './log-requests.ts';
import type { Reporter } from './reporter.ts';
import { createRetryNote } from './retry-note.ts';

/** A service that commands can talk to. */
export interface Connection {
  readonly client: ServiceClient;
  /** As people know it: its base address, or the embedded sandbox. */
  readonly service: string;
  close(): void;
}

/** The part of a configuration that says where the account is. */
export type ConnectionSettings = Pick<
  Configuration,
  'service' | 'directory' | 'requestsPerSecond' | 'requestTimeouts'
>;

/** How many requests may be under way at once. */
const maxConcurrency = 16;

/** The data file of a sandbox below its data directory. */
export function sandboxFile(directory: string): string {
  return join(directory, 'sandbox.sqlite');
}

/** What a client needs wherever it connects to. */
type Means = Omit<ClientOptions, 'baseUrl' | 'token' | 'fetch'>;

/** What a command may have a say in. */
type ConnectOptions = Pick<ClientOptions, 'beforeChange'>;

/** Where the account is: a usable address, or the embedded sandbox with its data. */
export type ServicePlace =
  | { readonly kind: 'remote'; readonly baseUrl: string }
  | {
      readonly kind: 'sandbox';
      readonly dataDirectory: string;
      readonly speed: number;
      readonly seed: number;
    };

/** The address of the environment; undefined where there is none. @throws DiagnosticError for one that is unusable */
export function readAddress({ env }: Pick<Runtime, 'env'>): string | undefined {
  const text = env.HOSTWRIGHT_BASE_URL;
  if (text === undefined || text.trim() === '') return undefined;
  return parseBaseUrl(text, { name: 'HOSTWRIGHT_BASE_URL' });
}

/**
 * Where the account is: the environment's address goes over the configured one, and over the sandbox.
 * @throws DiagnosticError when nothing says so, or the address is not usable
 */
export function locateService(
  runtime: Pick<Runtime, 'env'>,
  { service, directory }: Pick<ConnectionSettings, 'service' | 'directory'>,
): ServicePlace {
  const address = readAddress(runtime);
  if (address !== undefined) return { kind: 'remote', baseUrl: address };
  if (service?.kind === 'remote') {
    const { baseUrl, source } = service;
    return { kind: 'remote', baseUrl: parseBaseUrl(baseUrl, { name: 'service.baseUrl', source }) };
  }
  if (service?.kind === 'sandbox') {
    const { data, speed, seed } = service;
    const dataDirectory = resolve(directory, data ?? join('.hostwright', 'sandbox'));
    return { kind: 'sandbox', dataDirectory, speed, seed };
  }
  throw refuse('service-missing', 'The configuration does not say where the live account is', {
    detail: 'Nothing runs against a sandbox without saying so, so there is no default.',
    hint: 'Give service.baseUrl, or service.sandbox: true to try things out, or set HOSTWRIGHT_BASE_URL.',
  });
}

/**
 * Connects to the live account. `beforeChange` may refuse each request that changes something, right before it goes out.
 * @throws DiagnosticError when there is no address, or no usable token
 */
export async function connect(
  runtime: Runtime,
  settings: ConnectionSettings,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  { beforeChange }: ConnectOptions = {},
): Promise<Connection> {
  const means: Means = {
    clock: runtime.clock,
    maxConcurrency,
    beforeChange,
    random: () => runtime.random(),
    onRequest: createRetryNote((note) => reporter.showDiagnostics([note])),
    timeouts: settings.requestTimeouts,
  };
  const place = locateService(runtime, settings);
  if (place.kind === 'sandbox') return connectSandbox(runtime, place, means);
  const { requestsPerSecond } = settings;
  return connectRemote(runtime, place.baseUrl, { ...means, requestsPerSecond });
}

async function connectRemote(runtime: Runtime, baseUrl: string, means: Means): Promise<Connection> {
  const token = await resolveToken(runtime);
  const client = createClient({
    ...means,
    baseUrl,
    token,
    fetch: logRequests(runtime, (request) => runtime.fetch(request)),
  });
  return { client, service: baseUrl, close: () => undefined };
}

async function connectSandbox(
  runtime: Runtime,
  { dataDirectory, speed, seed }: Extract<ServicePlace, { kind: 'sandbox' }>,
  means: Means,
): Promise<Connection> {
  const { openSandbox } = await import('../sandbox/sandbox.ts');
  const sandbox = await openSandbox({
    dataFile: sandboxFile(dataDirectory),
    now: () => runtime.clock.now(),
    speed,
    seed,
  });
  const client = createClient({
    ...means,
    baseUrl: 'http://sandbox/v1',
    token: sandbox.token,
    fetch: logRequests(runtime, (request) => sandbox.fetch(request)),
  });
  return {
    client,
    service: 'the embedded sandbox',
    close: () => sandbox.close(),
  };
}
