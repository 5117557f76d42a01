/** Error by which a run cannot be carried out; its log shows the message. */
export class RunFault extends Error {
  override readonly name = 'RunFault';
  /** Id of the other run that does what was asked for; undefined without one. */
  readonly doneBy: string | undefined;

  constructor(message: string, { doneBy, ...options }: RunFaultOptions = {}) {
    super(message, options);
    this.doneBy = doneBy;
  }
}

interface RunFaultOptions extends ErrorOptions {
  readonly doneBy?: string;
}
