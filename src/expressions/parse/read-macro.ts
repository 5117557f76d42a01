// Calls whose arguments are no plain values: loops, `cel.bind()`, and what works its arguments out itself.
import type { Node } from './parse-expression.ts';

/** Functions that work their arguments out themselves, with how many they take at most. */
const lazyFunctions = { has: 1, can: 1, try: Infinity, coalesce: Infinity };

/** One of them. */
export type Lazy = keyof typeof lazyFunctions;

/** A call of any form. */
export type Call = Node & { op: 'call' | 'rcall' };

/** The variable that a loop or `cel.bind` makes, and the nodes in which it holds; undefined for other calls. */
export function readMacro(
  node: Call,
): { kind: 'loop' | 'bind' | Lazy; variable?: string; inner: readonly Node[] } | undefined {
  if (node.op === 'call') {
    const [name, nodes] = node.args;
    const most = Object.hasOwn(lazyFunctions, name) ? lazyFunctions[name as Lazy] : 0;
    const isLazy = nodes.length > 0 && nodes.length <= most;
    return isLazy ? { kind: name as Lazy, inner: nodes } : undefined;
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
