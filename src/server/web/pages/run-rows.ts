import type { RunJson } from '../../api/show-run.ts';
import { html, type SafeHtml } from '../../../model/text/html.ts';
import { renderPageTable } from '../parts/elements.ts';
import {
  formatRunName,
  shortenCommitHash,
  renderTimeAgo,
  renderRunDuration,
  renderRunStatusBadge,
  sumUpRunChanges,
  sumUpDriftCounts,
} from '../parts/words.ts';

const heads = ['Run', 'Status', 'Result', 'Commit', 'Reason', 'When', 'Took'];

/** Renders runs of a workspace, the newest first. */
export function renderRunRows(runs: readonly RunJson[], now: number): SafeHtml {
  const rows = runs.map((run) => {
    const { id, commit, status, reason, createdAt, startedAt, endedAt } = run;
    return html`<tr>
      <th scope="row"><a href="/runs/${id}">${formatRunName(run)}</a></th>
      <td>${renderRunStatusBadge(status)}</td>
      <td>${describeRunResult(run)}</td>
      <td><code title="${commit}">${shortenCommitHash(commit)}</code></td>
      <td class="reason">${reason}</td>
      <td>${renderTimeAgo(createdAt, now)}</td>
      <td class="took">${startedAt !== undefined && renderRunDuration(startedAt, endedAt, now)}</td>
    </tr>`;
  });
  return renderPageTable('rows runs', heads, rows);
}

/** Describes the result of a run in a few words. */
export function describeRunResult({ operation, hasChanges, changes }: RunJson): string {
  if (operation === 'drift' && hasChanges !== undefined)
    return hasChanges
      ? `drift found${changes ? `: ${sumUpDriftCounts(changes)}` : ''}`
      : 'no drift';
  return changes ? sumUpRunChanges(changes) : '';
}
