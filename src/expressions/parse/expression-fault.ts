/** A fault of an expression; offsets count from its first character, `end` stands behind the last. */
export interface ExpressionFault {
  /** Stable: `broken-expression`, `unknown-name`, `unknown-function`, `expression-type`, `expression-failed` … */
  readonly code: string;
  /** Description of the fault on one line, without a full stop. */
  readonly summary: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
}

/** Offsets of a part of an expression's text. */
export interface ExpressionRange {
  readonly start: number;
  readonly end: number;
}

/** A fault as it is thrown inside `expressions/`; at its border it becomes an `ExpressionFault`. */
export class ExpressionError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly range: ExpressionRange | undefined;

  constructor(code: string, summary: string, hint: string, range?: ExpressionRange) {
    super(summary);
    this.name = 'ExpressionError';
    this.code = code;
    this.hint = hint;
    this.range = range;
  }
}

/** A function's refusal of its arguments; it is reported at the call. */
export class FunctionError extends ExpressionError {
  constructor(summary: string, hint: string, code = 'expression-failed') {
    super(code, summary, hint);
    this.name = 'FunctionError';
  }
}

/** Any error as a fault; one without a range is a fault of the whole expression. */
export function toExpressionFault(error: unknown, whole: ExpressionRange): ExpressionFault {
  if (error instanceof ExpressionError) {
    const { code, message, hint, range } = error;
    const { start, end } = range ?? whole;
    return { code, summary: message, hint, start, end };
  }
  // Text that is nested without end runs out of stack, wherever it is read.
  return {
    code: 'expression-too-deep',
    summary: 'The expression is nested too deeply',
    hint: 'Split it into several locals.',
    start: whole.start,
    end: whole.end,
  };
}
