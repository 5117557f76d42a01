/** How a check of the configuration turned out: against what will stand, or against what does. */
export interface CheckResult {
  /** With the module that it stands in: `modules.shopEu["eu"].edgeHasIp`. */
  readonly name: string;
  /** `unknown`: it reads what is known after apply. `error`: it could not be worked out. */
  readonly status: 'pass' | 'fail' | 'error' | 'unknown';
  /** What it says when it does not pass. */
  readonly problems: readonly string[];
}
