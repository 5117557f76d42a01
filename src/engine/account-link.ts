import type { ServiceClient } from '../api/client.ts';
import type { Binding } from '../model/account/binding.ts';

/** Connection to the account that is planned for and changed. */
export interface AccountConnection {
  readonly client: ServiceClient;
  /** Name of the service for people: the base address, or the embedded sandbox. */
  readonly service: string;
  /**
   * SHA-256 of each authority that the configuration has trusted besides the known ones; undefined where it had no say,
   * since the environment named the service.
   */
  readonly authorities?: readonly string[];
  /** The service's spelling of the contract; undefined for the contract's own. */
  readonly contract?: Binding | undefined;
  /** SHA-256 of the file with that spelling; undefined where there is none. */
  readonly contractDigest?: string | undefined;
  /** Tells whether the service is a sandbox, which is known after its first answer. */
  isSandbox(): boolean;
}
