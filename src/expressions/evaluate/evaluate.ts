import { evaluateExpressionNodes, evaluateCall, evaluateMethod, forceLazyValues } from './calls.ts';
import {
  describeType,
  forceLazyValue,
  toCel,
  findUnknownIn,
  resolveLazyValues,
} from './cel-values.ts';
import { ExpressionError, isValueFault, type ExpressionRange } from '../parse/expression-fault.ts';
import { evaluateMacro } from './macros.ts';
import { applyBinary, applyUnary, readCelType } from './operators.ts';
import {
  restoreIdentifierSourceName,
  isCelTypeName,
  type ExpressionNode,
  type ParsedExpression,
} from '../parse/parse-expression.ts';
import { selectMember, createUnknownNameError } from './select.ts';
import { NameTree, Unknown } from '../values/scope.ts';
import type { EvaluationContext } from './evaluation-context.ts';

/** A part of an expression as it is written, cut when it is long. */
function quote({ text }: ParsedExpression, { start, end }: ExpressionRange): string {
  const shown = text.slice(start, end).replace(/\s+/g, ' ');
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
}

function lookUp(node: ExpressionNode & { op: 'id' }, context: EvaluationContext): unknown {
  for (let one = context.bindings; one; one = one.outer) {
    if (one.name === node.args) return one.value;
  }
  const name = restoreIdentifierSourceName(context.expression, node);
  const value = context.scope.get(name);
  if (value !== undefined) return toCel(value);
  if (isCelTypeName(context.expression, name)) return readCelType(name, node);
  throw createUnknownNameError(name, context.scope.label, context.scope.keys(), node);
}

/** `&&` and `||`: one side may decide alone, whatever the other is. */
function evaluateLogical(
  node: ExpressionNode & { op: '&&' | '||' },
  context: EvaluationContext,
): unknown {
  const decides = node.op === '||';
  const sides: unknown[] = [];
  for (const side of node.args) {
    try {
      const value = evaluateNode(side, context);
      if (value === decides) return value;
      sides.push(value);
    } catch (error) {
      if (!(error instanceof ExpressionError) || error.code === 'expression-too-costly')
        throw error;
      sides.push(error);
    }
  }
  const unknown = sides.find((side) => side instanceof Unknown);
  const failed = sides
    .filter((side) => side instanceof ExpressionError)
    .find((side) => !(unknown && isValueFault(side)));
  if (failed) throw failed;
  if (unknown) return unknown;
  const wrong = sides.findIndex((side) => typeof side !== 'boolean');
  if (wrong < 0) return !decides;
  throw new ExpressionError(
    'expression-type',
    `\`${node.op}\` needs true or false on both sides, not ${describeType(sides[wrong])}`,
    'Compare the value with another, for example `x != ""`.',
    node.args[wrong],
  );
}

function evaluateChoice(node: ExpressionNode & { op: '?:' }, context: EvaluationContext): unknown {
  const [condition, then, otherwise] = node.args;
  const value = evaluateNode(condition, context);
  if (value instanceof Unknown) return value;
  if (typeof value === 'boolean') return evaluateNode(value ? then : otherwise, context);
  throw new ExpressionError(
    'expression-type',
    `The part before \`?\` must be true or false, not ${describeType(value)}`,
    'Compare the value with another, for example `x != ""`.',
    condition,
  );
}

function evaluateMap(node: ExpressionNode & { op: 'map' }, context: EvaluationContext): unknown {
  const map = new Map<unknown, unknown>();
  for (const [key, value] of node.args) {
    const name = evaluateNode(key, context);
    if (name instanceof Unknown) return name;
    map.set(name, evaluateNode(value, context));
  }
  return map;
}

function evaluateUnary(
  node: ExpressionNode & { op: '!_' | '-_' },
  context: EvaluationContext,
): unknown {
  const value = forceLazyValue(evaluateNode(node.args, context));
  return value instanceof Unknown ? value : applyUnary(node.op, value, node);
}

/** `==` and `!=`: what holds others is not null, whatever of it is known by now. */
function evaluateEquality(
  node: ExpressionNode & { op: '==' | '!=' },
  context: EvaluationContext,
): unknown {
  const sides = node.args.map((side) => evaluateNode(side, context));
  const unknown = sides.find((side) => side instanceof Unknown);
  if (unknown) return unknown;
  if (sides.includes(null) && sides.some((side) => typeof side === 'object' && side !== null)) {
    return node.op === '!=';
  }
  return applyTo(forceLazyValues(sides, context), node, context);
}

/** `in`: a key needs no values, and an item that is there needs no others. */
function evaluateIn(node: ExpressionNode & { op: 'in' }, context: EvaluationContext): unknown {
  const [item, holder] = node.args.map((side) => evaluateNode(side, context));
  if (holder instanceof Unknown) return holder;
  if (holder instanceof NameTree || holder instanceof Map) {
    const keys = new Map([...holder.keys()].map((key) => [key, null]));
    return applyTo(forceLazyValues([item, keys], context), node, context);
  }
  const made = resolveLazyValues(holder);
  const unknown = findUnknownIn(made);
  if (!unknown || !Array.isArray(made)) {
    return applyTo(forceLazyValues([item, made], context), node, context);
  }
  const known = made.filter((one) => findUnknownIn(one) === undefined);
  const isThere = applyTo(forceLazyValues([item, known], context), node, context);
  return isThere === false ? unknown : isThere;
}

/** Evaluates `+`; lists are joined whatever the types of their items. */
function evaluateSum(node: ExpressionNode & { op: '+' }, context: EvaluationContext): unknown {
  const sides = node.args.map((side) => evaluateNode(side, context));
  const unknown = sides.find((side) => side instanceof Unknown);
  if (unknown) return unknown;
  const [left, right] = sides;
  if (!Array.isArray(left) || !Array.isArray(right)) {
    return applyTo(forceLazyValues(sides, context), node, context);
  }
  context.budget.spend(1 + left.length + right.length);
  return [...(left as unknown[]), ...(right as unknown[])];
}

function applyTo(
  values: readonly unknown[] | Unknown,
  node: ExpressionNode,
  { budget }: EvaluationContext,
): unknown {
  if (values instanceof Unknown) return values;
  // Evaluated here and not by the CEL library, which takes twice as long for each step.
  budget.spend(1);
  const made = applyBinary(node.op, values[0], values[1], node);
  budget.spendOn(made);
  return made;
}

/** Evaluates a node to its CEL value, which is lazy where names are. @throws ExpressionError */
export function evaluateNode(node: ExpressionNode, context: EvaluationContext): unknown {
  context.budget.spend(1);
  switch (node.op) {
    case 'value':
      return node.args;
    case 'id':
      return lookUp(node, context);
    case '.':
    case '.?': {
      const [base, key] = node.args;
      return selectMember(evaluateNode(base, context), key, quote(context.expression, base), node);
    }
    case '[]':
    case '[?]': {
      const [base, key] = node.args;
      const value = evaluateNode(base, context);
      return selectMember(value, evaluateNode(key, context), quote(context.expression, base), node);
    }
    case 'call':
    case 'rcall': {
      const made = evaluateMacro(node, context);
      if (made) return made.value;
      const value =
        node.op === 'call' ? evaluateCall(node, context) : evaluateMethod(node, context);
      context.budget.spendOn(value);
      return value;
    }
    case 'list':
      return node.args.map((one) => evaluateNode(one, context));
    case 'map':
      return evaluateMap(node, context);
    case '?:':
      return evaluateChoice(node, context);
    case '&&':
    case '||':
      return evaluateLogical(node, context);
    case '!_':
    case '-_':
      return evaluateUnary(node, context);
    case '==':
    case '!=':
      return evaluateEquality(node, context);
    case 'in':
      return evaluateIn(node, context);
    case '+':
      return evaluateSum(node, context);
    default:
      return applyTo(evaluateExpressionNodes(node.args, context), node, context);
  }
}
