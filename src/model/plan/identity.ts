/** Name of the account, in place of an address, of a configuration that uses the embedded sandbox as its service. */
export const embeddedSandboxLabel = 'the embedded sandbox';

/**
 * Identity of a plan: its configuration, account and commit, by which comments and checks of several plans are kept
 * apart.
 */
export interface PlanIdentity {
  /** Name of the configuration for people: its directory, or the repository's name where it is the whole repository. */
  readonly name: string;
  /** Directory of the configuration, relative to the root of the repository, or to the working directory without one. */
  readonly directory: string;
  /** Base address of the service, or `embeddedSandboxLabel`; absent where the address is not known yet. */
  readonly account?: string;
  /** The commit that the plan is made from, in hex; absent where it is unknown. */
  readonly commit?: string;
}
