/** Fault of an expression; offsets count from its first character, `end` is the offset behind the last. */
export interface ExpressionFault {
  /**
   * Stable code of the fault: `broken-expression`, `unknown-name`, `unknown-function`, `expression-type`,
   * `expression-failed` …
   */
  readonly code: string;
  /** Description of the fault on one line, without a full stop. */
  readonly summary: string;
  readonly detail?: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
}

/** Removes the words from a fault on a sensitive value that may quote the value; a fault about types quotes none. */
export function hideSensitiveFault(fault: ExpressionFault, subject: string): ExpressionFault {
  const { code, hint, start, end } = fault;
  const hidden = `${subject} fails on a sensitive value, which is not shown`;
  const summary = code === 'expression-type' ? fault.summary : hidden;
  return { code, summary, hint, start, end };
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
  readonly detail: string | undefined;

  constructor(
    code: string,
    summary: string,
    hint: string,
    range?: ExpressionRange,
    detail?: string,
  ) {
    super(summary);
    this.name = 'ExpressionError';
    this.code = code;
    this.hint = hint;
    this.range = range;
    this.detail = detail;
  }
}

/** A function's refusal of its arguments; it is reported at the call. */
export class FunctionError extends ExpressionError {
  constructor(summary: string, hint: string, code = 'expression-failed', detail?: string) {
    super(code, summary, hint, undefined, detail);
    this.name = 'FunctionError';
  }
}

/** Converts any error to a fault; one without a range becomes a fault of the whole expression. */
export function toExpressionFault(error: unknown, whole: ExpressionRange): ExpressionFault {
  if (error instanceof ExpressionError) {
    const { code, message, hint, range, detail } = error;
    const { start, end } = range ?? whole;
    return { code, summary: message, ...(detail !== undefined && { detail }), hint, start, end };
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

/**
 * Tells whether a fault depends on values, unlike a wrong name or type. Beside an operand that is not known yet and may
 * decide alone, such a fault need not matter.
 */
export function isValueFault({ code }: Pick<ExpressionFault, 'code'>): boolean {
  return code === 'expression-failed';
}
