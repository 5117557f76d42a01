/** Why a run cannot be carried out: its log shows the message. */
export class RunFault extends Error {
  override readonly name = 'RunFault';
  /** The id of the run that does what was asked for. */
  readonly doneBy: string | undefined;

  constructor(message: string, { doneBy, ...options }: RunFaultOptions = {}) {
    super(message, options);
    this.doneBy = doneBy;
  }
}

interface RunFaultOptions extends ErrorOptions {
  readonly doneBy?: string;
}
