// Loops: `list.map(v, …)`, `filter`, `all`, `exists`, `exists_one`, and `has()` and `cel.bind()`, which bind no values.
import { describeType } from './cel-values.ts';
import { ExpressionError } from '../parse/expression-fault.ts';
import type { Node } from '../parse/parse-expression.ts';
import { hasKey } from './select.ts';
import { NameTree, Unknown } from './scope.ts';
import type { EvaluationContext } from './evaluation-context.ts';

type Call = Node & { op: 'call' | 'rcall' };

/** A loop, taken apart. */
interface Loop {
  readonly variable: string;
  readonly items: readonly unknown[];
  readonly nodes: readonly Node[];
  readonly context: EvaluationContext;
}

function bind(name: string, value: unknown, context: EvaluationContext): EvaluationContext {
  return { ...context, bindings: { name, value, outer: context.bindings } };
}

function listItems(value: unknown, node: Node): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value instanceof NameTree) return value.keys();
  if (value instanceof Map) return [...value.keys()];
  throw new ExpressionError(
    'expression-type',
    `A loop goes over a list or a map, not over ${describeType(value)}`,
    'Check what stands before the dot.',
    node,
  );
}

function evaluateCondition(node: Node, context: EvaluationContext): boolean | Unknown {
  const value = context.evaluate(node, context);
  if (typeof value === 'boolean' || value instanceof Unknown) return value;
  throw new ExpressionError(
    'expression-type',
    `The condition of a loop must be true or false, not ${describeType(value)}`,
    'Compare the value with another, for example `v != ""`.',
    node,
  );
}

/** `map` and `filter`: a list made of the items. */
function collect({ variable, items, nodes, context }: Loop, isFilter: boolean): unknown {
  const [condition, transform] = isFilter
    ? [nodes[0], undefined]
    : nodes.length === 2
      ? nodes
      : [undefined, nodes[0]];
  const made: unknown[] = [];
  for (const item of items) {
    const inner = bind(variable, item, context);
    const isTaken = condition === undefined || evaluateCondition(condition, inner);
    if (isTaken instanceof Unknown) return isTaken;
    if (!isTaken) continue;
    const value = transform ? inner.evaluate(transform, inner) : item;
    if (value instanceof Unknown) return value;
    made.push(value);
  }
  return made;
}

/** `all` and `exists`: one item may decide alone, whatever the others are. */
function quantify({ variable, items, nodes, context }: Loop, decides: boolean): unknown {
  let failed: ExpressionError | undefined;
  let unknown: Unknown | undefined;
  for (const item of items) {
    try {
      const value = evaluateCondition(nodes[0] as Node, bind(variable, item, context));
      if (value === decides) return decides;
      if (value instanceof Unknown) unknown ??= value;
    } catch (error) {
      if (!(error instanceof ExpressionError) || error.code === 'expression-too-costly')
        throw error;
      failed ??= error;
    }
  }
  if (failed) throw failed;
  return unknown ?? !decides;
}

function countOnes({ variable, items, nodes, context }: Loop): unknown {
  let count = 0;
  for (const item of items) {
    const value = evaluateCondition(nodes[0] as Node, bind(variable, item, context));
    if (value instanceof Unknown) return value;
    if (value) count += 1;
  }
  return count === 1;
}

function evaluateLoop(
  node: Node & { op: 'rcall' },
  variable: string,
  context: EvaluationContext,
): unknown {
  const [name, receiver, [, ...nodes]] = node.args;
  const over = context.evaluate(receiver, context);
  if (over instanceof Unknown) return over;
  const items = listItems(over, receiver);
  context.budget.spend(items.length);
  const loop: Loop = { variable, items, nodes, context };
  switch (name) {
    case 'all':
      return quantify(loop, false);
    case 'exists':
      return quantify(loop, true);
    case 'exists_one':
      return countOnes(loop);
    default:
      return collect(loop, name === 'filter');
  }
}

/** The variable that a loop or `cel.bind` makes, and the nodes in which it holds; undefined for other calls. */
export function readMacro(
  node: Call,
): { kind: 'loop' | 'bind' | 'has'; variable?: string; inner: readonly Node[] } | undefined {
  if (node.op === 'call') {
    const [name, nodes] = node.args;
    return name === 'has' && nodes.length === 1 ? { kind: 'has', inner: nodes } : undefined;
  }
  const [name, receiver, nodes] = node.args;
  const [first, ...rest] = nodes;
  if (first?.op !== 'id') return undefined;
  if (name === 'bind' && receiver.op === 'id' && receiver.args === 'cel' && rest.length === 2) {
    return { kind: 'bind', variable: first.args, inner: rest.slice(1) };
  }
  const isLoop =
    rest.length === 1
      ? ['map', 'filter', 'all', 'exists', 'exists_one'].includes(name)
      : rest.length === 2 && name === 'map';
  return isLoop ? { kind: 'loop', variable: first.args, inner: rest } : undefined;
}

function evaluateHas(node: Node, context: EvaluationContext): unknown {
  if (node.op === '.') return hasKey(context.evaluate(node.args[0], context), node.args[1]);
  throw new ExpressionError(
    'expression-type',
    'has() asks for something below a name',
    'Write for example `has(var.settings.size)`.',
    node,
  );
}

/** The value of a macro; undefined for a call of something else. @throws ExpressionError */
export function evaluateMacro(
  node: Call,
  context: EvaluationContext,
): { value: unknown } | undefined {
  const macro = readMacro(node);
  if (!macro) return undefined;
  if (macro.kind === 'has') return { value: evaluateHas(macro.inner[0] as Node, context) };
  const { variable = '' } = macro;
  const call = node as Node & { op: 'rcall' };
  if (macro.kind === 'loop') return { value: evaluateLoop(call, variable, context) };
  const [, , nodes] = call.args;
  const value = context.evaluate(nodes[1] as Node, context);
  return { value: context.evaluate(macro.inner[0] as Node, bind(variable, value, context)) };
}
