// Where the account is, and whether the access token may go there. No command connects, or reads a token, before its
// address has passed here: YAML, artifacts and variables of a pipeline may be written by strangers.
import { join, resolve } from 'node:path';
import { isLoopback, normalizeBaseUrl, parseBaseUrl } from '../../api/transport/base-url.ts';
import type { Configuration } from '../../config/load-configuration.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { SourceRange } from '../../model/source.ts';
import type { State } from '../../model/state/state.ts';
import { refuse } from './refuse.ts';

/** The part of a configuration that says where the account is. */
export type ServiceSource = Pick<Configuration, 'service' | 'directory'>;

/** What may have to be allowed. */
type Caller = Pick<Runtime, 'env' | 'allowsOtherService' | 'allowsPlainHttp'>;

/** Where the account is: a usable address, or the embedded sandbox with its data. */
export type ServicePlace = {
  /** As people, states and saved plans call it: its address, or `the embedded sandbox`. */
  readonly name: string;
  /** What says so: `HOSTWRIGHT_BASE_URL`, `service.baseUrl`. */
  readonly givenBy: string;
  readonly source?: SourceRange;
} & (
  | { readonly kind: 'remote'; readonly baseUrl: string }
  | {
      readonly kind: 'sandbox';
      readonly dataDirectory: string;
      readonly speed: number;
      readonly seed: number;
    }
);

/** The address of the environment; undefined where there is none. @throws DiagnosticError for one that is unusable */
export function readAddress({ env }: Pick<Runtime, 'env'>): string | undefined {
  const text = env.HOSTWRIGHT_BASE_URL;
  if (text === undefined || text.trim() === '') return undefined;
  return parseBaseUrl(text, { name: 'HOSTWRIGHT_BASE_URL' });
}

/**
 * What the environment names, or else the configuration. Only for comparing: `locateService` says whether to go there.
 * @throws DiagnosticError when neither names a service, or the address is not usable
 */
export function findService(
  runtime: Pick<Runtime, 'env'>,
  { service, directory }: ServiceSource,
): ServicePlace {
  const address = readAddress(runtime);
  if (address !== undefined) return remote(address, 'HOSTWRIGHT_BASE_URL');
  if (service?.kind === 'remote') {
    const origin = { name: 'service.baseUrl', source: service.source };
    return remote(parseBaseUrl(service.baseUrl, origin), origin.name, service.source);
  }
  if (service?.kind === 'sandbox') {
    const { data, speed, seed, source } = service;
    const dataDirectory = resolve(directory, data ?? join('.hostwright', 'sandbox'));
    const [name, givenBy] = ['the embedded sandbox', 'service.sandbox'];
    return { kind: 'sandbox', name, givenBy, source, dataDirectory, speed, seed };
  }
  throw refuse('service-missing', 'The configuration does not say where the live account is', {
    detail: 'Nothing runs against a sandbox without saying so, so there is no default.',
    hint: 'Give service.baseUrl, or service.sandbox: true to try things out, or set HOSTWRIGHT_BASE_URL.',
  });
}

function remote(baseUrl: string, givenBy: string, source?: SourceRange): ServicePlace {
  return { kind: 'remote', name: baseUrl, baseUrl, givenBy, ...(source && { source }) };
}

/** A place that the token may go to. */
export interface LocatedService {
  readonly place: ServicePlace;
  /** What was let pass. */
  readonly warnings: readonly Diagnostic[];
}

/**
 * Where the account is, once it is certain that the token may go there: the state belongs to no other service, and the
 * connection is encrypted or stays on this machine.
 * @throws DiagnosticError `other-service`, `plain-http`, and what `findService` throws
 */
export function locateService(
  runtime: Caller,
  settings: ServiceSource,
  state: Pick<State, 'service'>,
): LocatedService {
  const place = findService(runtime, settings);
  const found = [
    findOtherService(place, state, runtime.allowsOtherService === true),
    runtime.allowsPlainHttp ? undefined : findPlainHttp(place),
  ].filter((one) => one !== undefined);
  const errors = found.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DiagnosticError(errors);
  return { place, warnings: found };
}

function findOtherService(
  { name, givenBy, source }: ServicePlace,
  { service }: Pick<State, 'service'>,
  isAllowed: boolean,
): Diagnostic | undefined {
  if (service === null || normalizeBaseUrl(service) === name) return undefined;
  return {
    severity: isAllowed ? 'warning' : 'error',
    code: 'other-service',
    summary: 'The state belongs to another service',
    detail: `The state was last applied to ${service}; ${givenBy} names ${name}. The ids of one account mean nothing in another, and the token of one service must not reach another.`,
    ...(!isAllowed && {
      hint: `Correct the address, or manage ${name} from a directory of its own. If your account has moved there, add --allow-other-service.`,
    }),
    ...(source && { source }),
  };
}

function findPlainHttp(place: ServicePlace): Diagnostic | undefined {
  if (place.kind === 'sandbox') return undefined;
  const { baseUrl, givenBy, source } = place;
  if (!isUnencrypted(baseUrl)) return undefined;
  return {
    severity: 'error',
    code: 'plain-http',
    summary: `The connection to ${baseUrl} would not be encrypted`,
    detail: `${givenBy} is an http address of another machine: everybody on the way could read the access token.`,
    hint: 'Use an https address. In a network that you trust, add --allow-plain-http.',
    ...(source && { source }),
  };
}

/** True for an address to which the token would go in the clear, beyond this machine. */
export function isUnencrypted(baseUrl: string): boolean {
  const url = new URL(baseUrl);
  return url.protocol === 'http:' && !isLoopback(url);
}
