import { Option, type Command } from 'commander';
import type { Diagnostic } from '../../model/diagnostic.ts';
import {
  fitGraph,
  type FittedGraph,
  type GraphDetailLevel,
} from '../../render/graph/fold-graph.ts';
import { renderGraphDot } from '../../render/graph/graph-dot.ts';
import { fitMermaidGraph, renderGraphMermaid } from '../../render/graph/graph-mermaid.ts';
import type { CommandLineContext } from '../command-context.ts';
import { createTextReporter } from '../output/terminal-reporter.ts';

interface GraphFlags {
  readonly format: 'dot' | 'mermaid' | 'svg';
  readonly plan?: string;
}

/** Beyond this, laying the picture out takes minutes, and no eye follows it. */
const pictureRoom = { nodes: 4_000, edges: 4_000 };

const extentWords: Readonly<Record<GraphDetailLevel, string | undefined>> = {
  everything: undefined,
  changes: 'it shows only what changes',
  instances: 'instances of one resource are shown as one',
  kinds: 'resources of one kind in a project are shown as one',
  nothing: 'it is left empty',
};

function explainExtent({ extent }: FittedGraph): Diagnostic[] {
  const words = extentWords[extent];
  if (words === undefined) return [];
  return [
    {
      severity: 'note',
      code: 'graph-too-large',
      summary: `The graph is too large for a picture: ${words}`,
      hint: 'Use "--format dot" for the whole graph.',
    },
  ];
}

/** `graph`: the dependency graph. */
export function addGraphCommand(program: Command, context: CommandLineContext): void {
  const { runtime, exit } = context;
  program
    .command('graph')
    .summary('show the dependency graph')
    .description(
      'Writes the dependency graph of the configuration, without a network; of a saved plan with its actions coloured.',
    )
    .argument('[dir]', 'directory of the configuration', '.')
    .addOption(
      new Option('--format <format>', 'for Graphviz, for Mermaid, or as a picture')
        .choices(['dot', 'mermaid', 'svg'])
        .default('dot'),
    )
    .option('--plan <file>', 'a saved plan: its actions colour the graph')
    .action(async (directory: string, { format, plan: planFile }: GraphFlags) => {
      const reporter = createTextReporter(context);
      const { readDependencyGraph } = await import('../../commands/lifecycle/graph.ts');
      const graph = await readDependencyGraph(runtime, { directory, planFile }, reporter);
      if (format === 'mermaid') {
        const fitted = fitMermaidGraph(graph);
        runtime.stdout.write(renderGraphMermaid(fitted.graph));
        reporter.showDiagnostics(explainExtent(fitted));
      } else if (format === 'dot') {
        runtime.stdout.write(renderGraphDot(graph));
      } else {
        const { loadGraphDrawer } = await import('../../commands/lifecycle/draw-graph.ts');
        const draw = await loadGraphDrawer();
        const fitted = fitGraph(graph, pictureRoom);
        runtime.stdout.write(draw(renderGraphDot(fitted.graph, true)));
        reporter.showDiagnostics(explainExtent(fitted));
      }
      exit(0);
    });
}
