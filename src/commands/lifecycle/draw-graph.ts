/** Draws a graph given in Graphviz's language as an SVG picture. */
export type DrawGraph = (dot: string) => string;

/** Loads the code that draws a dependency graph as SVG. It is loaded only when needed, as the module has 2 MB. */
export async function loadGraphDrawer(): Promise<DrawGraph> {
  const { Graphviz } = await import('@hpcc-js/wasm-graphviz');
  const graphviz = await Graphviz.load();
  return (dot) => graphviz.dot(dot, 'svg');
}
