import type { Value } from '../../model/value.ts';
import { Budget } from '../values/budget.ts';
import { fromCel, sizeOf, unknownIn, workOut } from './cel-values.ts';
import { evaluateNode } from './evaluate.ts';
import { toFault, type ExpressionFault } from '../parse/expression-fault.ts';
import { pureFunctions } from '../functions/catalogue.ts';
import type { HostFunctions } from '../functions/define.ts';
import { parseExpression } from '../parse/parse-expression.ts';
import { collectMentions, type FunctionCall, type Reference } from '../parse/references.ts';
import { SuspendEvaluation } from '../values/suspend-evaluation.ts';
import type { NameTree, ScopeValue, Unknown } from '../values/scope.ts';

/** What came of an evaluation. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: Value }
  /** It needs a value that is not there yet. `value` has it in its place, and all that is known beside it. */
  | { readonly kind: 'unknown'; readonly unknown: Unknown; readonly value: ScopeValue }
  | { readonly kind: 'fault'; readonly fault: ExpressionFault };

/** What an evaluation may use beside its names. */
export interface EvaluateOptions {
  /** Functions beside the pure ones of Hostwright and CEL's own. */
  readonly functions?: HostFunctions;
  readonly budget?: Budget;
}

/** An expression, read once and evaluated as often as there are scopes. */
export interface CompiledExpression {
  readonly text: string;
  /** Where it is not well formed; then every evaluation gives this fault. */
  readonly fault: ExpressionFault | undefined;
  /** The names that it reads. */
  readonly references: readonly Reference[];
  readonly calls: readonly FunctionCall[];
  /** Its value in a scope. Never throws. */
  evaluate(scope: NameTree, options?: EvaluateOptions): Outcome;
}

const merged = new WeakMap<HostFunctions, HostFunctions>();

/** The caller's functions beside the pure ones; put together once. */
function withPure(functions: HostFunctions): HostFunctions {
  let all = merged.get(functions);
  if (!all) {
    all = { ...pureFunctions, ...functions };
    merged.set(functions, all);
  }
  return all;
}

function compile(text: string): CompiledExpression {
  const whole = { start: 0, end: text.length };
  try {
    const expression = parseExpression(text);
    const { ast } = expression;
    return {
      text,
      fault: undefined,
      ...collectMentions(expression),
      evaluate(scope, { functions, budget = new Budget() } = {}) {
        try {
          const made = workOut(
            evaluateNode(ast, {
              expression,
              scope,
              functions: functions ? withPure(functions) : pureFunctions,
              budget,
              evaluate: evaluateNode,
            }),
          );
          budget.spendOn(made, sizeOf(made));
          const value = fromCel(made, whole);
          const unknown = unknownIn(made);
          return unknown
            ? { kind: 'unknown', unknown, value }
            : { kind: 'value', value: value as Value };
        } catch (error) {
          if (error instanceof SuspendEvaluation) throw error;
          return { kind: 'fault', fault: toFault(error, whole) };
        }
      },
    };
  } catch (error) {
    const fault = toFault(error, whole);
    return { text, fault, references: [], calls: [], evaluate: () => ({ kind: 'fault', fault }) };
  }
}

const compiled = new Map<string, CompiledExpression>();
const maxCompiled = 10_000;

/** Reads an expression, the part between `${` and `}`. Never throws; the same text is read once. */
export function compileExpression(text: string): CompiledExpression {
  let expression = compiled.get(text);
  if (!expression) {
    expression = compile(text);
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(text, expression);
  }
  return expression;
}
