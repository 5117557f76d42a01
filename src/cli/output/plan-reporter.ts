import type { Runtime } from '../../model/runtime.ts';
import type { GlobalOptions } from '../command-context.ts';
import { TerminalReporter, type PlanFormat } from './terminal-reporter.ts';

/**
 * Makes the reporter for one output format of plans. The code that draws the picture of an HTML page is loaded for that format
 * only.
 */
export async function createPlanReporter(
  runtime: Runtime,
  globals: GlobalOptions,
  format: PlanFormat,
  isOneline = false,
): Promise<TerminalReporter> {
  if (format !== 'html') return new TerminalReporter(runtime, { ...globals, format, isOneline });
  const { loadGraphDrawer } = await import('../../commands/lifecycle/draw-graph.ts');
  const [drawGraph, { composePlanReport: composeReport }] = await Promise.all([
    loadGraphDrawer(),
    import('./compose-report.ts'),
  ]);
  return new TerminalReporter(runtime, {
    ...globals,
    format,
    compose: (shown) => composeReport(shown, drawGraph, globals.isVerbose),
  });
}
