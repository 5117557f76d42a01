/** An operation of the contract that a service lacks, or keeps from this access token, or of which its binding does not say where it is. */
export interface MissingServiceOperation {
  readonly operation: string;
  /** `open`: not answered yet by the person who wrote the contract file. `forbidden`: the access token may not use it. */
  readonly why: 'none' | 'open' | 'forbidden';
  /** Noun for the feature that needs the operation: `quotas`, `the lists of VMs`. */
  readonly neededFor: string;
  /**
   * Consequence of the gap, a sentence without its full stop; undefined where the feature is impossible without the
   * operation.
   */
  readonly without: string | undefined;
  /** The line of the contract file that is missing, where the service has the operation and requires more. */
  readonly line?: string;
}
