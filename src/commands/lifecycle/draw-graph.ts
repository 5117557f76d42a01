/** Draws a graph given in Graphviz's language as an SVG picture. */
export type DrawGraph = (dot: string) => string;

/** Loads the graph drawer when a picture is wanted: it is a module of 2 MB. */
export async function loadGraphDrawer(): Promise<DrawGraph> {
  const { Graphviz } = await import('@hpcc-js/wasm-graphviz');
  const graphviz = await Graphviz.load();
  return (dot) => graphviz.dot(dot, 'svg');
}
