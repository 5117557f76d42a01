import type { Value } from '../../model/value.ts';
import { EvaluationBudget } from '../values/budget.ts';
import { fromCel, countNestedValues, findUnknownIn, resolveLazyValues } from './cel-values.ts';
import { evaluateNode } from './evaluate.ts';
import { toExpressionFault, type ExpressionFault } from '../parse/expression-fault.ts';
import { pureFunctions } from '../functions/catalogue.ts';
import type { ExpressionFunctions } from '../functions/define.ts';
import { parseExpression, type ExpressionNode } from '../parse/parse-expression.ts';
import {
  collectExpressionMentions,
  type ExpressionFunctionCall,
  type NameReference,
} from '../parse/references.ts';
import { EvaluationSuspension } from '../values/suspend-evaluation.ts';
import { NameTree, type ScopeValue, type Unknown } from '../values/scope.ts';

/** Outcome of evaluating an expression: a value, an unknown or a fault. */
export type EvaluationOutcome =
  | { readonly kind: 'value'; readonly value: Value }
  /**
   * A value that is needed is not there yet. `value` is the result with the unknown in its place, and all that is known
   * beside it.
   */
  | { readonly kind: 'unknown'; readonly unknown: Unknown; readonly value: ScopeValue }
  | {
      readonly kind: 'fault';
      readonly fault: ExpressionFault;
      /** Faults of further expressions of the same text. */
      readonly others?: readonly ExpressionFault[];
    };

/** Functions and limits for evaluating an expression. */
export interface EvaluationOptions {
  /** Further functions, beside the pure ones of this program and those of CEL. */
  readonly functions?: ExpressionFunctions;
  readonly budget?: EvaluationBudget;
}

/** Expression that was compiled once, to be evaluated in any number of scopes. */
export interface CompiledExpression {
  readonly text: string;
  /** Syntax fault of the text, which every evaluation then gives; undefined for a well-formed one. */
  readonly fault: ExpressionFault | undefined;
  /** Names that the expression reads. */
  readonly references: readonly NameReference[];
  /** See `ExpressionMentions`. */
  readonly itemReferences: readonly NameReference[];
  readonly calls: readonly ExpressionFunctionCall[];
  /** Evaluates the expression in a scope; faults are returned, never thrown. */
  evaluate(scope: NameTree, options?: EvaluationOptions): EvaluationOutcome;
  /**
   * Finds the path to an object that the expression names by itself or by its `id`, and nothing more:
   * `projects.shop.vms.web[0]`. Undefined for every other expression. Never throws.
   */
  findOwner(scope: NameTree, options?: EvaluationOptions): string | undefined;
}

const merged = new WeakMap<ExpressionFunctions, ExpressionFunctions>();

/** The caller's functions beside the pure ones; put together once. */
function withPure(functions: ExpressionFunctions): ExpressionFunctions {
  let all = merged.get(functions);
  if (!all) {
    all = { ...pureFunctions, ...functions };
    merged.set(functions, all);
  }
  return all;
}

/** Tells whether an expression is a name with steps below it, and nothing around them. */
function isPath(node: ExpressionNode): boolean {
  let at = node;
  while (at.op === '.' || at.op === '[]') [at] = at.args;
  return at.op === 'id';
}

/** The nodes that may stand for a thing itself: the whole path, and what is before its `.id`. */
function listOwners(node: ExpressionNode): readonly ExpressionNode[] {
  if (!isPath(node)) return [];
  return node.op === '.' && node.args[1] === 'id' ? [node, node.args[0]] : [node];
}

function compile(text: string): CompiledExpression {
  const whole = { start: 0, end: text.length };
  try {
    const expression = parseExpression(text);
    const { ast } = expression;
    const owners = listOwners(ast);
    const surround = (
      scope: NameTree,
      functions: ExpressionFunctions | undefined,
      budget: EvaluationBudget,
    ) => ({
      expression,
      scope,
      functions: functions ? withPure(functions) : pureFunctions,
      budget,
      evaluate: evaluateNode,
    });
    return {
      text,
      fault: undefined,
      ...collectExpressionMentions(expression),
      evaluate(scope, { functions, budget = new EvaluationBudget() } = {}) {
        try {
          const made = resolveLazyValues(evaluateNode(ast, surround(scope, functions, budget)));
          budget.spendOn(made, countNestedValues(made));
          const value = fromCel(made, whole);
          const unknown = findUnknownIn(made);
          return unknown
            ? { kind: 'unknown', unknown, value }
            : { kind: 'value', value: value as Value };
        } catch (error) {
          if (error instanceof EvaluationSuspension) throw error;
          return { kind: 'fault', fault: toExpressionFault(error, whole) };
        }
      },
      findOwner(scope, { functions, budget = new EvaluationBudget() } = {}) {
        try {
          const made = owners.map((node) => evaluateNode(node, surround(scope, functions, budget)));
          return made.find((one) => one instanceof NameTree)?.label;
        } catch (error) {
          if (error instanceof EvaluationSuspension) throw error;
          // The fault of this expression is reported when its value is computed.
          return undefined;
        }
      },
    };
  } catch (error) {
    const fault = toExpressionFault(error, whole);
    return {
      text,
      fault,
      references: [],
      itemReferences: [],
      calls: [],
      evaluate: () => ({ kind: 'fault', fault }),
      findOwner: () => undefined,
    };
  }
}

const compiled = new Map<string, CompiledExpression>();
const maxCompiled = 10_000;

/** Compiles an expression, the part between `${` and `}`. Never throws; each text is compiled only once. */
export function compileExpression(text: string): CompiledExpression {
  let expression = compiled.get(text);
  if (!expression) {
    expression = compile(text);
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(text, expression);
  }
  return expression;
}
