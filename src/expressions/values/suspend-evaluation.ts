/**
 * Error that suspends an evaluation until a value that it needs was computed; it passes through the evaluation and is
 * never reported as a fault.
 */
export class EvaluationSuspension<T = unknown> extends Error {
  readonly need: T;

  constructor(need: T) {
    super('suspended');
    this.name = 'EvaluationSuspension';
    this.need = need;
  }
}
