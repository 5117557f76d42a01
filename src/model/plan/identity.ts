/** What stands in place of an address where there is none: the account of a configuration that brings its own service. */
export const embeddedSandbox = 'the embedded sandbox';

/** Whose plan it is: what tells it from the plans of other configurations and accounts. */
export interface PlanIdentity {
  /** What people call the configuration: its directory, or the name of that where it is the whole repository. */
  readonly name: string;
  /** Its directory from the root of the repository, or from the working directory where there is none. */
  readonly directory: string;
  /** Where the account is: an address, or `embeddedSandbox`; absent where that is not known yet. */
  readonly account?: string;
  /** The commit that it was planned from, in hex; absent where nobody says. */
  readonly commit?: string;
}
