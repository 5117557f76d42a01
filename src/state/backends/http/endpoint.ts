// Addresses and methods of a state server: Terraform's options, and its defaults. GitLab and Gitea have the lock at an
// address below the state's.
import { createHash } from 'node:crypto';
import { createDiagnosticError } from '../../faults.ts';

/** Addresses of a state, in the terms of Terraform's `http` backend; secrets are allowed in the query alone. */
export interface HttpBackendAddresses {
  /** Absolute; its query goes out with each request and is never shown. */
  readonly address: string;
  /** Address that takes the lock; `address` when absent, and `<address>/lock` for GitLab and Gitea. */
  readonly lockAddress?: string | undefined;
  /** Address that removes the lock; `lockAddress` when absent. */
  readonly unlockAddress?: string | undefined;
  /** HTTP method that takes the lock: `LOCK` when absent; `POST` for GitLab and Gitea. */
  readonly lockMethod?: string | undefined;
  /** HTTP method that removes the lock: `UNLOCK` when absent; `DELETE` for GitLab and Gitea. */
  readonly unlockMethod?: string | undefined;
  /** HTTP method that writes the state: `POST` when absent. */
  readonly updateMethod?: string | undefined;
}

/** Addresses and methods of the HTTP state server, with all defaults filled in. */
export interface StateServerEndpoint extends Readonly<Record<keyof HttpBackendAddresses, string>> {
  /** Address of the state without its query, for messages. */
  readonly place: string;
  /** Text that identifies the state among all states; contains the query only as a hash. */
  readonly identity: string;
  /** Origins of all addresses, to which credentials are sent. */
  readonly hosts: readonly string[];
  /** Set for GitLab and Gitea: they refuse a serial that was written before, and the highest serial is the state. */
  readonly refusesOldSerials: boolean;
}

/** Addresses of GitLab and Gitea, which keep the lock below the address of the state. */
const hostedPaths = [
  /\/api\/v4\/projects\/[^/]+\/terraform\/state\/[^/]+\/?$/,
  /\/api\/packages\/[^/]+\/terraform\/state\/[^/]+\/?$/,
];

/**
 * Fills in the defaults of a state server's addresses and methods.
 * @throws DiagnosticError `invalid-state-address` for a text that is no address, or that holds a password
 */
export function resolveStateServerEndpoint(given: HttpBackendAddresses): StateServerEndpoint {
  const url = parseAddress(given.address);
  const isHosted = hostedPaths.some((path) => path.test(url.pathname));
  const lockAddress = given.lockAddress ?? (isHosted ? below(url, 'lock') : given.address);
  const unlockAddress = given.unlockAddress ?? lockAddress;
  const urls = [url, ...[lockAddress, unlockAddress].map(parseAddress)];
  const place = omitAddressSecrets(url);
  return {
    address: given.address,
    lockAddress,
    unlockAddress,
    lockMethod: given.lockMethod ?? (isHosted ? 'POST' : 'LOCK'),
    unlockMethod: given.unlockMethod ?? (isHosted ? 'DELETE' : 'UNLOCK'),
    updateMethod: given.updateMethod ?? 'POST',
    place,
    hosts: [...new Set(urls.map(({ origin }) => origin))],
    refusesOldSerials: isHosted,
    identity: `http:${place}${url.search === '' ? '' : `?${hash(url.search)}`}`,
  };
}

/** Formats an address without its user and query, which may be secret. */
export function omitAddressSecrets({ origin, pathname }: URL): string {
  return origin + pathname;
}

/** Adds the lock's ID to the address that the state is written to. */
export function addLockIdToAddress(address: string, id: string): string {
  const url = new URL(address);
  url.searchParams.set('ID', id);
  return url.href;
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isHttp || url.username !== '' || url.password !== '') {
    throw createDiagnosticError(
      'invalid-state-address',
      'The address of the state server is invalid',
      {
        detail: isHttp
          ? 'It contains a username or a password.'
          : 'It is not an absolute http or https address.',
        hint: isHttp
          ? 'Remove them from the address and give them as credentials.'
          : 'Give the whole address, such as https://gitlab.example.com/api/v4/projects/1/terraform/state/shop.',
      },
    );
  }
  return url;
}

function below(url: URL, name: string): string {
  const lower = new URL(url);
  lower.pathname = `${url.pathname.replace(/\/$/, '')}/${name}`;
  return lower.href;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
