import type { ResourceAddress } from '../address.ts';

/** Host and port at which a VM accepts SSH connections. */
export interface SshRoute {
  /** IP address or plain name of the host. */
  readonly host: string;
  readonly port: number;
  /** Alias of the VM that leads there; absent for a place that everybody reaches. */
  readonly via?: string;
}

/** A VM as `ssh` and inventories address it. */
export interface SshHost {
  readonly address: ResourceAddress;
  readonly id: string;
  /** Name of the VM in a configuration of SSH: letters, digits, `.`, `_` and `-` alone. */
  readonly alias: string;
  /** The name under which its host key is remembered: that of its id. */
  readonly keyAlias: string;
  /** Host and port to reach the VM; undefined where it cannot be reached. */
  readonly route: SshRoute | undefined;
  /** IP addresses of the VM in its networks. */
  readonly internalIps: readonly string[];
}

/** The VMs of a configuration, and the file that remembers their host keys. */
export interface SshHosts {
  readonly hosts: readonly SshHost[];
  /** Absolute path of the known-hosts file. */
  readonly knownHosts: string;
  /** User name from `--user`; SSH chooses one unless given. */
  readonly user?: string | undefined;
}
