import { join, resolve } from 'node:path';
import { parseBaseUrl } from '../api/base-url.ts';
import { createClient, type ServiceClient } from '../api/client.ts';
import { resolveToken } from '../api/token.ts';
import type { Configuration } from '../config/load-configuration.ts';
import { DiagnosticError } from '../model/errors.ts';
import type { Runtime } from '../model/runtime.ts';
import type { ServiceSettings } from '../model/service.ts';

/** A service that commands can talk to. */
export interface Connection {
  readonly client: ServiceClient;
  /** As people know it: its base address, or the embedded sandbox. */
  readonly service: string;
  close(): void;
}

/** The part of a configuration that says where the account is. */
export type ConnectionSettings = Pick<Configuration, 'service' | 'directory' | 'requestsPerSecond'>;

/** How many requests may be under way at once. */
const maxConcurrency = 16;

/** The data file of a sandbox below its data directory. */
export function sandboxFile(directory: string): string {
  return join(directory, 'sandbox.sqlite');
}

/**
 * Connects to the live account: the environment's address goes over the configured one, and over the sandbox.
 * @throws DiagnosticError when there is no address, or no usable token
 */
export async function connect(
  runtime: Runtime,
  { service: settings, directory, requestsPerSecond }: ConnectionSettings,
): Promise<Connection> {
  const fromEnvironment = runtime.env.HOSTWRIGHT_BASE_URL;
  if (fromEnvironment !== undefined && fromEnvironment.trim() !== '') {
    const baseUrl = parseBaseUrl(fromEnvironment, { name: 'HOSTWRIGHT_BASE_URL' });
    return connectRemote(runtime, baseUrl, requestsPerSecond);
  }
  if (settings?.kind === 'remote') {
    const { baseUrl, source } = settings;
    const address = parseBaseUrl(baseUrl, { name: 'service.baseUrl', source });
    return connectRemote(runtime, address, requestsPerSecond);
  }
  if (settings?.kind === 'sandbox') return connectSandbox(runtime, settings, directory);
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'service-missing',
      summary: 'The configuration does not say where the live account is',
      detail: 'Nothing runs against a sandbox without saying so, so there is no default.',
      hint: 'Give service.baseUrl, or service.sandbox: true to try things out, or set HOSTWRIGHT_BASE_URL.',
    },
  ]);
}

async function connectRemote(
  runtime: Runtime,
  baseUrl: string,
  requestsPerSecond: number | undefined,
): Promise<Connection> {
  const { clock } = runtime;
  const token = await resolveToken(runtime);
  const client = createClient({
    baseUrl,
    token,
    clock,
    maxConcurrency,
    requestsPerSecond,
    fetch: (request) => runtime.fetch(request),
    random: () => runtime.random(),
  });
  return { client, service: baseUrl, close: () => undefined };
}

async function connectSandbox(
  runtime: Runtime,
  { data, speed, seed }: Extract<ServiceSettings, { kind: 'sandbox' }>,
  directory: string,
): Promise<Connection> {
  const { openSandbox } = await import('../sandbox/sandbox.ts');
  const dataDirectory = resolve(directory, data ?? join('.hostwright', 'sandbox'));
  const sandbox = await openSandbox({
    dataFile: sandboxFile(dataDirectory),
    now: () => runtime.clock.now(),
    speed,
    seed,
  });
  const client = createClient({
    baseUrl: 'http://sandbox/v1',
    token: sandbox.token,
    clock: runtime.clock,
    maxConcurrency,
    fetch: (request) => sandbox.fetch(request),
    random: () => runtime.random(),
  });
  return {
    client,
    service: 'the embedded sandbox',
    close: () => sandbox.close(),
  };
}
