import { evaluateAll, evaluateCall, evaluateMethod, forceAll } from './calls.ts';
import { describeType, force, toCel } from './cel-values.ts';
import { ExpressionError, type Range } from '../parse/expression-fault.ts';
import { evaluateMacro } from './macros.ts';
import { applyBinary, applyUnary } from './operators.ts';
import { nameOf, type Node, type ParsedExpression } from '../parse/parse-expression.ts';
import { select, unknownName } from './select.ts';
import { Unknown } from './scope.ts';
import type { Surroundings } from './evaluation-context.ts';

/** A part of an expression as it is written, cut when it is long. */
function quote({ text }: ParsedExpression, { start, end }: Range): string {
  const shown = text.slice(start, end).replace(/\s+/g, ' ');
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
}

function lookUp(node: Node & { op: 'id' }, around: Surroundings): unknown {
  for (let one = around.bindings; one; one = one.outer) {
    if (one.name === node.args) return one.value;
  }
  const name = nameOf(around.expression, node);
  const value = around.scope.get(name);
  if (value !== undefined) return toCel(value);
  throw unknownName(name, around.scope.label, around.scope.keys(), node);
}

/** `&&` and `||`: one side may decide alone, whatever the other is. */
function evaluateLogical(node: Node & { op: '&&' | '||' }, around: Surroundings): unknown {
  const decides = node.op === '||';
  const sides: unknown[] = [];
  for (const side of node.args) {
    try {
      const value = evaluateNode(side, around);
      if (value === decides) return value;
      sides.push(value);
    } catch (error) {
      if (!(error instanceof ExpressionError) || error.code === 'expression-too-costly')
        throw error;
      sides.push(error);
    }
  }
  const failed = sides.find((side) => side instanceof ExpressionError);
  if (failed) throw failed;
  const unknown = sides.find((side) => side instanceof Unknown);
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

function evaluateChoice(node: Node & { op: '?:' }, around: Surroundings): unknown {
  const [condition, then, otherwise] = node.args;
  const value = evaluateNode(condition, around);
  if (value instanceof Unknown) return value;
  if (typeof value === 'boolean') return evaluateNode(value ? then : otherwise, around);
  throw new ExpressionError(
    'expression-type',
    `What stands before \`?\` must be true or false, not ${describeType(value)}`,
    'Compare the value with another, for example `x != ""`.',
    condition,
  );
}

function evaluateMap(node: Node & { op: 'map' }, around: Surroundings): unknown {
  const map = new Map<unknown, unknown>();
  for (const [key, value] of node.args) {
    const name = evaluateNode(key, around);
    if (name instanceof Unknown) return name;
    const one = evaluateNode(value, around);
    if (one instanceof Unknown) return one;
    map.set(name, one);
  }
  return map;
}

function evaluateUnary(node: Node & { op: '!_' | '-_' }, around: Surroundings): unknown {
  const value = force(evaluateNode(node.args, around));
  return value instanceof Unknown ? value : applyUnary(node.op, value, node);
}

/** `==` and `!=`: what holds others is not null, whatever of it is known by now. */
function evaluateEquality(node: Node & { op: '==' | '!=' }, around: Surroundings): unknown {
  const sides: unknown[] = [];
  for (const side of node.args) {
    const value = evaluateNode(side, around);
    if (value instanceof Unknown) return value;
    sides.push(value);
  }
  if (sides.includes(null) && sides.some((side) => typeof side === 'object' && side !== null)) {
    return node.op === '!=';
  }
  return applyTo(forceAll(sides, around), node, around);
}

function applyTo(
  values: readonly unknown[] | Unknown,
  node: Node,
  { budget }: Surroundings,
): unknown {
  if (values instanceof Unknown) return values;
  // Handed to the library, a step takes twice as long.
  budget.spend(1);
  const made = applyBinary(node.op, values[0], values[1], node);
  budget.spendOn(made);
  return made;
}

/** The value of a node as CEL has it; lazy where names are. @throws ExpressionError */
export function evaluateNode(node: Node, around: Surroundings): unknown {
  around.budget.spend(1);
  switch (node.op) {
    case 'value':
      return node.args;
    case 'id':
      return lookUp(node, around);
    case '.':
    case '.?': {
      const [base, key] = node.args;
      return select(evaluateNode(base, around), key, quote(around.expression, base), node);
    }
    case '[]':
    case '[?]': {
      const [base, key] = node.args;
      const value = evaluateNode(base, around);
      return select(value, evaluateNode(key, around), quote(around.expression, base), node);
    }
    case 'call':
    case 'rcall': {
      const made = evaluateMacro(node, around);
      if (made) return made.value;
      const value = node.op === 'call' ? evaluateCall(node, around) : evaluateMethod(node, around);
      around.budget.spendOn(value);
      return value;
    }
    case 'list': {
      const values = node.args.map((one) => evaluateNode(one, around));
      return values.find((value) => value instanceof Unknown) ?? values;
    }
    case 'map':
      return evaluateMap(node, around);
    case '?:':
      return evaluateChoice(node, around);
    case '&&':
    case '||':
      return evaluateLogical(node, around);
    case '!_':
    case '-_':
      return evaluateUnary(node, around);
    case '==':
    case '!=':
      return evaluateEquality(node, around);
    default:
      return applyTo(evaluateAll(node.args, around), node, around);
  }
}
