/** Draws a graph in Graphviz's language as SVG. */
export type DrawGraph = (dot: string) => string;

/** Imports the drawer of graphs: 2 MB that only pictures need. */
export async function loadGraphDrawer(): Promise<DrawGraph> {
  const { Graphviz } = await import('@hpcc-js/wasm-graphviz');
  const graphviz = await Graphviz.load();
  return (dot) => graphviz.dot(dot, 'svg');
}
