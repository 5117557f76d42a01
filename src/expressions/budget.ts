import { ExpressionError } from './expression-fault.ts';

/** Steps for one expression: a loop over 10,000 items with a condition takes about 100,000. */
const expressionSteps = 1_000_000;

/** The longest text and the longest list that an expression may make. */
const maxTextLength = 1_000_000;
const maxListLength = 100_000;

function refuse(summary: string): ExpressionError {
  return new ExpressionError(
    'expression-too-costly',
    summary,
    'Loop over less, or work the value out beforehand and give it as a variable.',
  );
}

/** What an evaluation may still cost. Expressions always end; loops within loops may end after a lifetime. */
export class Budget {
  #remaining: number;
  readonly #parent: Budget | undefined;

  constructor(steps = expressionSteps, parent?: Budget) {
    this.#remaining = steps;
    this.#parent = parent;
  }

  /** Takes steps off. @throws ExpressionError when none are left */
  spend(steps: number): void {
    this.#remaining -= steps;
    if (this.#remaining < 0) throw refuse('The expression takes too long to evaluate');
    this.#parent?.spend(steps);
  }

  /** Takes off what a made value costs. @throws ExpressionError when it is too large */
  spendOn(value: unknown): void {
    if (typeof value === 'string') {
      if (value.length > maxTextLength)
        throw refuse('The expression makes a text that is too long');
      this.spend(1 + (value.length >> 6));
    } else if (Array.isArray(value)) {
      if (value.length > maxListLength)
        throw refuse('The expression makes a list that is too long');
      this.spend(1 + value.length);
    } else if (value instanceof Map) this.spend(1 + value.size);
  }
}
