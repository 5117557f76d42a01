/** The account of a run refuses everything, and the run has not got anywhere: it can begin anew later, and nothing is lost. */
export class AccountHeld extends Error {
  override readonly name = 'AccountHeld';
  /** In how many milliseconds it is worth another attempt. */
  readonly afterMs: number;

  constructor(afterMs: number) {
    super('The account of the run refuses all requests.');
    this.afterMs = afterMs;
  }
}
