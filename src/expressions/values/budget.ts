import { ExpressionError } from '../parse/expression-fault.ts';

/**
 * Steps for all expressions of one run: those of the configuration, of the plan, and of what is worked out after apply.
 * They are a hundred for each of 100,000 resources, and some seconds.
 */
const runSteps = 10_000_000;

/** Steps for one expression: a loop over 10,000 items with a condition takes about 100,000. */
const expressionSteps = 1_000_000;

/** The longest text and the longest list that an expression may make. */
const maxTextLength = 1_000_000;
const maxListLength = 100_000;

function refuse(summary: string): ExpressionError {
  return new ExpressionError(
    'expression-too-costly',
    summary,
    'Loop over fewer items, or compute the value beforehand and pass it as a variable.',
  );
}

/** Refuses to make a text that is too long. @throws ExpressionError for more than the allowed length */
export function refuseLongText(length: number): void {
  if (length > maxTextLength) throw refuse('The expression makes a text that is too long');
}

/** Refuses to make a list that is too long. @throws ExpressionError for more than the allowed length */
export function refuseLongList(length: number): void {
  if (length > maxListLength) throw refuse('The expression makes a list that is too long');
}

/** Budget of steps that an evaluation may still take. Expressions always end, but loops within loops may take a lifetime. */
export class EvaluationBudget {
  #remaining: number;
  readonly #run: EvaluationBudget | undefined;

  constructor(steps = expressionSteps, run?: EvaluationBudget) {
    this.#remaining = steps;
    this.#run = run;
  }

  /** Makes the budget that all expressions of a run share. */
  static ofRun(): EvaluationBudget {
    return new EvaluationBudget(runSteps);
  }

  /** Makes the budget of one expression, which also draws on that of the run. */
  forExpression(): EvaluationBudget {
    return new EvaluationBudget(expressionSteps, this);
  }

  /** Takes steps off the budget. @throws ExpressionError when none are left. */
  spend(steps: number): void {
    this.#remaining -= steps;
    if (this.#remaining < 0) throw refuse('The expression takes too long to evaluate');
    if (this.#run && !this.#run.#take(steps)) {
      throw refuse('The expressions of this run take too long to evaluate together');
    }
  }

  /** Takes off what a value costs that was made, or is to be looked at; `size` counts the values within it. @throws ExpressionError when it is too large */
  spendOn(value: unknown, size = 0): void {
    if (typeof value === 'string') {
      refuseLongText(value.length);
      this.spend(1 + (value.length >> 6));
    } else if (value instanceof Uint8Array) {
      if (value.length > maxTextLength)
        throw refuse('The expression makes bytes that are too many');
      this.spend(1 + (value.length >> 6));
    } else if (Array.isArray(value)) {
      refuseLongList(value.length);
      this.spend(1 + Math.max(value.length, size));
    } else if (value instanceof Map) {
      this.spend(1 + Math.max(value.size, size));
    }
  }

  #take(steps: number): boolean {
    this.#remaining -= steps;
    return this.#remaining >= 0;
  }
}
