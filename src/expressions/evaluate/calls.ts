import { elementAt } from '../../model/group-by.ts';
import type { Value } from '../../model/value.ts';
import {
  forceLazyValue,
  fromCel,
  countNestedValues,
  toCel,
  resolveLazyValues,
} from './cel-values.ts';
import { ExpressionError } from '../parse/expression-fault.ts';
import { callFunction, callMethod, listCelFunctions } from './operators.ts';
import type { ExpressionNode } from '../parse/parse-expression.ts';
import { matchPattern } from '../notation/pattern.ts';
import { NameTree, Unknown } from '../values/scope.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import {
  formatNameList,
  suggestNearestName,
  suggestNearestNames,
} from '../../model/text/suggest.ts';
import { functionsByName } from '../functions/catalogue.ts';
import { hintAtSignature, UnknownPartNeededError } from '../functions/define.ts';
import { hintAtFunctionOfOtherLanguage } from '../functions/foreign-names.ts';
import { hintAtTerraformFunction, terraformFunctions } from '../functions/terraform-names.ts';

/** Steps for a part of a time in a time zone, as `t.getHours("Europe/Berlin")`: each makes a formatter. */
const zoneCost = 500;

/** Characters that a function may process for one step of the evaluation budget. */
const charactersPerStep = 64;

let own: ReturnType<typeof listCelFunctions> | undefined;

/** Evaluates nodes to values without lazy parts; the first unknown when there is one. */
export function evaluateExpressionNodes(
  nodes: readonly ExpressionNode[],
  context: EvaluationContext,
): readonly unknown[] | Unknown {
  return forceLazyValues(evaluateEach(nodes, context), context);
}

/** Values of nodes, one by one. */
function* evaluateEach(
  nodes: readonly ExpressionNode[],
  context: EvaluationContext,
): Iterable<unknown> {
  for (const node of nodes) yield context.evaluate(node, context);
}

/** Evaluates all lazy parts of values; the first unknown part when there is one. */
export function forceLazyValues(
  values: Iterable<unknown>,
  { budget }: Pick<EvaluationContext, 'budget'>,
): readonly unknown[] | Unknown {
  const forced: unknown[] = [];
  let unknown: Unknown | undefined;
  // A fault behind an unknown value is one whatever that turns out to be.
  for (const value of values) {
    const one = forceLazyValue(value);
    if (one instanceof Unknown) unknown ??= one;
    else budget.spendOn(one, countNestedValues(one));
    forced.push(one);
  }
  return unknown ?? forced;
}

/** Values of nodes of which parts may be unknown; one that is unknown as a whole when there is one. */
function evaluateParts(
  nodes: readonly ExpressionNode[],
  context: EvaluationContext,
): readonly unknown[] | Unknown {
  const values = nodes.map((node) => {
    const value = resolveLazyValues(context.evaluate(node, context));
    if (!(value instanceof Unknown)) context.budget.spendOn(value, countNestedValues(value));
    return value;
  });
  return values.find((one) => one instanceof Unknown) ?? values;
}

/** Characters in all texts of a value: one text may stand in it a hundred thousand times. */
function countCharacters(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const parts = Array.isArray(value) ? value : Object.values(value);
  return parts.reduce<number>((sum, one) => sum + countCharacters(one), 0);
}

/** Runs code that knows no ranges; errors without one get that of the node. */
function runAt<T>(node: ExpressionNode, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError) || error.range) throw error;
    throw new ExpressionError(error.code, error.message, error.hint, node, error.detail);
  }
}

/** Hint for an unknown function: its counterpart here, or names alike. */
function hintAtFunction(name: string, known: Iterable<string>): string {
  const counterpart = hintAtTerraformFunction(name) ?? hintAtFunctionOfOtherLanguage(name);
  if (counterpart !== undefined) return counterpart;
  const near = suggestNearestNames(name, known);
  if (near.length > 0) return `Did you mean ${near.map((one) => `\`${one}()\``).join(' or ')}?`;
  const theirs = suggestNearestName(name, terraformFunctions.keys());
  const meant = theirs === undefined ? undefined : hintAtTerraformFunction(theirs);
  if (meant !== undefined) return meant;
  return `Use one of ${formatNameList(functionsByName.keys(), 8)}, or of CEL's own, as \`size(x)\`.`;
}

function refuseFunction(name: string, hint: string, node: ExpressionNode): ExpressionError {
  return new ExpressionError('unknown-function', `There is no function \`${name}()\``, hint, node);
}

/** A method that is a function here: what stands before the dot is an argument. */
function refuseMethod(
  name: string,
  known: Iterable<string>,
  node: ExpressionNode,
): ExpressionError {
  const described = functionsByName.get(name);
  return refuseFunction(
    name,
    described ? hintAtSignature(described) : hintAtFunction(name, known),
    node,
  );
}

/** Requires that CEL or Hostwright knows a function that an expression calls. @throws ExpressionError otherwise */
export function requireKnownFunction(
  node: ExpressionNode & { op: 'call' | 'rcall' },
  hosts: object,
): void {
  own ??= listCelFunctions();
  const [name] = node.args;
  if (node.op === 'rcall') {
    if (!own.methods.has(name)) throw refuseMethod(name, own.methods, node);
  } else if (!Object.hasOwn(hosts, name) && !own.functions.has(name)) {
    const hint = functionsByName.has(name)
      ? 'Call it in `locals`, and use the local: it reads files or the environment, which is not possible here.'
      : hintAtFunction(name, [...Object.keys(hosts), ...own.functions]);
    throw refuseFunction(name, hint, node);
  }
}

/** Number of items of a list or a map; undefined for something else. Counting works out none of them. */
function countParts(node: ExpressionNode, context: EvaluationContext): bigint | undefined {
  const value = context.evaluate(node, context);
  if (value instanceof NameTree) return BigInt(value.keys().length);
  if (value instanceof Map) return BigInt(value.size);
  return Array.isArray(value) ? BigInt(value.length) : undefined;
}

/** Calls a function: `format("…", x)`, `size(x)`. @throws ExpressionError */
export function evaluateCall(
  node: ExpressionNode & { op: 'call' },
  context: EvaluationContext,
): unknown {
  requireKnownFunction(node, context.functions);
  const [name, nodes] = node.args;
  const [first] = nodes;
  if (name === 'size' && first && nodes.length === 1) {
    const count = countParts(first, context);
    if (count !== undefined) return count;
  }
  const values = functionsByName.get(name)?.isStructural
    ? evaluateParts(nodes, context)
    : evaluateExpressionNodes(nodes, context);
  if (values instanceof Unknown) return values;
  const host = Object.hasOwn(context.functions, name) ? context.functions[name] : undefined;
  if (!host) return callFunction(name, values, node);
  // A structural function gets unknown parts of its arguments, too, and passes them on.
  const plain = values.map((value) => fromCel(value, node)) as readonly Value[];
  const { budget } = context;
  try {
    return toCel(
      runAt(node, () => {
        budget.spend(Math.floor(countCharacters(plain) / charactersPerStep));
        return host(plain, budget);
      }),
    );
  } catch (error) {
    if (error instanceof UnknownPartNeededError) return error.unknown;
    throw error;
  }
}

/** Calls a method in an expression: `x.startsWith(y)`. @throws ExpressionError. */
export function evaluateMethod(
  node: ExpressionNode & { op: 'rcall' },
  context: EvaluationContext,
): unknown {
  requireKnownFunction(node, context.functions);
  const [name, receiver, nodes] = node.args;
  if (name === 'size' && nodes.length === 0) {
    const count = countParts(receiver, context);
    if (count !== undefined) return count;
  }
  const values = evaluateExpressionNodes([receiver, ...nodes], context);
  if (values instanceof Unknown) return values;
  const [text, pattern] = values;
  if (name.startsWith('get') && values.length > 1) context.budget.spend(zoneCost);
  if (name === 'matches' && typeof text === 'string' && typeof pattern === 'string') {
    return runAt(elementAt(nodes, 0), () => matchPattern(text, pattern, context.budget));
  }
  return callMethod(name, values, node);
}
