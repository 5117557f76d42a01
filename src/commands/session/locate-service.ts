// The service's address, and whether the access token may be sent there. No command connects, or reads a token, before its
// address was checked here: YAML, artifacts and variables of a pipeline may be written by strangers.
import type { Catalog } from '../../model/account/live.ts';
import { join, resolve } from 'node:path';
import { normalizeBaseUrl, parseBaseUrl } from '../../api/transport/base-url.ts';
import { embeddedSandboxLabel } from '../../model/plan/identity.ts';
import { isLoopback } from '../../model/text/is-loopback.ts';
import type { Configuration } from '../../config/load-configuration.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ServiceSettings, ServiceTls } from '../../model/account/service.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { SourceRange } from '../../model/source.ts';
import type { State } from '../../model/state/state.ts';
import type { RecordedContractState } from './resolve-contract.ts';
import { createCommandRefusal } from './refuse.ts';
import { findDirectoryFault } from '../../state/files/written-file.ts';
import type { ServiceTrust } from './trust/admit-service.ts';

/** Part of a configuration that says where the account is. */
export type ServiceLocationSettings = Pick<Configuration, 'service' | 'directory'>;

/** Parts of the runtime that say where the service is and which exceptions are allowed. */
type Caller = Pick<
  Runtime,
  | 'env'
  | 'process'
  | 'allowsOtherService'
  | 'allowsOutsideFiles'
  | 'allowsPlainHttp'
  | 'distrustsLoopback'
>;

interface GivenPlace {
  /** Name in messages, states and saved plans: its address, or `the embedded sandbox`. */
  readonly name: string;
  /** The variable or setting that named the service's place, for messages about it. */
  readonly givenBy: 'HOSTWRIGHT_BASE_URL' | 'service.baseUrl' | 'service.sandbox';
  readonly source?: SourceRange;
}

/** A service at an address in the network. */
export interface RemoteServiceAddress extends GivenPlace {
  readonly kind: 'remote';
  readonly baseUrl: string;
  /** `service.tls`, of an https address: it is about `service.baseUrl`, and about no address that the environment names. */
  readonly tls?: ServiceTls;
  /** Set where the configuration has a `service.tls` that is left out for that reason. */
  readonly leavesTlsOut?: boolean;
}

/** The sandbox within this process, as the place of the account, with its data. */
export interface SandboxServiceLocation extends GivenPlace {
  readonly kind: 'sandbox';
  readonly dataDirectory: string;
  readonly speed: number;
  readonly seed: number;
  readonly catalog: Catalog | undefined;
}

/** Place of the account: a service in the network, or the sandbox within this process. */
export type ServiceLocation = RemoteServiceAddress | SandboxServiceLocation;

/**
 * Reads the address of the service from `HOSTWRIGHT_BASE_URL`; undefined where it is not set.
 * @throws DiagnosticError for an unusable address
 */
export function readServiceAddressVariable({ env }: Pick<Runtime, 'env'>): string | undefined {
  const text = env.HOSTWRIGHT_BASE_URL;
  if (text === undefined || text.trim() === '') return undefined;
  return parseBaseUrl(text, { name: 'HOSTWRIGHT_BASE_URL' });
}

/**
 * Finds the service that the environment or else the configuration names, without any check of trust. Only for comparing: use
 * `locateService` to connect.
 */
export function findConfiguredService(
  runtime: Pick<Runtime, 'env' | 'process'>,
  { service, directory }: ServiceLocationSettings,
): ServiceLocation {
  const address = readServiceAddressVariable(runtime);
  if (address !== undefined) {
    const leavesTlsOut = service?.kind === 'remote' && service.tls !== undefined;
    const given = { name: address, givenBy: 'HOSTWRIGHT_BASE_URL' } as const;
    return { kind: 'remote', ...given, baseUrl: address, leavesTlsOut };
  }
  if (service?.kind === 'remote') return findRemote(service);
  if (service?.kind === 'sandbox') {
    if (runtime.process.run) throw refuseSandbox(service.source);
    const { data, speed, seed, catalog, source } = service;
    const dataDirectory = resolve(directory, data ?? join('.hostwright', 'sandbox'));
    const given = { name: embeddedSandboxLabel, givenBy: 'service.sandbox', source } as const;
    return { kind: 'sandbox', ...given, dataDirectory, speed, seed, catalog };
  }
  throw createCommandRefusal(
    'service-missing',
    'The configuration does not say where the live account is',
    {
      detail: 'There is no default, so that nothing runs against a sandbox by mistake.',
      hint: 'Give service.baseUrl, or service.sandbox: true to try things out, or set HOSTWRIGHT_BASE_URL.',
    },
  );
}

/** Refuses the embedded sandbox in a run of a server: each run would find an empty account, and create everything again. */
function refuseSandbox(source: SourceRange): DiagnosticError {
  return createCommandRefusal('service-missing', 'A run of a server has no embedded sandbox', {
    detail: 'The data of the sandbox would be gone with the run.',
    hint: 'Set HOSTWRIGHT_BASE_URL and HOSTWRIGHT_TOKEN in the variables of the workspace. To try things out, start "hostwright sandbox", and use the two that it prints.',
    source,
  });
}

function findRemote({
  baseUrl: text,
  tls,
  source,
}: Extract<ServiceSettings, { kind: 'remote' }>): RemoteServiceAddress {
  const givenBy = 'service.baseUrl';
  const baseUrl = parseBaseUrl(text, { name: givenBy, source });
  if (tls === 'unusable') {
    throw createCommandRefusal('tls-unusable', '`service.tls` cannot be used as it is', {
      detail: `It says how the connection to ${baseUrl} is secured.`,
      hint: 'Run "hostwright validate" to see why.',
      source,
    });
  }
  const isSecured = new URL(baseUrl).protocol === 'https:';
  return {
    kind: 'remote',
    name: baseUrl,
    baseUrl,
    givenBy,
    ...(isSecured && tls && { tls }),
    source,
  };
}

/** Place of the service after all checks, so that the token may be sent to it. */
export interface TrustedServiceLocation {
  readonly place: ServiceLocation;
  /** Warnings about faults that the user has allowed, so that they are no errors. */
  readonly warnings: readonly Diagnostic[];
}

/** The service that a state belongs to, and the trust that is asked before the service is. */
export interface StateServiceBinding
  extends Pick<State, 'service' | 'authorities'>, RecordedContractState {
  readonly trust: ServiceTrust;
}

/**
 * Locates the service after all checks that protect the token: the state belongs to no other service, no unknown certificate
 * authority vouches for the address, the connection is encrypted or stays on this machine, and a person has confirmed an address
 * that only a configuration names.
 */
export async function locateService(
  runtime: Caller,
  settings: ServiceLocationSettings,
  state: StateServiceBinding,
): Promise<TrustedServiceLocation> {
  const place = findConfiguredService(runtime, settings);
  const isAllowed = runtime.allowsOtherService === true;
  const found = [
    findOtherService(place, state, isAllowed),
    findOtherAuthority(place, state, isAllowed),
    runtime.allowsPlainHttp ? undefined : findPlainHttp(place),
    findLeftSandbox(place, settings),
    await findOutsideSandbox(place, settings, runtime.allowsOutsideFiles === true),
  ].filter((one) => one !== undefined);
  const errors = found.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DiagnosticError(errors);
  // The person who runs the command has set the environment, and this machine is nobody else's, unless an agent asks.
  const isNamed = place.kind === 'remote' && place.givenBy === 'service.baseUrl';
  const isFar =
    isNamed && (runtime.distrustsLoopback === true || !isLoopback(new URL(place.baseUrl)));
  const told = isFar ? await state.trust.admitService(place) : [];
  return { place, warnings: [...found, ...told] };
}

/** Tells whether the environment names an account although the configuration names the sandbox. */
export function isSandboxOverridden(
  place: ServiceLocation,
  { service }: ServiceLocationSettings,
): boolean {
  return (
    service?.kind === 'sandbox' && place.kind !== 'sandbox' && !isLoopback(new URL(place.baseUrl))
  );
}

/** Warns of an account in place of the sandbox: the environment variable may be forgotten. */
function findLeftSandbox(
  place: ServiceLocation,
  settings: ServiceLocationSettings,
): Diagnostic | undefined {
  const { service } = settings;
  if (!service || !isSandboxOverridden(place, settings)) return undefined;
  return {
    severity: 'warning',
    code: 'sandbox-left',
    summary: `This goes to ${place.name}, and not to the sandbox`,
    detail: `The configuration names the embedded sandbox, and ${place.givenBy} goes before it.`,
    hint: 'Remove HOSTWRIGHT_BASE_URL from the environment to use the sandbox.',
    source: service.source,
  };
}

/** The data of the embedded sandbox is written where the configuration says, as a local state is. */
async function findOutsideSandbox(
  place: ServiceLocation,
  { directory }: ServiceLocationSettings,
  allowsOutside: boolean,
): Promise<Diagnostic | undefined> {
  if (place.kind !== 'sandbox') return undefined;
  const { dataDirectory, source } = place;
  const fault = await findDirectoryFault(dataDirectory, directory, allowsOutside);
  if (fault === undefined) return undefined;
  const isOutside = fault === 'outside';
  return {
    severity: 'error',
    code: 'file-outside',
    summary: isOutside
      ? `The data of the sandbox would be outside of the directory of the configuration: ${dataDirectory}`
      : `The data of the sandbox cannot be in ${fault.reserved}: ${dataDirectory}`,
    detail: isOutside
      ? '`service.sandbox.data` must lead below the directory of the configuration, by no link.'
      : '`service.sandbox.data` must not lead to the files of git or of SSH.',
    hint: isOutside
      ? 'Name a directory below it, or run with --allow-outside-files.'
      : 'Name another directory.',
    ...(source && { source }),
  };
}

function findOtherService(
  { name, givenBy, source }: ServiceLocation,
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

/** The most fingerprints that are shown: a bundle may hold hundreds. */
const shownAtMost = 3;

/**
 * Finds certificate authorities that the state does not know: their owners could pose as the service, so a state is bound to
 * its authorities, too.
 */
function findOtherAuthority(
  place: ServiceLocation,
  { service, authorities = [] }: Pick<State, 'service' | 'authorities'>,
  isAllowed: boolean,
): Diagnostic | undefined {
  if (service === null || place.kind === 'sandbox' || !place.tls?.authorities) return undefined;
  const { file, fingerprints, source } = place.tls.authorities;
  const others = fingerprints.filter((one) => !authorities.includes(one));
  if (others.length === 0) return undefined;
  const shown = others.slice(0, shownAtMost).join(', ');
  const rest = others.length > shownAtMost ? ` and ${others.length - shownAtMost} more` : '';
  return {
    severity: isAllowed ? 'warning' : 'error',
    code: 'other-authority',
    summary: `\`service.tls.caFile\` names ${others.length === 1 ? 'a certificate authority' : 'certificate authorities'} that the state does not know`,
    detail: `Whoever holds the key of a certificate authority can pose as the service and receive the access token. New in ${file} (SHA-256): ${shown}${rest}.`,
    ...(!isAllowed && {
      hint: 'Compare the fingerprints with those of your service. If they match, add --allow-other-service: the next apply records them.',
    }),
    source,
  };
}

function findPlainHttp(place: ServiceLocation): Diagnostic | undefined {
  if (place.kind === 'sandbox') return undefined;
  const { baseUrl, givenBy, source } = place;
  if (!isUnencryptedAddress(baseUrl)) return undefined;
  return {
    severity: 'error',
    code: 'plain-http',
    summary: `The connection to ${baseUrl} would not be encrypted`,
    detail: `${givenBy} is an http address of another machine: everybody on the way could read the access token.`,
    hint: 'Use an https address. In a network that you trust, add --allow-plain-http.',
    ...(source && { source }),
  };
}

/** Tells whether requests to an address would send the token unencrypted beyond this machine. */
export function isUnencryptedAddress(baseUrl: string): boolean {
  const url = new URL(baseUrl);
  return url.protocol === 'http:' && !isLoopback(url);
}
