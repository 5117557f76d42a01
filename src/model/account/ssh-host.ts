import type { Address } from '../address.ts';

/** A place at which a VM answers to SSH. */
export interface SshRoute {
  /** An IP address, or a plain host name. */
  readonly host: string;
  readonly port: number;
  /** Alias of the VM that leads there; absent for a place that everybody reaches. */
  readonly via?: string;
}

/** A VM as SSH and inventories know it. */
export interface SshHost {
  readonly address: Address;
  readonly id: string;
  /** Its name in a configuration of SSH: letters, digits, `.`, `_` and `-` alone. */
  readonly alias: string;
  /** The name under which its host key is remembered: that of its id. */
  readonly keyAlias: string;
  /** Undefined where no way leads to it. */
  readonly route: SshRoute | undefined;
  /** Its addresses in networks. */
  readonly internalIps: readonly string[];
}

/** The VMs of a configuration, and the file that remembers their host keys. */
export interface SshHosts {
  readonly hosts: readonly SshHost[];
  /** Absolute. */
  readonly knownHosts: string;
  /** `--user`; whoever SSH takes unless given. */
  readonly user?: string | undefined;
}
