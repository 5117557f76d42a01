// Calls whose arguments are no plain values: loops, `cel.bind()`, and what works its arguments out itself.
import { isKeyOf } from '../../model/tables.ts';
import type { ExpressionNode } from './parse-expression.ts';

/** Functions that work their arguments out themselves, with how many they take at most. */
const lazyFunctions = { has: 1, can: 1, try: Infinity, coalesce: Infinity };

/** Name of a function that evaluates only the arguments it needs. */
export type LazyFunctionName = keyof typeof lazyFunctions;

/** A call in an expression, of a function or a method. */
export type CallNode = ExpressionNode & { op: 'call' | 'rcall' };

/** Loops with one variable, or with one for the key and one for the value; how many nodes come behind the variables. */
const loops: Readonly<Record<string, readonly { variables: 1 | 2; nodes: number }[]>> = {
  map: [
    { variables: 1, nodes: 1 },
    { variables: 1, nodes: 2 },
  ],
  filter: [{ variables: 1, nodes: 1 }],
  ...Object.fromEntries(
    ['all', 'exists', 'exists_one'].map((name) => [
      name,
      [
        { variables: 1, nodes: 1 },
        { variables: 2, nodes: 1 },
      ],
    ]),
  ),
  ...Object.fromEntries(
    ['transformList', 'transformMap'].map((name) => [
      name,
      [
        { variables: 2, nodes: 1 },
        { variables: 2, nodes: 2 },
      ],
    ]),
  ),
};

/** A call such as `map` or `try`, which does not evaluate its arguments beforehand. */
export interface ExpressionMacro {
  readonly kind: 'loop' | 'bind' | LazyFunctionName;
  /** Names of the variables that the macro defines: one or two of a loop, one of `cel.bind`, else none. */
  readonly variables: readonly string[];
  /** Nodes of the expression in which the macro's variables exist. */
  readonly inner: readonly ExpressionNode[];
}

/** Splits a call of a macro into its parts; undefined for other calls. */
export function readMacro(node: CallNode): ExpressionMacro | undefined {
  if (node.op === 'call') {
    const [name, nodes] = node.args;
    const most = isKeyOf(lazyFunctions, name) ? lazyFunctions[name] : 0;
    const isLazy = nodes.length > 0 && nodes.length <= most;
    return isLazy ? { kind: name as LazyFunctionName, variables: [], inner: nodes } : undefined;
  }
  const [name, receiver, nodes] = node.args;
  const [first] = nodes;
  if (first?.op !== 'id') return undefined;
  if (name === 'bind' && receiver.op === 'id' && receiver.args === 'cel' && nodes.length === 3) {
    return { kind: 'bind', variables: [first.args], inner: nodes.slice(2) };
  }
  const forms = Object.hasOwn(loops, name) ? (loops[name] ?? []) : [];
  const form = forms.find((one) => one.variables + one.nodes === nodes.length);
  const variables = nodes
    .slice(0, form?.variables)
    .flatMap((one) => (one.op === 'id' ? [one.args] : []));
  if (variables.length !== form?.variables) return undefined;
  return { kind: 'loop', variables, inner: nodes.slice(form.variables) };
}
