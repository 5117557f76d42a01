import type { Runtime } from '../../model/runtime.ts';
import type { GlobalOptions } from '../command-context.ts';
import { TerminalReporter, type PlanFormat } from './terminal-reporter.ts';

/** A reporter that shows plans in one form; what draws the picture of a report is loaded for that alone. */
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
