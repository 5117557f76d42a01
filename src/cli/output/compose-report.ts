import { createHash } from 'node:crypto';
import type { DrawGraph } from '../../commands/lifecycle/draw-graph.ts';
import type { DisplayedPlan } from '../../commands/session/shown-plan.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';
import type { DependencyGraph } from '../../model/plan/graph.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { State } from '../../model/state/state.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import { fitGraph, pickChangedGraph } from '../../render/graph/fold-graph.ts';
import { renderGraphDot } from '../../render/graph/graph-dot.ts';
import { graphPictureSizeLimit } from '../../render/html/picture.ts';
import { renderFailureHtml, renderPlanHtml } from '../../render/html/report.ts';
import { renderStateHtml } from '../../render/html/state.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');

/** Renders a plan as an HTML page, with a picture of the dependency graph. */
export function composePlanReport(
  shown: DisplayedPlan,
  drawGraph: DrawGraph,
  isVerbose: boolean,
): string {
  const { plan, plannedAt, rehearsal, identity } = shown;
  const fitted = fitGraph(shown.dependencies(), graphPictureSizeLimit);
  const draw = (graph: DependencyGraph) => ({
    graph,
    svg: drawGraph(renderGraphDot(graph, true)),
  });
  const part = pickChangedGraph(fitted.graph);
  const isLess = part.nodes.length > 0 && part.nodes.length < fitted.graph.nodes.length;
  const picture = { ...fitted, ...draw(fitted.graph), ...(isLess && { changed: draw(part) }) };
  return renderPlanHtml(plan, {
    version: publishedHostwrightVersion,
    plannedAt,
    hashOf,
    isVerbose,
    picture,
    ...(rehearsal && { rehearsal }),
    ...(identity && { identity }),
  });
}

/** Renders the diagnostics that stopped a command as an HTML page. */
export function composeFailureReport(
  diagnostics: readonly Diagnostic[],
  identity: PlanIdentity | undefined,
): string {
  return renderFailureHtml(diagnostics, {
    version: publishedHostwrightVersion,
    hashOf,
    ...(identity && { identity }),
  });
}

/** Renders the state as an HTML page, with the timeline of the last apply. */
export function composeStateReport(
  state: State,
  identity: PlanIdentity,
  timeline: Timeline | undefined,
): string {
  return renderStateHtml(state, {
    version: publishedHostwrightVersion,
    hashOf,
    identity,
    ...(timeline && { timeline }),
  });
}
