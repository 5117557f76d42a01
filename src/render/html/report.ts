import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import { formatTime } from '../format/moment.ts';
import { foldChanges } from '../view/fold-changes.ts';
import { viewPlan } from '../view/view.ts';
import { renderBanner, titleFailure, titlePage } from './banner.ts';
import { anchorChanges, renderChanges } from './changes.ts';
import { renderCommands } from './commands.ts';
import { renderFindings } from './findings.ts';
import { renderOutputs } from './outputs.ts';
import { renderPage, type HashText } from './page.ts';
import { renderPicture, type Picture } from './picture.ts';
import { renderQuotas, renderSummary } from './summary.ts';
import { renderRehearsal } from './rehearsal.ts';
import { renderTimeline } from './timeline.ts';

/** What a report says beyond its plan. */
export interface ReportParts {
  /** Hostwright's version. */
  readonly version: string;
  /** When the plan was made; milliseconds since the Unix epoch. */
  readonly plannedAt: number;
  readonly hashOf: HashText;
  /** Whose plan it is. */
  readonly identity?: PlanIdentity;
  readonly picture?: Picture;
  /** How its apply went; absent before it. */
  readonly timeline?: Timeline;
  readonly rehearsal?: Rehearsal;
  /** True: every change is shown on its own, equal ones too. */
  readonly isVerbose?: boolean;
}

/** A plan as a page for a browser: one file that needs nothing else. */
export function renderPlanHtml(plan: Plan, parts: ReportParts): string {
  const { version, plannedAt, hashOf, picture, timeline, rehearsal, identity, isVerbose } = parts;
  const view = viewPlan(plan);
  // A plan is about what it does, or about nothing but what was done outside.
  const shown = view.mode === 'refresh' ? view.drift : view.changes;
  const folded = isVerbose ? shown : foldChanges(shown);
  const anchors = anchorChanges(folded);
  return renderPage(
    {
      ...titlePage(view, identity),
      facts: [`planned ${formatTime(plannedAt)}`, `Hostwright v${version}`],
      hashOf,
    },
    [
      renderBanner(view),
      renderSummary(view, anchors),
      renderFindings(view.findings, anchors),
      renderCommands(view.commands, anchors),
      renderQuotas(view.quotas),
      renderChanges(
        { folded, all: shown },
        anchors,
        view.mode === 'refresh' ? 'Changed outside' : 'Changes',
      ),
      renderOutputs(view.outputs),
      rehearsal ? renderRehearsal(rehearsal, anchors) : '',
      timeline ? renderTimeline(timeline, anchors) : '',
      picture ? renderPicture(picture, anchors) : '',
    ],
  );
}

/** The diagnostics that stopped a command before there was a plan, as a page for a browser. */
export function renderFailureHtml(
  diagnostics: readonly Diagnostic[],
  { version, hashOf, identity }: Pick<ReportParts, 'version' | 'hashOf' | 'identity'>,
): string {
  return renderPage({ ...titleFailure(identity), facts: [`Hostwright v${version}`], hashOf }, [
    renderFindings(diagnostics, anchorChanges([])),
  ]);
}
