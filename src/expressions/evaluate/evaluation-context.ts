import type { EvaluationBudget } from '../values/budget.ts';
import type { ExpressionFunctions } from '../functions/define.ts';
import type { ExpressionNode, ParsedExpression } from '../parse/parse-expression.ts';
import type { NameTree } from '../values/scope.ts';

/** A variable of a loop: `v` in `list.map(v, v + 1)`. */
export interface VariableBinding {
  readonly name: string;
  readonly value: unknown;
  readonly outer: VariableBinding | undefined;
}

/** Expression, names, functions and budget of one evaluation, passed down to each node. */
export interface EvaluationContext {
  readonly expression: ParsedExpression;
  readonly scope: NameTree;
  readonly functions: ExpressionFunctions;
  readonly budget: EvaluationBudget;
  readonly bindings?: VariableBinding | undefined;
  /** Evaluates another node, for calls and loops. @throws ExpressionError */
  evaluate(node: ExpressionNode, context: EvaluationContext): unknown;
}
