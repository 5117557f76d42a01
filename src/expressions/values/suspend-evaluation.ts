/** Goes through an evaluation that cannot end yet: something that it needs must be worked out first. Never a fault. */
export class SuspendEvaluation<T = unknown> extends Error {
  readonly need: T;

  constructor(need: T) {
    super('suspended');
    this.name = 'SuspendEvaluation';
    this.need = need;
  }
}
