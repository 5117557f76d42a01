/**
 * Error for a run that cannot be queued, begun or carried out. Its message is shown in the run's log or to the person who asked.
 */
export class RunFault extends Error {
  override readonly name = 'RunFault';
  /** Id of another run that does the requested work already; undefined without one. */
  readonly doneBy: string | undefined;

  constructor(message: string, { doneBy, ...options }: RunFaultOptions = {}) {
    super(message, options);
    this.doneBy = doneBy;
  }
}

interface RunFaultOptions extends ErrorOptions {
  readonly doneBy?: string;
}
