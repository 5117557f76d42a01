/** Draws a graph in Graphviz's language as SVG. */
export type DrawGraph = (dot: string) => string;

/** Loads what draws: 2 MB that only those pay for who want a picture. */
export async function loadGraphDrawer(): Promise<DrawGraph> {
  const { Graphviz } = await import('@hpcc-js/wasm-graphviz');
  const graphviz = await Graphviz.load();
  return (dot) => graphviz.dot(dot, 'svg');
}
