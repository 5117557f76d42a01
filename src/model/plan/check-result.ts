/** Result of a check of the configuration, against the resources as planned or as they are after an apply. */
export interface CheckResult {
  /** Name of the check with its module: `modules.shopEu["eu"].edgeHasIp`. */
  readonly name: string;
  /** `unknown`: the check reads a value that is known after apply. `error`: its condition could not be evaluated. */
  readonly status: 'pass' | 'fail' | 'error' | 'unknown';
  /** Messages of a check that does not pass. */
  readonly problems: readonly string[];
}
