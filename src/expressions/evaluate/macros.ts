// Loops: `list.map(v, …)`, `filter`, `all`, `exists`, `exists_one`, `map.transformMap(k, v, …)`; `cel.bind()`; and what works its
// arguments out itself: `has()`, `try()`, `can()`, `coalesce()`.
import { elementAt } from '../../model/group-by.ts';
import { describeType, findUnknownIn, resolveLazyValues } from './cel-values.ts';
import { ExpressionError, isValueFault } from '../parse/expression-fault.ts';
import type { ExpressionNode } from '../parse/parse-expression.ts';
import {
  readMacro,
  type CallNode,
  type LazyFunctionName,
  type ExpressionMacro,
} from '../parse/read-macro.ts';
import { bindLoopItem, addNameToContext, listLoopItems, type LoopItem } from './loop-items.ts';
import { hasKey } from './select.ts';
import { Unknown } from '../values/scope.ts';
import type { EvaluationContext } from './evaluation-context.ts';

/** A loop of an expression, split into its parts. */
interface Loop {
  readonly variables: readonly string[];
  readonly items: readonly LoopItem[];
  readonly nodes: readonly ExpressionNode[];
  readonly context: EvaluationContext;
}

function itemsOf(value: unknown, node: ExpressionNode): readonly LoopItem[] {
  const items = listLoopItems(value);
  if (items) return items;
  throw new ExpressionError(
    'expression-type',
    `A loop needs a list or a map, not ${describeType(value)}`,
    'Check the part before the dot.',
    node,
  );
}

function evaluateCondition(node: ExpressionNode, context: EvaluationContext): boolean | Unknown {
  const value = context.evaluate(node, context);
  if (typeof value === 'boolean' || value instanceof Unknown) return value;
  throw new ExpressionError(
    'expression-type',
    `The condition of a loop must be true or false, not ${describeType(value)}`,
    'Compare the value with another, for example `v != ""`.',
    node,
  );
}

/** The value that a loop takes of each item that its condition holds for; unknown where that is not known. */
function collect(
  { variables, items, context }: Loop,
  condition: ExpressionNode | undefined,
  take: (inner: EvaluationContext, item: LoopItem) => void,
): Unknown | undefined {
  for (const item of items) {
    const inner = bindLoopItem(context, variables, item);
    const isTaken = condition === undefined || evaluateCondition(condition, inner);
    if (isTaken instanceof Unknown) return isTaken;
    if (isTaken) take(inner, item);
  }
  return undefined;
}

/** `filter`: the items that a condition holds for; of a map, their keys. */
function pickItems(loop: Loop): unknown {
  const made: unknown[] = [];
  return collect(loop, loop.nodes[0], (_, { alone }) => made.push(alone)) ?? made;
}

/** `map`, `transformList` and `transformMap`: a list or a map made of the items. */
function transform(loop: Loop, isMap: boolean): unknown {
  const { nodes } = loop;
  const condition = nodes.length === 2 ? nodes[0] : undefined;
  const result = elementAt(nodes, nodes.length - 1);
  const made = new Map<unknown, unknown>();
  const unknown = collect(loop, condition, (inner, { key }) =>
    made.set(isMap ? key : made.size, inner.evaluate(result, inner)),
  );
  return unknown ?? (isMap ? made : [...made.values()]);
}

/** `all` and `exists`: one item may decide alone, whatever the others are. */
function quantify({ variables, items, nodes, context }: Loop, decides: boolean): unknown {
  let failed: ExpressionError | undefined;
  let unknown: Unknown | undefined;
  for (const item of items) {
    try {
      const value = evaluateCondition(elementAt(nodes, 0), bindLoopItem(context, variables, item));
      if (value === decides) return decides;
      if (value instanceof Unknown) unknown ??= value;
    } catch (error) {
      if (!(error instanceof ExpressionError) || error.code === 'expression-too-costly')
        throw error;
      failed ??= error;
    }
  }
  if (failed && !(unknown && isValueFault(failed))) throw failed;
  return unknown ?? !decides;
}

function countOnes({ variables, items, nodes, context }: Loop): unknown {
  let count = 0;
  for (const item of items) {
    const value = evaluateCondition(elementAt(nodes, 0), bindLoopItem(context, variables, item));
    if (value instanceof Unknown) return value;
    if (value) count += 1;
  }
  return count === 1;
}

function evaluateLoop(
  node: ExpressionNode & { op: 'rcall' },
  { variables, inner: nodes }: ExpressionMacro,
  context: EvaluationContext,
): unknown {
  const [name, receiver] = node.args;
  const over = context.evaluate(receiver, context);
  if (over instanceof Unknown) return over;
  const items = itemsOf(over, receiver);
  context.budget.spend(items.length);
  const loop: Loop = { variables, items, nodes, context };
  switch (name) {
    case 'all':
      return quantify(loop, false);
    case 'exists':
      return quantify(loop, true);
    case 'exists_one':
      return countOnes(loop);
    case 'filter':
      return pickItems(loop);
    default:
      return transform(loop, name === 'transformMap');
  }
}

function evaluateHas(node: ExpressionNode, context: EvaluationContext): unknown {
  if (node.op === '.') return hasKey(context.evaluate(node.args[0], context), node.args[1]);
  throw new ExpressionError(
    'expression-type',
    'has() needs a field of a name',
    'Write for example `has(var.settings.size)`.',
    node,
  );
}

/** Evaluates a node with all lazy values in it. @returns the error in place of a value, for `try` and `can` */
function attempt(
  node: ExpressionNode,
  context: EvaluationContext,
): { value: unknown } | ExpressionError {
  try {
    return { value: resolveLazyValues(context.evaluate(node, context)) };
  } catch (error) {
    if (error instanceof ExpressionError && error.code !== 'expression-too-costly') return error;
    throw error;
  }
}

/** Evaluates `try(a, b, …)`: the first argument without a fault. */
function evaluateTry(nodes: readonly ExpressionNode[], context: EvaluationContext): unknown {
  let failed: ExpressionError | undefined;
  for (const node of nodes) {
    const made = attempt(node, context);
    if ('value' in made) return made.value;
    failed = made;
  }
  throw new ExpressionError(
    'expression-failed',
    `None of the arguments of try() has a value. The last one: ${failed?.message ?? ''}`,
    'End it with a value that always exists, as `try(var.size.ram, 2)`.',
    nodes.at(-1),
  );
}

/** `coalesce(a, b, …)`: the first that is neither null nor an empty text. */
function evaluateCoalesce(nodes: readonly ExpressionNode[], context: EvaluationContext): unknown {
  for (const node of nodes) {
    const value = resolveLazyValues(context.evaluate(node, context));
    if (value !== null && value !== '') return value;
  }
  throw new ExpressionError(
    'expression-failed',
    'All arguments of coalesce() are null or empty',
    'End it with a value that always exists.',
    nodes.at(-1),
  );
}

function evaluateLazy(
  kind: LazyFunctionName,
  nodes: readonly ExpressionNode[],
  context: EvaluationContext,
): unknown {
  const first = elementAt(nodes, 0);
  switch (kind) {
    case 'has':
      return evaluateHas(first, context);
    case 'try':
      return evaluateTry(nodes, context);
    case 'coalesce':
      return evaluateCoalesce(nodes, context);
    case 'can': {
      const made = attempt(first, context);
      if (!('value' in made)) return false;
      return findUnknownIn(made.value) ?? true;
    }
  }
}

/** Evaluates a macro; undefined for a call of something else. @throws ExpressionError */
export function evaluateMacro(
  node: CallNode,
  context: EvaluationContext,
): { value: unknown } | undefined {
  const macro = readMacro(node);
  if (!macro) return undefined;
  if (macro.kind !== 'loop' && macro.kind !== 'bind') {
    return { value: evaluateLazy(macro.kind, macro.inner, context) };
  }
  const call = node as ExpressionNode & { op: 'rcall' };
  if (macro.kind === 'loop') return { value: evaluateLoop(call, macro, context) };
  const [, , nodes] = call.args;
  const value = context.evaluate(elementAt(nodes, 1), context);
  const inner = addNameToContext(context, macro.variables[0] ?? '', value);
  return { value: inner.evaluate(elementAt(macro.inner, 0), inner) };
}
