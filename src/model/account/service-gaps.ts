/** An operation of the contract that a service lacks, or keeps from this access token, or of which its binding does not say where it is. */
export interface ServiceGap {
  readonly operation: string;
  /** `open`: nobody has said. `forbidden`: the access token may not use it. */
  readonly why: 'none' | 'open' | 'forbidden';
  /** The noun of what needs it: `quotas`, `the lists of VMs`. */
  readonly neededFor: string;
  /** A sentence without its full stop, for what happens without it; undefined where what needs it cannot be done. */
  readonly without: string | undefined;
  /** The line of the contract file that is missing, where the service has the operation and requires more. */
  readonly line?: string;
}
