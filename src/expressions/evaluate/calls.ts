import type { Value } from '../../model/value.ts';
import { force, fromCel, sizeOf, toCel } from './cel-values.ts';
import { ExpressionError } from '../parse/expression-fault.ts';
import { callFunction, callMethod, listOwnFunctions } from './operators.ts';
import type { Node } from '../parse/parse-expression.ts';
import { matchPattern } from '../parse/pattern.ts';
import { NameTree, Unknown } from './scope.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { suggest } from '../../model/text/suggest.ts';

/** What functions cost that take far longer than a step: those that ask the file system, or read YAML. In steps. */
const costs: Readonly<Record<string, (first: unknown) => number>> = {
  file: () => 100,
  fileBase64: () => 100,
  yamlDecode: (text) => (typeof text === 'string' ? 8 * text.length : 1),
};

/** The same for a part of a time in a time zone, as `t.getHours("Europe/Berlin")`. */
const zoneCost = 500;

let own: ReturnType<typeof listOwnFunctions> | undefined;

/** Values of nodes, all of them known; the first unknown when there is one. */
export function evaluateAll(
  nodes: readonly Node[],
  context: EvaluationContext,
): readonly unknown[] | Unknown {
  return forceAll(evaluateEach(nodes, context), context);
}

/** Each value when its turn comes: behind an unknown one, none is worked out. */
function* evaluateEach(nodes: readonly Node[], context: EvaluationContext): Iterable<unknown> {
  for (const node of nodes) yield context.evaluate(node, context);
}

/** Values with everything lazy in them worked out; the first unknown when there is one. */
export function forceAll(
  values: Iterable<unknown>,
  { budget }: Pick<EvaluationContext, 'budget'>,
): readonly unknown[] | Unknown {
  const forced: unknown[] = [];
  for (const value of values) {
    const one = force(value);
    if (one instanceof Unknown) return one;
    budget.spendOn(one, sizeOf(one));
    forced.push(one);
  }
  return forced;
}

/** Runs what knows no place; its errors are told of the node. */
function runAt<T>(node: Node, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError) || error.range) throw error;
    throw new ExpressionError(error.code, error.message, error.hint, node);
  }
}

function refuseFunction(name: string, known: Iterable<string>, node: Node): ExpressionError {
  const meant = suggest(name, known);
  return new ExpressionError(
    'unknown-function',
    `There is no function \`${name}()\``,
    meant === undefined
      ? 'CEL has `size(x)`, `string(x)`, `x.startsWith(y)`, `x.map(v, …)` and others; Hostwright adds `format()`, `file()`, `jsonDecode()` and others.'
      : `Did you mean \`${meant}()\`?`,
    node,
  );
}

/** @throws ExpressionError when neither CEL nor Hostwright knows the function */
export function checkFunction(node: Node & { op: 'call' | 'rcall' }, hosts: object): void {
  own ??= listOwnFunctions();
  const [name] = node.args;
  if (node.op === 'rcall') {
    if (!own.methods.has(name)) throw refuseFunction(name, own.methods, node);
  } else if (!Object.hasOwn(hosts, name) && !own.functions.has(name)) {
    throw refuseFunction(name, [...Object.keys(hosts), ...own.functions], node);
  }
}

/** How many parts a list or a map has; undefined for something else. Counting works none of them out. */
function countParts(node: Node, context: EvaluationContext): bigint | undefined {
  const value = context.evaluate(node, context);
  if (value instanceof NameTree) return BigInt(value.keys().length);
  return Array.isArray(value) ? BigInt(value.length) : undefined;
}

/** Calls a function: `format("…", x)`, `size(x)`. @throws ExpressionError */
export function evaluateCall(node: Node & { op: 'call' }, context: EvaluationContext): unknown {
  checkFunction(node, context.functions);
  const [name, nodes] = node.args;
  const [first] = nodes;
  if (name === 'size' && first && nodes.length === 1) {
    const count = countParts(first, context);
    if (count !== undefined) return count;
  }
  const values = evaluateAll(nodes, context);
  if (values instanceof Unknown) return values;
  const host = Object.hasOwn(context.functions, name) ? context.functions[name] : undefined;
  if (Object.hasOwn(costs, name)) context.budget.spend(costs[name]?.(values[0]) ?? 1);
  if (!host) return callFunction(name, values, node);
  const plain = values.map((value) => fromCel(value, node)) as readonly Value[];
  return toCel(runAt(node, () => host(...plain)));
}

/** Calls a method: `x.startsWith(y)`. @throws ExpressionError */
export function evaluateMethod(node: Node & { op: 'rcall' }, context: EvaluationContext): unknown {
  checkFunction(node, context.functions);
  const [name, receiver, nodes] = node.args;
  if (name === 'size' && nodes.length === 0) {
    const count = countParts(receiver, context);
    if (count !== undefined) return count;
  }
  const values = evaluateAll([receiver, ...nodes], context);
  if (values instanceof Unknown) return values;
  const [text, pattern] = values;
  if (name.startsWith('get') && values.length > 1) context.budget.spend(zoneCost);
  if (name === 'matches' && typeof text === 'string' && typeof pattern === 'string') {
    return runAt(nodes[0] as Node, () => matchPattern(text, pattern, context.budget));
  }
  return callMethod(name, values, node);
}
